"""The runs that wait for their turn, under the list of runs: sooner, or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from gui.run import wording
from gui.theme import space, theme
from gui.widgets import Button, Glyph, IconButton, label

if TYPE_CHECKING:
    from engine.runs.queue import Waiting

_SIDE, _MOST = 14, 6


class WaitingList(QWidget):
    """Hidden while nothing waits.

    Signals:
        sooner_asked, leave_asked: the id of one that waits.
        begin_asked: the first of them, now.
    """

    sooner_asked, leave_asked, begin_asked = Signal(str), Signal(str), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[object, ...] = ()
        self._title = label(weight=600, elide=True)
        self.begin_button = Button(icon="play", size="button_small")
        self.begin_button.clicked.connect(self.begin_asked)
        self._holder: QWidget | None = None
        head = QHBoxLayout()
        head.setContentsMargins(_SIDE, space(2), space(2), space(1))
        head.addWidget(self._title, 1)
        head.addWidget(self.begin_button)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, space(1))
        self._column.setSpacing(0)
        self._column.addLayout(head)
        self.hide()

    def show_waiting(self, waiting: Sequence[Waiting], may_begin: bool) -> None:
        """Show these, the next one first; ``may_begin`` says whether nothing else goes on."""
        self._title.setText(wording.say("queue.title", count=len(waiting)))
        self.begin_button.setText(wording.say("queue.begin"))
        self.begin_button.set_tip(wording.say("queue.begin_tip"))
        self.begin_button.setVisible(may_begin and any(one.error is None for one in waiting))
        self.setAccessibleName(wording.say("queue.title", count=len(waiting)))
        shown = (*((one.id, wording.waiting_error(one)) for one in waiting), wording.say("queue.sooner"))
        if shown != self._shown:
            self._shown = shown
            self._fill(waiting)
        self.setVisible(bool(waiting))

    @property
    def texts(self) -> list[str]:
        """What each row says, for tests."""
        return [row.accessibleName() for row in self.findChildren(_Row)]

    def rows(self) -> list[_Row]:
        """The rows, the next run first."""
        return [] if self._holder is None else self._holder.findChildren(_Row)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, 0, self.width(), 1, theme().color("surface.line"))

    def _fill(self, waiting: Sequence[Waiting]) -> None:
        if self._holder is not None:
            self._column.removeWidget(self._holder)
            self._holder.setParent(None)
            self._holder.deleteLater()
        self._holder = QWidget()
        column = QVBoxLayout(self._holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for place, one in enumerate(waiting[:_MOST]):
            column.addWidget(_Row(one, place, self))
        if len(waiting) > _MOST:
            more = label(wording.say("queue.more", count=len(waiting) - _MOST), "small", "tertiary")
            more.setContentsMargins(_SIDE, 0, 0, 0)
            column.addWidget(more)
        self._column.addWidget(self._holder)


class _Row(QWidget):
    def __init__(self, one: Waiting, place: int, parent: WaitingList) -> None:
        super().__init__()
        self._id, self._list = one.id, parent
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 2, space(2), 2)
        row.setSpacing(space(2))
        failed = one.error is not None
        row.addWidget(Glyph("x-circle" if failed else "clock", "state.failed" if failed else "text.secondary", 16))
        words = QVBoxLayout()
        words.setSpacing(0)
        title, why = wording.waiting_line(one), wording.waiting_error(one)
        words.addWidget(label(title, "table", elide=True))
        if why:
            words.addWidget(label(why, "small", "failed", elide=True))
        row.addLayout(words, 1)
        self.sooner = IconButton("arrow-up", wording.say("queue.sooner"), size="button_small")
        self.sooner.setEnabled(place > 0)
        self.leave = IconButton("x", wording.say("queue.leave"), size="button_small")
        self.sooner.clicked.connect(self._sooner)
        self.leave.clicked.connect(self._leave)
        for button in (self.sooner, self.leave):
            button.setAccessibleDescription(title)
            row.addWidget(button)
        self.setAccessibleName(", ".join(filter(None, (title, why))))

    def _sooner(self) -> None:
        self._list.sooner_asked.emit(self._id)

    def _leave(self) -> None:
        self._list.leave_asked.emit(self._id)
