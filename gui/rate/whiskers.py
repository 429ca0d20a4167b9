"""Values with their intervals, one row each: a mark, a whisker, the figure; rings are the value without one rater."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.charts.style import tick_text
from gui.theme import font, line, theme
from gui.widgets import paint_text

ROW, AXIS, TOP, DOT, CAP, RING = 40, 22, 6, 5.0, 5.0, 2.5
_NAME, _FIGURE, _GAP = 150, 128, 12


@dataclass(frozen=True, slots=True)
class Whisker:
    """One row; NaN for what is not there. ``note`` stands small under the name, ``figure`` at the right."""

    name: str
    note: str
    figure: str
    value: float
    low: float = math.nan
    high: float = math.nan
    without: tuple[float, ...] = ()


class Whiskers(QWidget):
    """Rows on one axis with a grid across; as tall as its rows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Whisker, ...] = ()
        self._least, self._most = 0.0, 1.0
        self._ticks: tuple[tuple[float, str], ...] = ()
        self._zero = math.nan
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(
        self, rows: Sequence[Whisker], ticks: Sequence[float], name: str, zero: float = math.nan, percent: bool = False
    ) -> None:
        """Show these between the first and the last of ``ticks``; ``zero`` is where no difference would stand."""
        self._rows, self._zero = tuple(rows), zero
        self._least, self._most = ticks[0], ticks[-1]
        self._ticks = tuple(
            (tick, f"{tick_text(round(100 * tick))} %" if percent else tick_text(tick)) for tick in ticks
        )
        self.setAccessibleName(name)
        self.setAccessibleDescription("; ".join(f"{row.name}: {row.figure}, {row.note}" for row in self._rows))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(420, TOP + len(self._rows) * ROW + AXIS)

    def minimumSizeHint(self) -> QSize:
        return QSize(220, self.sizeHint().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plot = self._plot()
        self._paint_grid(painter, plot)
        for place, row in enumerate(self._rows):
            self._paint_row(painter, plot, TOP + place * ROW, row)

    def _plot(self) -> QRectF:
        figure = max((QFontMetrics(font("figure", "mono")).horizontalAdvance(r.figure) for r in self._rows), default=0)
        name = min(_NAME, self.width() // 3)
        right = min(figure + 2, max(_FIGURE, self.width() // 3))
        return QRectF(name + _GAP, TOP, max(self.width() - name - right - 2 * _GAP, 40), len(self._rows) * ROW)

    def _x(self, plot: QRectF, value: float) -> float:
        share = (value - self._least) / ((self._most - self._least) or 1.0)
        return plot.left() + min(max(share, 0.0), 1.0) * plot.width()

    def _paint_grid(self, painter: QPainter, plot: QRectF) -> None:
        colours, small = theme(), font("axis")
        for value, said in self._ticks:
            x = round(self._x(plot, value)) + 0.5
            is_zero = value == self._zero
            painter.setPen(QPen(colours.color("surface.control_edge" if is_zero else "surface.line"), line("hairline")))
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
            place = QRect(int(x) - 30, int(plot.bottom()) + 4, 60, AXIS - 4)
            centre = Qt.AlignmentFlag.AlignHCenter
            paint_text(painter, place, said, small, colours.color("text.tertiary"), centre)

    def _paint_row(self, painter: QPainter, plot: QRectF, top: int, row: Whisker) -> None:
        colours = theme()
        name = QRect(0, top + (3 if row.note else ROW // 4), int(plot.left()) - _GAP, ROW // 2 - 2)
        paint_text(painter, name, row.name, font("table", weight=600), colours.color("text.primary"))
        note = name.translated(0, ROW // 2 - 3)
        paint_text(painter, note, row.note, font("small"), colours.color("text.secondary"))
        middle = top + ROW / 2
        right = QRect(int(plot.right()) + _GAP, top, self.width() - int(plot.right()) - _GAP, ROW)
        ink = colours.color("text.primary")
        paint_text(painter, right, row.figure, font("figure", "mono"), ink, Qt.AlignmentFlag.AlignRight)
        if not math.isfinite(row.value):
            return
        accent = colours.color("accent.base")
        if math.isfinite(row.low) and math.isfinite(row.high):
            low, high = self._x(plot, row.low), self._x(plot, row.high)
            painter.setPen(QPen(accent, line("curve")))
            painter.drawLine(QPointF(low, middle), QPointF(high, middle))
            for end in (low, high):
                painter.drawLine(QPointF(end, middle - CAP), QPointF(end, middle + CAP))
        painter.setPen(QPen(colours.color("text.secondary"), line("hairline")))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for value in row.without:
            painter.drawEllipse(QPointF(self._x(plot, value), middle + CAP + RING + 3), RING, RING)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawEllipse(QPointF(self._x(plot, row.value), middle), DOT, DOT)
