"""What stands in place of the lanes where a system gave no answer: the state, what it said, and the question."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from engine.strings import sentence_of_code
from gui.strings import words
from gui.theme import space
from gui.widgets.labels import label
from gui.widgets.scroll import scroll_area
from gui.widgets.state import StateMark

_LONGEST = 4_000  # characters of an error that anyone reads here; the rest is in the texts


class FailedAnswer(QWidget):
    """A failure is a state: its mark, then the system's own words, then what was asked."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(space(3), space(4), space(4), space(3))
        column.setSpacing(space(2))
        self._state = StateMark("failed")
        self._error = label("", "body", "failed", family="mono", wrap=True)
        self._asked = label("", "small", "tertiary")
        self._question = label("", "body_large", family="content", wrap=True)
        for part in (self._state, self._error, self._asked, self._question):
            column.addWidget(part)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        area = scroll_area(inside)
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        outer.addWidget(area)

    def show_failure(self, state: str, error: str, question: str) -> None:
        """Say what came in place of an answer."""
        key = "failed_answer" if state == "failed" else "no_answer"
        said = words.text(f"audit.detail.{key}")
        self._state.set_state("failed", said)
        error = sentence_of_code(error, words.language)
        self._error.setText(error[:_LONGEST])
        self._error.setVisible(bool(error))
        self._asked.setText(words.text("audit.detail.part.question"))
        self._question.setText(question)
        self.setAccessibleName(f"{said} {error[:200]}")
