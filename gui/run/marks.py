"""The mark of a step: what became of it, or that it goes on."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedLayout, QWidget

from gui.run import wording
from gui.run.run_list import MARKS
from gui.widgets import Glyph, Spinner

_SIDE = 16


class StepMark(QWidget):
    """A tick, a dashed ring, a pause, a warning, a cross, or a spinner."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(_SIDE, _SIDE)
        self._glyph, self._spinner = Glyph("circle-dashed", "text.tertiary"), Spinner(_SIDE)
        self._both = QStackedLayout(self)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.addWidget(self._glyph)
        self._both.addWidget(self._spinner)

    def show_state(self, state: str) -> None:
        """Show what a step is."""
        if state in ("running", "stopping"):
            self._both.setCurrentWidget(self._spinner)
        else:
            self._glyph.show_icon(*MARKS[state])
            self._both.setCurrentWidget(self._glyph)
        self.setAccessibleName(wording.say("step.waiting" if state == "waiting" else f"state.{state}"))
