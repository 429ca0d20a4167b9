"""A level meter: how loud now, how loud at most, whether it clipped."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.strings import words
from gui.theme import font, height, line_height, theme, tokens
from gui.widgets.painting import paint_box

FLOOR_DBFS = -60.0
AMBER_DBFS, RUST_DBFS = -12.0, -3.0
CLIP_DBFS = -0.01
_CELL, _GAP = 3, 1
_CLIP_BOX = 12
_MINUS = "\u2212"


class MeterLevel:
    """What one channel of a meter shows, on a clock that is given: it falls slowly and holds its peaks."""

    def __init__(self) -> None:
        motion = tokens()["motion_ms"]
        self._fall_db_per_s = float(motion["meter_fall_db_per_s"])
        self._hold_s = float(motion["peak_hold"]) / 1000
        self._level, self._level_at = -math.inf, 0.0
        self._peak, self._peak_at = -math.inf, 0.0
        self.clipped = False

    def take(self, level_dbfs: float, at_s: float) -> None:
        """Hear a level at a time; a lower one than is shown lets what is shown fall on. NaN counts as silence."""
        level = -math.inf if math.isnan(level_dbfs) else level_dbfs
        if level >= self.shown_dbfs(at_s):
            self._level, self._level_at = level, at_s
        if level >= self.peak_dbfs(at_s):
            self._peak, self._peak_at = level, at_s
        self.clipped = self.clipped or level >= CLIP_DBFS

    def shown_dbfs(self, at_s: float) -> float:
        """The level shown at a time."""
        return self._level - self._fall_db_per_s * max(at_s - self._level_at, 0.0)

    def peak_dbfs(self, at_s: float) -> float:
        """The highest level of the last 1.5 s; after that it falls as fast as the level."""
        held = max(at_s - self._peak_at - self._hold_s, 0.0)
        return self._peak - self._fall_db_per_s * held


class Meter(QWidget):
    """Cells for the level of each channel, a line for the peak, a lamp for clipping that stays until clicked.

    Args:
        channels: rows of cells.
        ticks: the levels, in dBFS, written below; none for no scale.
        threshold_dbfs: where a dashed line and a wedge stand.

    Signals:
        cleared: the clip lamp was clicked.
    """

    cleared = Signal()

    def __init__(
        self,
        channels: int = 1,
        ticks: Sequence[float] = (-60, -48, -36, -24, -12, 0),
        threshold_dbfs: float | None = None,
        lamp: bool = True,
        cell_height: int | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.levels = [MeterLevel() for _ in range(channels)]
        self._at_s = 0.0
        self._ticks, self._threshold, self._lamp = tuple(ticks), threshold_dbfs, lamp
        self._cell_height = cell_height or (height("meter") if channels == 1 else 6)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_levels(self, levels_dbfs: Sequence[float], at_s: float) -> None:
        """Hear one level a channel at a time of the caller's clock, and repaint."""
        for level, heard in zip(self.levels, levels_dbfs):
            level.take(heard, at_s)
        self.show_at(at_s)

    def show_at(self, at_s: float) -> None:
        """Let the levels fall to a time without hearing anything new."""
        self._at_s = at_s
        self.update()

    def set_threshold(self, threshold_dbfs: float | None) -> None:
        """Move the dashed line, or take it away."""
        self._threshold = threshold_dbfs
        self.update()

    def clear(self) -> None:
        """Forget levels, peaks and clipping."""
        self.levels = [MeterLevel() for _ in self.levels]
        self.update()

    def spoken(self) -> str:
        """The level and the peak in words, for assistive tools and a text beside the meter."""
        level = max(one.shown_dbfs(self._at_s) for one in self.levels)
        peak = max(one.peak_dbfs(self._at_s) for one in self.levels)
        if level < FLOOR_DBFS:
            return words.text("widgets.meter.silent")
        return words.text("widgets.meter.said", level=_decibels(level), peak=_decibels(peak))

    def sizeHint(self) -> QSize:
        return QSize(240, self._bars_height() + (line_height("axis") + 2 if self._ticks else 0))

    def minimumSizeHint(self) -> QSize:
        return QSize(96, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        for row, level in enumerate(self.levels):
            self._paint_row(painter, row * (self._cell_height + _GAP), level)
        self._paint_threshold(painter)
        self._paint_scale(painter)
        if self._lamp:
            self._paint_lamp(painter)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._lamp and self._lamp_box().contains(event.position()):
            for level in self.levels:
                level.clipped = False
            self.cleared.emit()
            self.update()

    def _paint_row(self, painter: QPainter, top: float, level: MeterLevel) -> None:
        colours = theme()
        track = QRectF(0, top, self._track_width(), self._cell_height)
        painter.fillRect(track, colours.color("surface.sunken"))
        reached = self._place(level.shown_dbfs(self._at_s))
        x = 0.0
        while x + _CELL <= reached:
            dbfs = FLOOR_DBFS * (1 - x / max(self._track_width(), 1))
            part = "high" if dbfs >= RUST_DBFS else "mid" if dbfs >= AMBER_DBFS else "low"
            painter.fillRect(QRectF(x, top, _CELL, self._cell_height), colours.color(f"audio.meter_{part}"))
            x += _CELL + _GAP
        peak = level.peak_dbfs(self._at_s)
        if peak > FLOOR_DBFS:
            place = min(self._place(peak), self._track_width() - 2)
            painter.fillRect(QRectF(place, top, 2, self._cell_height), colours.color("text.primary"))

    def _paint_threshold(self, painter: QPainter) -> None:
        if self._threshold is None:
            return
        ink = theme().color("text.primary")
        x = self._place(self._threshold)
        pen = QPen(ink, 1)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.drawLine(int(x), 0, int(x), self._bars_height())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        foot = self._bars_height()
        painter.drawPolygon(_wedge(x, foot))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_scale(self, painter: QPainter) -> None:
        painter.setFont(font("axis"))
        painter.setPen(theme().color("text.tertiary"))
        top = self._bars_height() + 2
        for tick in self._ticks:
            text = _decibels(tick, 0)
            wide = painter.fontMetrics().horizontalAdvance(text)
            left = min(max(self._place(tick) - wide / 2, 0), self._track_width() - wide)
            painter.drawText(QRectF(left, top, wide + 2, line_height("axis")), text)
        if self._lamp and self._ticks:
            word = words.text("widgets.meter.clip_word")
            wide = painter.fontMetrics().horizontalAdvance(word)
            painter.drawText(QRectF(self.width() - wide, top, wide + 2, line_height("axis")), word)

    def _paint_lamp(self, painter: QPainter) -> None:
        colours = theme()
        lit = any(level.clipped for level in self.levels)
        ground = colours.color("audio.clip" if lit else "surface.panel")
        edge = colours.color("audio.clip" if lit else "surface.control_edge")
        paint_box(painter, self._lamp_box(), 3, ground, edge)

    def _lamp_box(self) -> QRectF:
        middle = self._bars_height() / 2
        return QRectF(
            self.width() - self._lamp_room() / 2 - _CLIP_BOX / 2 + 2, middle - _CLIP_BOX / 2, _CLIP_BOX, _CLIP_BOX
        )

    def _lamp_room(self) -> int:
        return 32 if self._lamp else 0

    def _track_width(self) -> float:
        return float(max(self.width() - self._lamp_room(), 1))

    def _bars_height(self) -> int:
        return len(self.levels) * (self._cell_height + _GAP) - _GAP

    def _place(self, dbfs: float) -> float:
        return max(0.0, min(1.0, 1 - dbfs / FLOOR_DBFS)) * self._track_width()

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("widgets.meter.level"))
        self.setToolTip(words.text("widgets.meter.clip") if self._lamp else words.text("widgets.meter.level"))
        self.update()


def _wedge(x: float, foot: float) -> QPolygonF:
    return QPolygonF([QPointF(x - 4, foot), QPointF(x + 4, foot), QPointF(x, foot - 5)])


def _decibels(value: float, digits: int = 1) -> str:
    return f"{value:.{digits}f}".replace("-", _MINUS)
