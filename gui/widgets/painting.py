"""Shapes that widgets and delegates share: rounded boxes, the focus ring, stripes, elided text."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen

from gui.theme import paint_box, paint_focus, theme
from gui.widgets.text import LONGEST, shown_text

__all__ = ["paint_box", "paint_error_underline", "paint_focus", "paint_stripes", "paint_text"]

STRIPE_STEP = 4.0
_NARROWEST, _NARROWEST_WIDE = 2.0, 10.0  # pixels of the narrowest letters, and of Han in the smallest type
_WIDE = ("\u2e80", "\uff60")  # from the first to the last of them
_FEWEST = 20  # characters that are always kept
_IN_ONE_LINE = int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine)


def paint_text(
    painter: QPainter,
    rect: QRect | QRectF,
    text: str,
    font: QFont,
    colour: QColor,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> float:
    """One line of any text, elided on the right and clipped to ``rect``; answers the width it took."""
    fits = min(LONGEST, max(_FEWEST, _fitting(text, rect.width())))  # to measure what never fits costs more
    line_of_text = QFontMetricsF(font).elidedText(shown_text(text, fits), Qt.TextElideMode.ElideRight, rect.width())
    painter.setFont(font)
    painter.setPen(colour)
    drawn = painter.drawText(QRectF(rect), align.value | _IN_ONE_LINE, line_of_text)
    return min(math.ceil(drawn.width()), float(rect.width()))


def _fitting(text: str, room: float) -> int:
    """At least as many characters as could fit into ``room``, judged by the narrowest there are of each kind."""
    for place, character in enumerate(text[:LONGEST]):
        room -= _NARROWEST_WIDE if _WIDE[0] <= character <= _WIDE[1] else _NARROWEST
        if room < 0:
            return place + 1
    return len(text)


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
