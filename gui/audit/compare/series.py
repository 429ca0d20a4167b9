"""Which colour and which mark a system has, so that it is known again from lane to chart."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from gui.theme import theme

SERIES = 6
SIDE = 10


def series_places(systems: Sequence[str], shown: Sequence[str]) -> dict[str, int]:
    """The place of each of ``shown`` among the six colours and marks; no two have the same.

    It is that of the system in the workspace, so that a system keeps it; where two would meet, the later one takes
    the next that is free.

    >>> series_places(list("abcdefgh"), ["h", "b", "a"])
    {'a': 0, 'b': 1, 'h': 2}
    """
    order = {name: place for place, name in enumerate(systems)}
    found: dict[str, int] = {}
    for name in sorted(dict.fromkeys(shown), key=lambda name: order.get(name, len(order)))[:SERIES]:
        place = order.get(name, 0) % SERIES
        while place in found.values():
            place = (place + 1) % SERIES
        found[name] = place
    return found


def paint_mark(painter: QPainter, rect: QRect | QRectF, place: int, colour: QColor | None = None) -> None:
    """The mark of a system, ten pixels in the middle of ``rect``, in its colour where no other is given."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(QRectF(rect).center())
    ink = colour or theme().series(place)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    name, half = theme().series_marks[place % SERIES], SIDE / 2
    if name == "circle":
        painter.drawEllipse(QPointF(0, 0), half - 0.5, half - 0.5)
    elif name == "cross":
        painter.setPen(QPen(ink, 2.0))
        painter.drawLine(QPointF(-half + 1, -half + 1), QPointF(half - 1, half - 1))
        painter.drawLine(QPointF(-half + 1, half - 1), QPointF(half - 1, -half + 1))
    else:
        painter.drawPolygon(QPolygonF([QPointF(x * half, y * half) for x, y in _CORNERS[name]]))
    painter.restore()


_CORNERS = {
    "square": ((-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)),
    "triangle_up": ((-1.0, 0.85), (0.0, -0.95), (1.0, 0.85)),
    "triangle_down": ((-1.0, -0.85), (0.0, 0.95), (1.0, -0.85)),
    "diamond": ((-1.0, 0.0), (0.0, -1.0), (1.0, 0.0), (0.0, 1.0)),
}
