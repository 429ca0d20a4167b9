"""One line where the rater looks: why the scale is locked, what is missing, what a key did."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from gui.theme import space
from gui.widgets import Glyph, label, set_tone

_ICONS = {"warning": ("warning-circle", "verdict.warning"), "note": ("info", "text.secondary")}


class HintLine(QWidget):
    """A sign and a sentence; hidden while it says nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._glyph, self._text = Glyph("warning-circle"), label("", "body", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(space(2))
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.hide()

    def tell(self, sentence: str, tone: str = "warning") -> None:
        """Say it; "" says nothing."""
        self._text.setText(sentence)
        set_tone(self._text, "warning" if tone == "warning" else "secondary")
        self._glyph.show_icon(*_ICONS[tone])
        self._glyph.setVisible(bool(sentence))
        self.setAccessibleName(sentence)
        self.setVisible(bool(sentence))

    def sentence(self) -> str:
        """What is said now."""
        return self._text.text()
