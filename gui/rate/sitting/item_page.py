"""One item: head, clips, scales, hint, note and buttons, in one column in the middle."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.rating.protocols import Protocol
from gui.actions import Actions
from gui.rate.sitting.acts_bar import ActsBar
from gui.rate.sitting.clips_card import ClipsCard
from gui.rate.sitting.head import Head
from gui.rate.sitting.hint_line import HintLine
from gui.rate.sitting.item import Item
from gui.rate.sitting.measures import Measures, measures_of, tall
from gui.rate.sitting.note_line import NoteLine
from gui.rate.sitting.over_bar import OverBar
from gui.rate.sitting.scale_field import ROWS_UNDER, ScaleField
from gui.rate.sitting.wording import family_of
from gui.rate.sitting.words_card import WordsCard
from gui.theme import line_height, space, width
from gui.widgets import InlineError, scroll_area

_NARROW_UNDER = 720
_WORDS, _FEEDBACK = 66, 48  # room for two lines in a box, kept for what comes after the commit


class ItemPage(QWidget):
    """Shows an ``Item`` and says what was clicked.

    The buttons keep their place while an item stands there: how much room its parts get hangs on the window and on
    what the protocol may come to show, never on what is shown now. Where all of it has room nothing scrolls; else the
    part above the buttons does.

    Signals:
        chosen: id of a scale and the digit of a step. opened: id of a scale that was folded.
        clip_wanted: the button of a clip. clip_asked: a clip, and the second of it that was clicked.
        asked: the name of an action. retried: what could not be saved is to be tried again.
    """

    chosen, opened, clip_wanted, clip_asked = Signal(str, str), Signal(str), Signal(str), Signal(str, float)
    asked, retried = Signal(str), Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._item: Item | None = None
        self._fitted: tuple[object, ...] = ()
        self._folds = False
        self.fields: dict[str, ScaleField] = {}
        self.head, self.clips, self.words = Head(), ClipsCard(), WordsCard()
        self.hint, self.trouble, self.feedback = HintLine(), InlineError(), InlineError(tone="note")
        self.note, self.acts = NoteLine(), ActsBar(actions)
        self.clips.wanted.connect(self.clip_wanted)
        self.clips.asked.connect(self.clip_asked)
        self.acts.asked.connect(self.asked)
        self.trouble.acted.connect(self.retried)
        self._scales = QVBoxLayout()
        self._wanted: QWidget | None = None
        self._soon = QTimer(self)  # once what was shown or hidden is laid out
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._bring_into_view)
        self._lay_out()

    def take_protocol(self, protocol: Protocol) -> None:
        """Make the fields of another protocol."""
        for field in self.fields.values():
            self._scales.removeWidget(field)
            field.deleteLater()
        several = len(protocol.scales) > 1
        self.fields = {
            scale.id: ScaleField(
                scale, number if several else None, scale is protocol.main, family_of(protocol.language)
            )
            for number, scale in enumerate(protocol.scales, 1)
        }
        for field in self.fields.values():
            field.chosen.connect(self.chosen)
            field.opened.connect(self.opened)
            self._scales.addWidget(field)
        self._fitted = ()
        self._fit()

    def show_item(self, item: Item) -> None:
        """Another item, or another state of it."""
        self._item = item
        self.clips.show_item(item)
        self.words.show_item(item)
        self.note.show_text(item.note)
        self.show_answers(item)
        self._fit()

    def show_answers(self, item: Item) -> None:
        """What is chosen and which scale is open."""
        asked, is_locked = item.asked, not item.is_open
        for field in self.fields.values():
            is_open = field.scale is item.open_scale and not is_locked
            field.setVisible(field.scale in asked)
            field.show_values(item.values, is_locked, is_open)
        self._fold()
        self._wanted = None
        self._soon.start()
        self.acts.show_flag(item.is_flagged)
        self.show_note(item)

    def show_note(self, item: Item) -> None:
        """The note's line where there is one to read or to write."""
        shown = bool(item.note) or self.note.entry.hasFocus()
        self.note.setVisible(shown)
        self.acts.show_note_button(not shown)

    def show_heard(self, item: Item) -> None:
        """What was heard by now."""
        self.clips.show_heard(item)

    def show_playing(self, item: Item, now: str, positions: Mapping[str, float]) -> None:
        """What plays, and where."""
        self.clips.show_playing(item, now, positions)

    def show_field(self, item: Item) -> None:
        """Where not all has room: bring the open scale into view, once it is laid out."""
        scale = item.open_scale
        self._wanted = self.fields.get(scale.id) if scale is not None else None
        self._soon.start()

    def to_top(self) -> None:
        """Show the item from its head on."""
        self._area.verticalScrollBar().setValue(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()  # what was never shown measures nothing

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _bring_into_view(self) -> None:
        if self._wanted is not None:
            self._area.ensureWidgetVisible(self._wanted, 0, space(3))

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setMaximumWidth(width("rate_column") + 2 * space(5))
        self._column = QVBoxLayout(inside)
        self._column.addStretch(1)
        for part in (self.head, self.feedback, self.clips, self.words):
            self._column.addWidget(part)
        self._column.addSpacing(space(1))
        self._column.addLayout(self._scales)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inside, 1000)
        row.addStretch(1)
        self._area = scroll_area(middle)
        self.bar = OverBar(self._area, self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._area, 1)
        whole.addLayout(self._lay_out_below())

    def _lay_out_below(self) -> QHBoxLayout:
        """What stands below that which scrolls; the hint and the note share the room above the buttons."""
        self._said = QWidget()
        said = self._said_column = QVBoxLayout(self._said)
        said.setContentsMargins(0, 0, 0, 0)
        said.addStretch(1)
        for part in (self.hint, self.trouble, self.note):
            said.addWidget(part)
        below = QWidget()
        self._below_column = QVBoxLayout(below)
        self._below_column.setContentsMargins(0, 0, 0, 0)
        self._below_column.addWidget(self._said)
        self._below_column.addWidget(self.acts)
        below.setMaximumWidth(width("rate_column"))
        self._pinned = QHBoxLayout()
        self._pinned.setSpacing(0)
        self._pinned.addStretch(1)
        self._pinned.addWidget(below, 1000)
        self._pinned.addStretch(1)
        return self._pinned

    def _fit(self) -> None:
        """The roomiest measures with which all that may come has room; in a low window the smallest."""
        item = self._item
        state = (self.size(), self.isVisible(), None if item is None else (item.row.id, tuple(item.clips)))
        if state == self._fitted:
            return
        self._fitted = state
        rows, spare = self.width() < ROWS_UNDER, 0
        for measures in measures_of(self.height()):
            self._take(measures, rows)
            spare = self.height() - self._needed(measures, rows)
            if spare >= 0:
                break
        has_room = spare >= 0 and not measures.is_low
        self._said.setMinimumHeight(self.note.height() if has_room else 0)
        under = min(spare, (spare + self._for_later(measures)) * 5 // 9) if has_room else 0
        side = measures.side(rows)
        self._pinned.setContentsMargins(side, measures.above, side, measures.above + under)
        self._fold()
        self._soon.start()

    def _fold(self) -> None:
        """In little room of several scales only the open one shows its steps."""
        item = self._item
        if item is None:
            return
        for field in self.fields.values():
            field.fold(self._folds and field.scale is not item.open_scale, item.values.get(field.scale.id))

    def _take(self, measures: Measures, rows: bool) -> None:
        tight, low, side = measures.is_tight, measures.is_low, measures.side(rows)
        self._folds = measures.folds
        self.head.fit(tight=tight, low=low)
        self.clips.fit(narrow=self.width() < _NARROW_UNDER, tight=tight, low=low or (tight and measures.folds))
        self.note.be_low(low)
        for field in self.fields.values():
            field.fit(rows=rows, tight=tight, low=low)
        self._column.setContentsMargins(side, measures.edge, side, measures.above)
        self._column.setSpacing(measures.gap)
        self._scales.setSpacing(measures.scale_gap)
        for below in (self._said_column, self._below_column):
            below.setSpacing(measures.above)

    def _needed(self, measures: Measures, rows: bool) -> int:
        """Pixels from top to bottom with all that may come to be shown of this item."""
        wide = min(self.width() - 2 * measures.side(rows), width("rate_column"))
        has_clips = self._item is not None and bool(self._item.clips)
        scales = self._scales_tall(measures, wide)
        above = [tall(self.head, wide), *([self.clips.tall] if has_clips else []), space(1), scales]
        between = (len(above) - 1) * measures.gap + max(len(self.fields) - 1, 0) * measures.scale_gap
        below = self.note.height() + line_height("body") + self.acts.sizeHint().height() + 4 * measures.above
        return measures.edge + sum(above) + between + self._for_later(measures) + measures.above + below

    def _scales_tall(self, measures: Measures, wide: int) -> int:
        """All scales, or the tallest that may be open with the lines of the others."""
        whole = [field.tall(wide) for field in self.fields.values()]
        if not measures.folds or not whole:
            return sum(whole)
        lines = [field.tall_folded for field in self.fields.values()]
        return sum(lines) + max(open_ - line for open_, line in zip(whole, lines, strict=True))

    def _for_later(self, measures: Measures) -> int:
        """The part of it for the words of the answer and for what practice tells."""
        item = self._item
        if item is None:
            return 0
        wide = min(self.width(), width("rate_column"))
        has_words = item.protocol.reveals != "never" or item.protocol.shows_reference or item.row.perceived == "text"
        words = 0 if not has_words else tall(self.words, wide) if not self.words.isHidden() else _WORDS
        feedback = _FEEDBACK if item.row.kind == "training" else 0
        return sum(each + measures.gap for each in (words, feedback) if each)
