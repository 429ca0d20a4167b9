"""One thin line between two things."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.theme import theme


class Hairline(QWidget):
    """A line of one pixel, lying or (``vertical``) standing."""

    def __init__(
        self,
        vertical: bool = False,
        colour: str = "surface.line",
        length: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._vertical, self._colour, self._length = vertical, colour, length
        long_way = QSizePolicy.Policy.Expanding if length is None else QSizePolicy.Policy.Fixed
        fixed = QSizePolicy.Policy.Fixed
        self.setSizePolicy(fixed if vertical else long_way, long_way if vertical else fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        length = self._length or 1
        return QSize(1, length) if self._vertical else QSize(length, 1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), theme().color(self._colour))
