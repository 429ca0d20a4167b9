"""The rating screen: one item at a time, by keyboard."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.services import Services


class SittingView(QWidget):
    """A rater's sitting at one session of the workspace on screen.

    Signals:
        left: the rater leaves; all that was committed is kept.
        finished: every item of the session was rated or skipped, and the rater is done.
    """

    left, finished = Signal(), Signal()

    def __init__(self, services: Services, session_id: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._session_id = services, session_id
