"""What a place says that has nothing to show: one sentence and what to do."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gui.theme import paint_icon, space
from gui.widgets.labels import label


class EmptyState(QWidget):
    """A sentence in the middle, one primary button and at most two others."""

    def __init__(
        self,
        sentence: str = "",
        primary: QWidget | None = None,
        others: Sequence[QWidget] = (),
        icon: str | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(6), space(5), space(6), space(5))
        column.setSpacing(space(3))
        column.addStretch(1)
        if icon:
            column.addWidget(Glyph(icon, "text.tertiary", 24), 0, Qt.AlignmentFlag.AlignHCenter)
        self._sentence = label(sentence, "body", "secondary", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self._sentence)
        row = QHBoxLayout()
        row.setSpacing(space(2))
        row.addStretch(1)
        for button in ([primary] if primary else []) + list(others):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        column.addStretch(1)
        self.setAccessibleName(sentence)

    def set_sentence(self, sentence: str) -> None:
        """Say it in the language of now, or say something else."""
        self._sentence.setText(sentence)
        self.setAccessibleName(sentence)


class Glyph(QWidget):
    """An icon that is not a button."""

    def __init__(
        self,
        name: str,
        colour: str = "text.secondary",
        size: int = 16,
        fill: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._name, self._colour, self._size, self._fill = name, colour, size, fill
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_icon(self, name: str, colour: str = "text.secondary", fill: bool = False) -> None:
        """Show another icon."""
        self._name, self._colour, self._fill = name, colour, fill
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint_icon(QPainter(self), QRectF(self.rect()), self._name, self._colour, self._fill)
