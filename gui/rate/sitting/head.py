"""The head of an item: the letter, what was said before and asked, and what is to be rated of the answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from engine.store.studies import Turn
from gui.rate.sitting.letter import MIDDLE, SIDE, SMALL, Letter
from gui.rate.sitting.wording import say
from gui.theme import font, space
from gui.widgets import label

_MOST_TURNS = 6


class Head(QWidget):
    """Words are data, never markup; the earlier turns stand above the question in small type."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._type, self._family = "verdict", "ui"
        self.letter = Letter()
        self.caption = label("", "table", "tertiary", weight=600)
        self.turns = label("", "body", "secondary", family="content", wrap=True)
        self.question = label("", "verdict", family="content", wrap=True)
        self.note = label("", "body", "tertiary", wrap=True)
        words = self._words = QVBoxLayout()
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(space(1))
        words.addStretch(1)
        for part in (self.caption, self.turns, self.question, self.note):
            words.addWidget(part)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(5))
        row.addWidget(self.letter, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)

    def fit(self, *, tight: bool, low: bool) -> None:
        """Much room, less or little."""
        self.letter.set_side(SMALL if low else MIDDLE if tight else SIDE)
        self._type = "body_large" if low else "verdict"
        self.question.setFont(font(self._type, self._family))
        self._words.setSpacing(0 if tight else space(1))

    def show_item(self, letters: str, caption: str, turns: Sequence[Turn], question: str, note: str) -> None:
        """Another item; ``question`` is what was asked where there is a caption, else a sentence of ours."""
        self._family = "content" if caption else "ui"
        self.question.setFont(font(self._type, self._family))
        self.letter.show_letter(letters)
        lines = [say(f"head.turn_{'user' if turn.role == 'user' else 'assistant'}", text=turn.text) for turn in turns]
        for part, text in (
            (self.caption, caption),
            (self.turns, "\n".join(lines[-_MOST_TURNS:])),
            (self.question, question),
            (self.note, note),
        ):
            part.setText(text)
            part.setVisible(bool(text))
