"""What each line of a chart is: a stroke in its colour and dash, and its name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.charts.style import Series, pen_of
from gui.theme import font, line_height, theme
from gui.widgets import paint_text, shown_text

_STROKE = 20
_GAP = 4
_BETWEEN = 14


class Legend(QWidget):
    """Strokes and names in one line."""

    def __init__(self, series: Sequence[Series] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(font("small"))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_series(series)

    def set_series(self, series: Sequence[Series]) -> None:
        """Name other lines."""
        self._series = tuple(series)
        self.setAccessibleName(", ".join(one.name for one in self._series))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(sum(self._widths()) + _BETWEEN * max(len(self._series) - 1, 0), line_height("small") + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(_STROKE, line_height("small") + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        left = 0
        for one, wide in zip(self._series, self._widths()):
            painter.setPen(pen_of(one))
            painter.drawLine(left, self.height() // 2, left + _STROKE, self.height() // 2)
            room = QRect(left + _STROKE + _GAP, 0, self.width() - left - _STROKE - _GAP, self.height())
            if room.width() > 0:
                paint_text(painter, room, one.name, self.font(), theme().color("text.secondary"))
            left += wide + _BETWEEN

    def _widths(self) -> list[int]:
        metrics = QFontMetrics(self.font())
        return [_STROKE + _GAP + metrics.horizontalAdvance(shown_text(one.name)) + 2 for one in self._series]
