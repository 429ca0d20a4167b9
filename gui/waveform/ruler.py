"""The ruler above the lanes: its ticks, their times, and the fine line that each time draws through all lanes."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QStaticText, QTransform

from gui.theme import font, height, theme
from gui.waveform.ticks import ticks
from gui.waveform.view import TimeView

_LONG, _SHORT = 7, 4
_GAP = 4  # from a tick to its time
_KEPT = 500


class Ruler:
    """Keeps the times laid out."""

    def __init__(self) -> None:
        self._times: dict[str, QStaticText] = {}

    def forget(self) -> None:
        """The fonts may be others now."""
        self._times.clear()

    def paint(self, painter: QPainter, view: TimeView, dirty: QRect, area: QRectF) -> None:
        """Paint what of the ticks lies in ``dirty``; ``area`` is that of the ruler and all lanes."""
        base, wide = height("ruler"), area.width()
        lines, marks, times = [], [], []
        per_second, first, last = view.width / view.span_s, dirty.left() - 80, min(dirty.right(), wide)
        for tick in ticks(view):
            x = round((tick.second - view.start_s) * per_second)
            if not first <= x <= last:
                continue
            long = _LONG if tick.text else _SHORT
            marks.append(QRect(x, base - long, 1, long))
            if tick.text:
                lines.append(QRect(x, base, 1, round(area.height()) - base))
                times.append((x + _GAP, tick.text))
        _fill(painter, lines, theme().color("surface.line"))
        _fill(painter, marks, theme().color("surface.line_strong"))
        self._paint_times(painter, times, wide, base - 2)

    def _paint_times(self, painter: QPainter, times: list[tuple[int, str]], wide: float, high: int) -> None:
        painter.setFont(font("axis"))
        painter.setPen(theme().color("text.tertiary"))
        for left, text in times:
            laid_out = self._times.get(text) or self._lay_out(text)
            size = laid_out.size()
            if left + size.width() <= wide:
                painter.drawStaticText(QPointF(left, round((high - size.height()) / 2)), laid_out)

    def _lay_out(self, text: str) -> QStaticText:
        if len(self._times) >= _KEPT:
            self._times.clear()
        made = self._times[text] = QStaticText(text)
        made.setTextFormat(Qt.TextFormat.PlainText)
        made.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
        made.prepare(QTransform(), font("axis"))
        return made


def _fill(painter: QPainter, rects: list[QRect], colour: QColor) -> None:
    if rects:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRects(rects)
