"""How a measure is spread, a row of bars for each system over the same axis, and a range chosen over all of them."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.query.compare import Spread, Spreads
from gui.audit.columns import measure_text
from gui.audit.compare.series import paint_mark
from gui.charts.style import tick_text
from gui.strings import words
from gui.theme import font, theme
from gui.widgets import paint_text, shown_text, tip_text

LEAST_ROW = 44
_NAME, _NARROW_NAME = 168, 124
_NARROW = 340
_AXIS = 20
_RIGHT = 16
_TICK_EVERY = 64

Range = tuple[float, float]


class SpreadView(QWidget):
    """Paints ``Spreads``; a drag chooses a range that begins and ends at edges of bars.

    Signals:
        brushed: the range that was chosen.
    """

    brushed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spreads: Spreads | None = None
        self._places: dict[str, int] = {}
        self._range: Range | None = None
        self._pressed: float | None = None
        self._row_hovered = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMouseTracking(True)
        self.setCursor(Qt.CursorShape.CrossCursor)

    def set_spreads(self, spreads: Spreads, places: dict[str, int]) -> None:
        """Draw other bars; ``places`` are the colours and marks of the systems."""
        self._spreads, self._places = spreads, places
        self._range = self._pressed = None
        self.setMinimumHeight(len(spreads.rows) * LEAST_ROW + _AXIS)
        self.describe()
        self.update()

    def set_range(self, chosen: Range | None) -> None:
        """Show a range as chosen."""
        self._range = chosen
        self.update()

    def describe(self) -> None:
        """Say it in the language of now, for assistive tools."""
        rows = self._spreads.rows if self._spreads is not None else ()
        self.setAccessibleName(words.text("audit.charts.spread"))
        measure = self._spreads.measure if self._spreads is not None else ""
        told = (f"{row.system}: {' · '.join(row_said(row, measure))}" for row in rows)
        self.setAccessibleDescription("\n".join(told))
        self.update()

    def sizeHint(self) -> QSize:
        rows = len(self._spreads.rows) if self._spreads is not None else 2
        return QSize(420, rows * 64 + _AXIS)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().color("surface.panel"))
        spreads = self._spreads
        if spreads is None:
            return
        for place, row in enumerate(spreads.rows):
            self._paint_row(painter, row, self._row_rect(place))
        if not spreads.edges:
            return
        self._paint_axis(painter)
        if self._range is not None:
            self._paint_range(painter, self._range)

    def _paint_row(self, painter: QPainter, row: Spread, room: QRectF) -> None:
        colour = theme().color
        paint_mark(painter, QRectF(4, room.top() + 3, 12, 16), self._places.get(row.system, 0))
        name = QRectF(22, room.top() + 2, self._name_width() - 26, 17)
        paint_text(painter, name, row.system, font("table", weight=600), colour("text.primary"))
        lines = row_said(row, self._spreads.measure if self._spreads is not None else "")
        for number, said in enumerate(lines):
            box = QRectF(4, room.top() + 19 + number * 15, self._name_width() - 8, 15)
            if box.bottom() <= room.bottom() + 2:
                paint_text(painter, box, said, font("axis"), colour("text.secondary"))
        base = room.bottom() - 4
        painter.fillRect(QRectF(self._name_width(), base, self._plot_width(), 1), colour("surface.line_strong"))
        highest = max(row.counts, default=0)
        if not highest or self._spreads is None:
            return
        high = room.height() - 10
        for place, count in enumerate(row.counts):
            left, right = (self._x(edge) for edge in self._spreads.edges[place : place + 2])
            tall = max(round(count / highest * high), 1) if count else 0
            gap = 1 if right - left > 4 else 0
            bar = QRectF(left + gap, base - tall, max(right - left - 2 * gap, 1), tall)
            painter.fillRect(bar, theme().series(self._places.get(row.system, 0)))
        if math.isfinite(row.median) and row.median <= self._spreads.edges[-1]:
            x = round(self._x(row.median)) + 0.5
            painter.setPen(QPen(colour("text.primary"), 1))
            painter.drawLine(QPointF(x, room.top() + 2), QPointF(x, base))
            painter.drawLine(QPointF(x - 3, room.top() + 2), QPointF(x + 3, room.top() + 2))

    def _paint_axis(self, painter: QPainter) -> None:
        assert self._spreads is not None
        edges = self._spreads.edges
        top = self.height() - _AXIS
        painter.setFont(font("axis"))
        painter.setPen(theme().color("text.tertiary"))
        every = max(-(-len(edges) * _TICK_EVERY // max(int(self._plot_width()), 1)), 1)
        for edge in edges[::every]:
            x = self._x(edge)
            painter.drawText(QRectF(x - 40, top, 80, _AXIS), int(Qt.AlignmentFlag.AlignCenter), tick_text(edge))

    def _paint_range(self, painter: QPainter, chosen: Range) -> None:
        left, right = self._x(chosen[0]), self._x(chosen[1])
        high = self.height() - _AXIS
        painter.fillRect(QRectF(left, 0, right - left, high), theme().color("audio.loop_fill"))
        for x in (left, right):
            painter.fillRect(QRectF(x - 0.75, 0, 1.5, high), theme().color("audio.loop"))

    # --- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._spreads is not None and self._spreads.edges:
            self._pressed = event.position().x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._pressed is not None:
            self._range = self._snapped(self._pressed, event.position().x())
            self.update()
            return
        self._tell_bar(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, None
        if pressed is not None:
            chosen = self._snapped(pressed, event.position().x())
            self.set_range(chosen)
            self.brushed.emit(chosen)

    def leaveEvent(self, event: QEvent) -> None:
        self.setToolTip("")

    def _tell_bar(self, at: QPointF) -> None:
        """Say on hover what a bar counts."""
        spreads = self._spreads
        if spreads is None or not spreads.edges or at.x() < self._name_width() or at.y() > self.height() - _AXIS:
            self.setToolTip("")
            return
        row = min(int(at.y() / self._row_height()), len(spreads.rows) - 1)
        value = self._value(at.x())
        bar = next((n for n, edge in enumerate(spreads.edges[1:]) if value <= edge), len(spreads.edges) - 2)
        low, high = (tick_text(edge) for edge in spreads.edges[bar : bar + 2])
        found = spreads.rows[row]
        count = found.counts[bar] if found.counts else 0
        system = shown_text(found.system, 80)
        self.setToolTip(tip_text(words.text("audit.charts.bar", system=system, low=low, high=high, count=count)))

    def _snapped(self, one: float, other: float) -> Range:
        """The bars from one pixel to another, whole."""
        assert self._spreads is not None
        edges = self._spreads.edges
        low, high = sorted((self._value(one), self._value(other)))
        first = max((n for n, edge in enumerate(edges[:-1]) if edge <= low), default=0)
        last = min((n for n, edge in enumerate(edges) if edge >= high and n > first), default=len(edges) - 1)
        return edges[first], edges[last]

    # --- where things are

    def _name_width(self) -> int:
        return _NAME if self.width() >= _NARROW else _NARROW_NAME

    def _plot_width(self) -> float:
        return max(self.width() - self._name_width() - _RIGHT, 1.0)

    def _row_height(self) -> float:
        rows = len(self._spreads.rows) if self._spreads is not None else 1
        return (self.height() - _AXIS) / max(rows, 1)

    def _row_rect(self, place: int) -> QRectF:
        high = self._row_height()
        return QRectF(0, place * high, self.width(), high)

    def _x(self, value: float) -> float:
        assert self._spreads is not None
        low, high = self._spreads.edges[0], self._spreads.edges[-1]
        return self._name_width() + (min(max(value, low), high) - low) / (high - low) * self._plot_width()

    def _value(self, x: float) -> float:
        assert self._spreads is not None
        low, high = self._spreads.edges[0], self._spreads.edges[-1]
        return low + min(max((x - self._name_width()) / self._plot_width(), 0.0), 1.0) * (high - low)


def row_said(row: Spread, measure: str) -> list[str]:
    """How many answers have a value and how many have none, the median, and what lies beyond the axis."""
    first = words.text("audit.charts.n", count=row.count)
    if row.missing:
        first += f" · {words.text('audit.charts.missing', count=row.missing)}"
    rest = []
    if math.isfinite(row.median):
        rest.append(words.text("audit.charts.median", value=measure_text(measure, row.median)))
    if row.over:
        rest.append(words.text("audit.charts.over", count=row.over))
    return [first, " · ".join(rest)] if rest else [first]
