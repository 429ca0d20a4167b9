"""The letter that stands in place of a system's name."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import font, paint_box, radius, theme

SIDE, MIDDLE, SMALL = 84, 60, 44
_SHARE = 0.5  # of the side: the size of one letter


class Letter(QWidget):
    """One letter, or both of a comparison, in a box."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text, self._side = "", SIDE
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_letter(self, text: str) -> None:
        """Show another letter."""
        self._text = text
        self.setAccessibleName(text)
        self.update()

    def set_side(self, side: int) -> None:
        """Take as much room: ``SIDE``, or less in a window that is lower."""
        self._side = side
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._side, self._side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        edge = colours.color("surface.line_strong")
        paint_box(painter, self.rect(), radius("card"), colours.color("surface.panel"), edge)
        face = font("display")
        share = _SHARE if len(self._text) == 1 else 0.3
        face.setPointSizeF(face.pointSizeF() * share * self.height() / 30)
        painter.setFont(face)
        painter.setPen(colours.color("text.primary"))
        painter.drawText(QRectF(self.rect()), int(Qt.AlignmentFlag.AlignCenter), self._text)
