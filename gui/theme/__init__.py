"""The look: colours, type, lengths and icons from ``resources/look/tokens.json``, in light and dark."""

from gui.theme.boxes import paint_box, paint_focus
from gui.theme.choice import ThemeSwitch, set_theme, switch
from gui.theme.colours import Theme, theme, theme_named
from gui.theme.fonts import font, line_height, missing_cjk, register_fonts
from gui.theme.icons import icon, paint_icon
from gui.theme.lengths import height, line, radius, space, width
from gui.theme.motion import reduced_motion, set_reduced_motion
from gui.theme.tokens import tokens
from gui.theme.tones import TONES

__all__ = [
    "TONES",
    "Theme",
    "ThemeSwitch",
    "font",
    "height",
    "icon",
    "line",
    "line_height",
    "missing_cjk",
    "paint_box",
    "paint_focus",
    "paint_icon",
    "radius",
    "reduced_motion",
    "register_fonts",
    "set_reduced_motion",
    "set_theme",
    "space",
    "switch",
    "theme",
    "theme_named",
    "tokens",
    "width",
]
