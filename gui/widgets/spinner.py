"""Something is under way and nobody knows how long."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import reduced_motion, theme

SPOKES = 8
STEP_MS = 125
_DOT = 3.0


class Spinner(QWidget):
    """Eight spokes that turn in steps of 45 degrees while it can be seen; a still dot under reduced motion."""

    def __init__(self, size: int = 16, colour: str = "accent.base", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size, self._colour, self._step = size, colour, 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._timer = QTimer(self)
        self._timer.setInterval(STEP_MS)
        self._timer.timeout.connect(self._turn)
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def turns(self) -> bool:
        """Whether it moves at present."""
        return bool(self._timer.isActive())

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not reduced_motion():
            self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        self._timer.stop()
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_spinner(painter, QPointF(self.width() / 2, self.height() / 2), self._size, self._step, self._colour)

    def _turn(self) -> None:
        self._step = (self._step + 1) % SPOKES
        self.update()

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("widgets.spinner.busy"))
        self.setToolTip(words.text("widgets.spinner.busy"))


def paint_spinner(painter: QPainter, centre: QPointF, size: float, step: int, colour: str = "accent.base") -> None:
    """Draw a spinner at a step of eight, for delegates; a dot under reduced motion."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ink = theme().color(colour)
    if reduced_motion():
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        painter.drawEllipse(centre, _DOT, _DOT)
    else:
        painter.translate(centre)
        for spoke in range(SPOKES):
            ink.setAlphaF(0.25 + 0.75 * ((spoke - step) % SPOKES) / (SPOKES - 1))
            pen = QPen(ink, 1.5)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLine(QPointF(0, -size * 0.24), QPointF(0, -size * 0.42))
            painter.rotate(360 / SPOKES)
    painter.restore()
