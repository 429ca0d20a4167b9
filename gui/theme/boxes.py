"""Rounded boxes and the focus ring, which the style and the widgets share."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gui.theme.colours import theme
from gui.theme.lengths import line


def paint_box(
    painter: QPainter,
    rect: QRect | QRectF,
    corner: float,
    fill: QColor | None = None,
    edge: QColor | None = None,
    edge_width: float = 1.0,
    dashed: bool = False,
) -> None:
    """A rounded box whose edge lies wholly inside ``rect``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = edge_width / 2 if edge is not None else 0.0
    box = QRectF(rect).adjusted(inset, inset, -inset, -inset)
    pen = QPen(Qt.PenStyle.NoPen) if edge is None else QPen(edge, edge_width)
    if dashed:
        pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(box, max(corner - inset, 0.0), max(corner - inset, 0.0))
    painter.restore()


def paint_focus(painter: QPainter, rect: QRect | QRectF, corner: float, colour: QColor | None = None) -> None:
    """The focus ring, inside ``rect``; on an accent surface give the colour of its text."""
    ring = colour if colour is not None else theme().color("accent.focus")
    paint_box(painter, rect, corner, edge=ring, edge_width=line("focus"))
