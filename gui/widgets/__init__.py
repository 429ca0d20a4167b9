"""Shared parts of the window; they take plain values and hold no rules."""

from gui.widgets.buttons import Button, IconButton, tip_with_key
from gui.widgets.card import Card
from gui.widgets.chip import Chip, ChipPart
from gui.widgets.empty import EmptyState, Glyph
from gui.widgets.fields import CheckBox, ComboBox, LineEdit, RadioButton
from gui.widgets.hairline import Hairline
from gui.widgets.inline_error import InlineError
from gui.widgets.keycap import KeyCap, cap_width, key_words, paint_key_cap
from gui.widgets.labels import ElidedLabel, Paragraph, label, set_tone
from gui.widgets.meter import Meter, MeterLevel
from gui.widgets.painting import paint_box, paint_error_underline, paint_focus, paint_stripes, paint_text
from gui.widgets.pill import Pill, Tag, paint_tag, tag_width
from gui.widgets.popover import Popover
from gui.widgets.progress_bar import ProgressBar
from gui.widgets.screen_bar import ScreenBar
from gui.widgets.scroll import bring_into_view, scroll_area
from gui.widgets.segmented import Segmented
from gui.widgets.spinner import Spinner, paint_spinner
from gui.widgets.state import STATES, StateMark, paint_state, paint_verdict, state_colour
from gui.widgets.text import shown_text, tip_text

__all__ = [
    "STATES",
    "Button",
    "Card",
    "CheckBox",
    "Chip",
    "ChipPart",
    "ComboBox",
    "ElidedLabel",
    "EmptyState",
    "Glyph",
    "Hairline",
    "IconButton",
    "InlineError",
    "KeyCap",
    "LineEdit",
    "Meter",
    "MeterLevel",
    "Paragraph",
    "Pill",
    "Popover",
    "ProgressBar",
    "RadioButton",
    "ScreenBar",
    "Segmented",
    "Spinner",
    "StateMark",
    "Tag",
    "bring_into_view",
    "cap_width",
    "key_words",
    "label",
    "paint_box",
    "paint_error_underline",
    "paint_focus",
    "paint_key_cap",
    "paint_spinner",
    "paint_state",
    "paint_stripes",
    "paint_tag",
    "paint_text",
    "paint_verdict",
    "scroll_area",
    "set_tone",
    "shown_text",
    "state_colour",
    "tag_width",
    "tip_text",
    "tip_with_key",
]
