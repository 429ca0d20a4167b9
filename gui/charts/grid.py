"""Lines across a plot, one device pixel thick; this module is imported only once pyqtgraph is there."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget


class Grid(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """Draws a line at each value, without the blur of smoothing."""

    def __init__(self, values: Sequence[float], pen: QPen) -> None:
        super().__init__()
        self._values, self._pen = tuple(values), pen

    def boundingRect(self) -> QRectF:
        return QRectF(self.viewRect())

    def viewRangeChanged(self) -> None:
        self.prepareGeometryChange()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        view = self.viewRect()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(self._pen)
        for value in self._values:
            painter.drawLine(QPointF(view.left(), value), QPointF(view.right(), value))
