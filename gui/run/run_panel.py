"""A run as it goes or went: head and steps, rate beside what went wrong, the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from gui.run import wording
from gui.run.flipped_card import FlippedCard
from gui.run.head import RunHead
from gui.run.log_card import LogCard
from gui.run.rate_card import RateCard
from gui.run.workers_card import WorkersCard
from gui.run.wrong_card import WrongCard
from gui.theme import space
from gui.widgets import InlineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.runs.told import RunState
    from engine.store.failures import Trouble

_WRONG, _MIDDLE, _LOG = 470, 200, 128
_LEAST = 320
_SIDE_BY_SIDE = 860


class RunPanel(QWidget):
    """Fills its parts; decides nothing but where they stand.

    Signals:
        open_asked, again_asked, log_asked: as of the card of what went wrong.
    """

    open_asked, again_asked, log_asked = Signal(object), Signal(object), Signal(object)

    def __init__(self, head: RunHead | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head, self.rate, self.wrong, self.log = head or RunHead(), RateCard(), WrongCard(), LogCard()
        self.flipped, self.workers = FlippedCard(), WorkersCard()
        self.why = InlineError()
        self.wrong.open_asked.connect(self.open_asked)
        self.wrong.again_asked.connect(self.again_asked)
        self.wrong.log_asked.connect(self.log_asked)
        self._middle = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._middle.setSpacing(space(3))
        self._middle.addWidget(self.rate, 1)
        self._middle.addWidget(self.wrong)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(3), space(3), space(3))
        column.setSpacing(space(3))
        column.addWidget(self.why)
        column.addWidget(self.head)
        column.addLayout(self._middle)
        column.addWidget(self.workers)
        column.addWidget(self.flipped)
        column.addWidget(self.log, 1)
        self.log.setMinimumHeight(_LOG)
        self.setEnabled(True)

    def show_run(self, state: RunState) -> None:
        """Show this run."""
        self.head.show_run(state)
        self.rate.show_run(state)
        self.workers.show_run(state)
        self.log.show_lines(state.log)
        said = "" if state.is_going else wording.message(state.run)
        tone = "error" if state.state == "failed" else "warning"
        code = getattr(state.run.message, "code", "") if said else ""
        if said != self.why.sentence():
            self.why.say(said, code=code, tone=tone)

    def show_troubles(self, troubles: Sequence[Trouble], state: RunState | None, may_ask: bool, language: str) -> None:
        """Show what went wrong in it."""
        self.wrong.show_troubles(troubles, state, may_ask, language)

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, super().minimumSizeHint().height())  # narrower than its parts stand now: they rearrange

    def heightForWidth(self, width: int) -> int:
        column = self.layout()
        if column is None:
            return 0
        least = column.minimumHeightForWidth(width)  # scrolls only where it must
        if self.flipped.isHidden():
            return least
        inside = width - 2 * space(3)  # a column that is too short takes from its tallest part, and that must not give
        return least + max(0, self._middle.heightForWidth(inside) - self._middle.minimumHeightForWidth(inside))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = self.width() >= _SIDE_BY_SIDE
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._middle.setDirection(way)
        self.wrong.setFixedWidth(min(_WRONG, self.width() * 9 // 20)) if beside else self._free_width()
        self.rate.setMinimumHeight(_MIDDLE)
        self.wrong.setMinimumHeight(_MIDDLE if beside else 0)

    def _free_width(self) -> None:
        self.wrong.setMinimumWidth(0)
        self.wrong.setMaximumWidth(16_777_215)
