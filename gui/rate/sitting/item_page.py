"""One item: head, clips, scales, hint, note and buttons, in one column in the middle."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.rating.protocols import Protocol
from gui.actions import Actions
from gui.rate.sitting.acts_bar import ActsBar
from gui.rate.sitting.clips_card import ClipsCard
from gui.rate.sitting.head import Head
from gui.rate.sitting.hint_line import HintLine
from gui.rate.sitting.item import Item
from gui.rate.sitting.note_line import NoteLine
from gui.rate.sitting.scale_field import ROWS_UNDER, ScaleField
from gui.rate.sitting.wording import family_of
from gui.rate.sitting.words_card import WordsCard
from gui.theme import space, width
from gui.widgets import InlineError, scroll_area

_LOW_UNDER, _NARROW_UNDER = 640, 720


class ItemPage(QWidget):
    """Shows an ``Item`` and says what was clicked.

    Signals:
        chosen: id of a scale and the digit of a step.
        clip_wanted: the button of a clip. clip_asked: a clip, and the second of it that was clicked.
        asked: the name of an action. retried: what could not be saved is to be tried again.
    """

    chosen, clip_wanted, clip_asked = Signal(str, str), Signal(str), Signal(str, float)
    asked, retried = Signal(str), Signal()

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_low: bool | None = None
        self._fitted: tuple[bool, bool, int] | None = None
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
        self._is_pinned, self._side = False, space(5)
        self._soon = QTimer(self)  # once what was shown or hidden is laid out
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._pin_where_it_does_not_fit)
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
            self._scales.addWidget(field)
        self._is_low = None
        self._fit()

    def show_item(self, item: Item) -> None:
        """Another item, or another state of it."""
        self.clips.show_item(item)
        self.words.show_item(item)
        self.note.show_text(item.note)
        self.show_answers(item)

    def show_answers(self, item: Item) -> None:
        """What is chosen and which scale is open."""
        asked, is_locked = item.asked, not item.is_open
        for field in self.fields.values():
            is_open = field.scale is item.open_scale and not is_locked
            field.setVisible(field.scale in asked)
            field.show_values(item.values, is_locked, is_open)
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

    @property
    def is_low(self) -> bool:
        """Whether the window is so low that everything is small."""
        return bool(self._is_low)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _bring_into_view(self) -> None:
        if self._wanted is not None:
            self._area.ensureWidgetVisible(self._wanted, 0, space(3))

    def _pin_where_it_does_not_fit(self) -> None:
        """Buttons and what is said stay in view: below the column where that has room, else below what scrolls."""
        column, room = self._column, self._area.viewport()
        wide = min(self._inside.maximumWidth(), room.width())
        tall = column.heightForWidth(wide) if column.hasHeightForWidth() else column.sizeHint().height()
        if self._is_pinned:
            tall += self._below.sizeHint().height() + column.spacing()
        pinned = self.is_low or tall > self.height()
        if pinned != self._is_pinned:
            self._is_pinned = pinned
            self.hint.keep_room(not pinned)
            if pinned:
                self._pinned.insertWidget(1, self._below, 1000)
            else:
                self._in_column.addWidget(self._below)
            gap = space(1) if self.is_low else space(3)
            self._below_column.setSpacing(gap if pinned else self._column.spacing())
            self._pinned.setContentsMargins(*((self._side, gap, self._side, gap) if pinned else (0, 0, 0, 0)))
            self._below.show()

    def _lay_out(self) -> None:
        inside = self._inside = QWidget()
        inside.setMaximumWidth(width("rate_column") + 2 * space(5))
        self._column = QVBoxLayout(inside)
        self._column.addStretch(4)
        self._column.addWidget(self.head)
        self._column.addWidget(self.feedback)
        self._column.addWidget(self.clips)
        self._column.addWidget(self.words)
        self._column.addSpacing(space(1))
        self._column.addLayout(self._scales)
        self._below = QWidget()
        below = self._below_column = QVBoxLayout(self._below)
        below.setContentsMargins(0, 0, 0, 0)
        for part in (self.hint, self.trouble, self.note, self.acts):
            below.addWidget(part)
        self._in_column = QVBoxLayout()
        self._column.addLayout(self._in_column)
        self._column.addStretch(5)
        middle = QWidget()
        row = QHBoxLayout(middle)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inside, 1000)
        row.addStretch(1)
        self._area = scroll_area(middle)
        self._pinned = QHBoxLayout()
        self._pinned.setSpacing(0)
        self._pinned.addStretch(1)
        self._pinned.addStretch(1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._area, 1)
        whole.addLayout(self._pinned)
        self._below.setMaximumWidth(width("rate_column"))
        self._in_column.addWidget(self._below)

    def _fit(self) -> None:
        """Cards or rows, and the sizes of a low window, where the buttons stay in view below what scrolls."""
        low, narrow = self.height() < _LOW_UNDER, self.width() < _NARROW_UNDER
        rows = self.width() < ROWS_UNDER
        side = space(3) if rows else space(5)
        for field in self.fields.values():
            field.fit(rows=rows, low=low)
        self._soon.start()
        if (low, narrow, side) == self._fitted and self._is_low is not None:
            return
        self._fitted = (low, narrow, side)
        self._is_low = low
        self.head.fit(low=low)
        self.clips.fit(narrow=narrow, low=low)
        self.note.be_low(low)
        self._column.setContentsMargins(side, space(2) if low else space(5), side, space(2) if low else space(5))
        self._column.setSpacing(space(2) if low else space(4))
        self._scales.setSpacing(space(2) if low else space(5))
        self._side, self._is_pinned = side, not low
        self._soon.start()
