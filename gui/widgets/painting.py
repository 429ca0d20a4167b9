"""Shapes that widgets and delegates share: rounded boxes, the focus ring, stripes, elided text."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from gui.theme import line, theme
from gui.widgets.text import shown_text

STRIPE_STEP = 4.0


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


def paint_text(
    painter: QPainter,
    rect: QRect | QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> float:
    """One line of any text, elided on the right and clipped to ``rect``; answers the width it took."""
    line_of_text = QFontMetricsF(font).elidedText(shown_text(text), Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(font)
    painter.setPen(colour)
    painter.drawText(
        QRectF(rect), int(align | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine), line_of_text
    )
    return min(QFontMetricsF(font).horizontalAdvance(line_of_text), float(rect.width()))


def paint_stripes(painter: QPainter, rect: QRectF, colour: QColor, under: QColor | None = None) -> None:
    """Slanting stripes: what a colour alone must not say."""
    painter.save()
    painter.setClipRect(rect)
    if under is not None:
        painter.fillRect(rect, under)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, STRIPE_STEP / 2))
    x = rect.left() - rect.height()
    path = QPainterPath()
    while x < rect.right():
        path.moveTo(x, rect.bottom() + 1)
        path.lineTo(x + rect.height() + 1, rect.top())
        x += STRIPE_STEP * 1.5
    painter.drawPath(path)
    painter.restore()


def paint_error_underline(painter: QPainter, left: float, right: float, baseline: float) -> None:
    """The waved line under characters that cannot be read."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme().color("verdict.fail"), 1.25))
    path = QPainterPath()
    path.moveTo(left, baseline + 2)
    x, up = left, True
    while x < right:
        x = min(x + 2, right)
        path.lineTo(x, baseline + (1 if up else 3))
        up = not up
    painter.drawPath(path)
    painter.restore()
