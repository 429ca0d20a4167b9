"""One line above the screens for what concerns the whole window, until it is closed."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from gui.strings import words
from gui.theme import icon, space, theme
from gui.widgets.labels import label


class Banner(QWidget):
    """Hidden until there is something to tell."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = QLabel(self)
        self._mark.setPixmap(icon("warning", "verdict.warning", 16).pixmap(16, 16))
        self._sentence = label("", wrap=True, parent=self)
        self._close = QToolButton(self)
        self._close.setIcon(icon("x"))
        self._close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), space(1), space(2), space(1))
        row.setSpacing(space(2))
        row.addWidget(self._mark)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._close)
        words.changed.connect(self._retranslate)
        self._retranslate()
        self.hide()

    def tell(self, sentence: str) -> None:
        """Show ``sentence``."""
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A tinted surface with a hairline below."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("verdict.warning_tint"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme().color("surface.line"))

    def _retranslate(self) -> None:
        tip = words.text("window.banner.close")
        self._close.setToolTip(tip)
        self._close.setAccessibleName(tip)
