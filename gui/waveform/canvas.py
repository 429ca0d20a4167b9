"""The time line as it is painted: ruler, lanes, chosen range, playhead, and what is under the pointer."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.player.clip import Lane
from gui.player.player import Range, Spot
from gui.strings import words
from gui.theme import font, height, line, theme, width
from gui.waveform.marks import legend_of, marks_at, marks_of
from gui.waveform.row import Row
from gui.waveform.ruler import Ruler
from gui.waveform.spectrum_row import SpectrumRow
from gui.waveform.ticks import time_text
from gui.waveform.view import TimeView
from gui.widgets import paint_box, paint_focus, paint_text, tip_text

_STRIP = 8  # pixels to each side of the playhead that its line and its cap take
_BAND = 5
_HOVER_WIDE, _HOVER_HIGH = 320, 16
_LEAST_ANSWER = 56
_LEAST_QUESTION = 22
_MOST_MARKS = 2  # named beside the pointer; the tip names all
_LEAST_BESIDE_SPECTRUM = 64  # of the answer: with less room its spectrum gives way
AnyRow = Row | SpectrumRow


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen range as drawn: its lane, its seconds, whether it loops."""

    lane: Lane
    range_s: Range
    loops: bool


@dataclass(frozen=True, slots=True)
class Hover:
    """Where the pointer is: a pixel, its second, and the row under it, if any."""

    x: float
    second: float
    row: AnyRow | None
    y: float = 0.0


class Canvas(QWidget):
    """Draws the rows over one ``view`` of time; knows nothing of keys, mouse or player.

    Below the last row stands its spectrum, where one is given, it is shown and has room.

    Signals:
        view_changed: other seconds are on screen.
        laid_out: the rows have other places.
    """

    view_changed, laid_out = Signal(), Signal()

    def __init__(self, rows: tuple[Row, ...], parent: QWidget, spectrum: SpectrumRow | None = None) -> None:
        super().__init__(parent)
        self.rows = rows
        self.spectrum = spectrum
        self._drawn: tuple[AnyRow, ...] = rows
        self.view = TimeView()
        self.gap: tuple[float, float] | None = None  # end of question, first sound
        self._chosen: Chosen | None = None
        self._spot: Spot | None = None
        self._hover: Hover | None = None
        self._has_ring = False
        self._ruler = Ruler()
        self._axis = width("dbfs_axis")
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        spectrum = self._spectrum_height() if self.spectrum is not None and self.spectrum.is_shown else 0
        return QSize(640, self._fixed_height() + height("lane_answer") + spectrum)

    def minimumSizeHint(self) -> QSize:
        return QSize(160, height("ruler") + _LEAST_QUESTION + 1 + _LEAST_ANSWER)

    @property
    def plot_width(self) -> float:
        """Pixels of the time line; right of it stand the levels."""
        return float(max(1, self.width() - self._axis))

    @property
    def chosen(self) -> Chosen | None:
        """The range that is drawn as chosen."""
        return self._chosen

    def set_view(self, view: TimeView) -> None:
        """Show other seconds."""
        view = view.of_width(self.plot_width)
        if view != self.view:
            self.view = view
            self.update()
            self.view_changed.emit()

    def set_chosen(self, chosen: Chosen | None) -> None:
        """Draw another range as chosen, or none."""
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    def set_playhead(self, spot: Spot | None) -> None:
        """Move the playhead; only the two strips that it leaves and enters are painted again."""
        before, self._spot = self._spot, spot
        places = [self._playhead_x(one) for one in (before, spot)]
        same_lane = before is not None and spot is not None and before.lane == spot.lane
        if same_lane and places[0] == places[1]:
            return
        for x in places:
            if x is not None and -_STRIP <= x <= self.plot_width + _STRIP:
                self.update(QRect(int(x) - _STRIP, 0, 2 * _STRIP + 1, self.height()))

    def set_hover(self, hover: Hover | None) -> None:
        """Show the time and the level under the pointer, or nothing."""
        for one in (self._hover, hover):
            if one is not None:
                wide = _HOVER_WIDE + 8
                self.update(QRect(int(one.x) - wide, 0, 2 * wide, self.height()))
        self._hover = hover

    def set_ringed(self, has_focus: bool) -> None:
        """Show the ring of the focus, or not."""
        self._has_ring = has_focus
        self.update()

    @property
    def drawn(self) -> tuple[AnyRow, ...]:
        """The rows that have a place now, from above."""
        return self._drawn

    def row_at(self, y: float) -> AnyRow | None:
        """The row under a pixel; None for the ruler and what is between."""
        return next((row for row in self._drawn if row.top <= y < row.top + row.height), None)

    def comfortable_height(self) -> int:
        """Pixels that let every row be shown."""
        spectrum = self._spectrum_height() if self.spectrum is not None and self.spectrum.is_shown else 0
        return self._fixed_height() + _LEAST_BESIDE_SPECTRUM + spectrum

    def lay_out(self) -> None:
        """Give each row its place: the question and the spectrum their own height, the answer what is left."""
        has_spectrum = self.spectrum is not None and self.spectrum.is_shown
        has_spectrum = has_spectrum and self.height() >= self.comfortable_height()
        below = self._spectrum_height() if has_spectrum else 0
        top = height("ruler")
        for row in self.rows:
            row.top = top
            is_last = row is self.rows[-1]
            row.height = max(1, self.height() - top - below) if is_last else self._question_height()
            top += row.height + 1
        self._drawn = self.rows
        if self.spectrum is not None and has_spectrum:
            self.spectrum.top, self.spectrum.height = top, height("lane_spectrum")
            self._drawn = (*self.rows, self.spectrum)
        self.set_view(self.view)
        self.update()
        self.laid_out.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.lay_out()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._ruler.forget()
            self.update()
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        dirty = event.rect()
        self._paint_ground(painter, dirty)
        self._paint_chosen(painter)
        for row in self._drawn:
            painter.save()
            painter.setClipRect(QRectF(0, row.top, self.plot_width, row.height), Qt.ClipOperation.IntersectClip)
            row.paint(painter, self.view, self.devicePixelRatioF())
            painter.restore()
            row.paint_axis(painter, self.plot_width, self._axis)
        self._paint_over_spectrum(painter)
        self._paint_gap(painter)
        self._paint_playhead(painter)
        self._paint_hover(painter)
        if self._has_ring:
            paint_focus(painter, QRectF(0, 0, self.plot_width, self.height()), 0)

    def _paint_ground(self, painter: QPainter, dirty: QRect) -> None:
        colour = theme().color
        plot, ruler = int(self.plot_width), height("ruler")
        painter.fillRect(dirty, colour("surface.panel"))
        painter.fillRect(QRect(0, 0, plot, self.height()), colour("surface.lane"))
        if (chosen := self._chosen) is not None:
            top, high = self._extent(chosen.lane)
            left, right = (self.view.x(second) for second in chosen.range_s)
            tint = QRectF(left, top, right - left, high).intersected(QRectF(0, 0, plot, self.height()))
            painter.fillRect(tint, colour("audio.loop_fill"))
        self._ruler.paint(painter, self.view, dirty, QRectF(0, 0, self.plot_width, self.height()))
        painter.fillRect(QRect(0, ruler - 1, plot, 1), colour("surface.line"))
        for above in self._drawn[:-1]:
            painter.fillRect(QRect(0, above.top + above.height, self.width(), 1), colour("surface.line"))

    def _paint_over_spectrum(self, painter: QPainter) -> None:
        """The chosen range over the spectrum, which covers its ground."""
        chosen, spectrum = self._chosen, self._drawn[-1]
        if chosen is None or not isinstance(spectrum, SpectrumRow) or chosen.lane != spectrum.lane:
            return
        left, right = (self.view.x(second) for second in chosen.range_s)
        lane = QRectF(0, spectrum.top, self.plot_width, spectrum.height)
        painter.fillRect(
            QRectF(left, spectrum.top, right - left, spectrum.height).intersected(lane),
            theme().color("audio.loop_fill"),
        )
        for x, inwards in ((left, 1), (right, -1)):
            if -1 <= x <= self.plot_width:
                edge = QRectF(round(x) - (inwards < 0), spectrum.top, line("loop"), spectrum.height)
                painter.fillRect(edge, theme().color("audio.loop" if chosen.loops else "surface.control_edge"))

    def _extent(self, lane: Lane) -> tuple[int, int]:
        """Top and height of all that is drawn of a lane; of the last row for one that is not there."""
        rows = [row for row in self._drawn if row.lane == lane] or [self.rows[-1]]
        return rows[0].top, rows[-1].top + rows[-1].height - rows[0].top

    def _paint_gap(self, painter: QPainter) -> None:
        """The wait between the end of the question and the first sound, on the question's lane."""
        row = self.rows[0]
        if self.gap is None or row.clip is None or row.error is not None:
            return
        colour = theme().color
        painter.save()
        painter.setClipRect(QRectF(0, row.top, self.plot_width, row.height), Qt.ClipOperation.IntersectClip)
        left, right = (round(self.view.x(second)) + 0.5 for second in self.gap)
        middle, half = row.top + row.height / 2, row.height * 0.3
        painter.setPen(QPen(colour("audio.question_rms"), 1))
        painter.drawLine(QPointF(left, middle - half), QPointF(left, middle + half))
        painter.setPen(QPen(colour("text.tertiary"), 1))
        painter.drawLine(QPointF(left, middle), QPointF(right - 5, middle))
        if right - left > 14:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for side in (-4, 4):
                painter.drawLine(QPointF(right - 11, middle + side), QPointF(right - 5, middle))
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(colour("surface.control_edge"), 1))
        painter.drawLine(QPointF(right, middle - half), QPointF(right, middle + half))
        self._paint_gap_words(painter, QRectF(right + 10, middle - 17, self.plot_width - right - 14, 34))
        painter.restore()

    def _paint_gap_words(self, painter: QPainter, room: QRectF) -> None:
        assert self.gap is not None
        if room.width() < 48 or room.left() < 0:
            return
        seconds = words.text("player.lane.gap", seconds=f"{self.gap[1] - self.gap[0]:.2f}")
        upper = QRectF(room.left(), room.top(), room.width(), room.height() / 2)
        paint_text(painter, upper, seconds, font("table", weight=600), theme().color("text.primary"))
        lower = upper.translated(0, room.height() / 2 - 1)
        paint_text(painter, lower, words.text("player.lane.gap_note"), font("small"), theme().color("text.tertiary"))

    def _paint_chosen(self, painter: QPainter) -> None:
        if (chosen := self._chosen) is None:
            return
        colour = theme().color("audio.loop" if chosen.loops else "surface.control_edge")
        row = next((row for row in self.rows if row.lane == chosen.lane), self.rows[-1])
        left, right = (self.view.x(second) for second in chosen.range_s)
        band = QColor(colour)
        band.setAlphaF(0.35)
        visible = QRectF(max(0.0, left), 0, min(right, self.plot_width) - max(0.0, left), _BAND)
        if visible.width() > 0:
            painter.fillRect(visible, band)
        for x, inwards in ((left, 1), (right, -1)):
            if -1 <= x <= self.plot_width:
                painter.fillRect(QRectF(round(x) - (inwards < 0), row.top, line("loop"), row.height), colour)
                self._paint_bracket(painter, x, inwards, colour)

    def _paint_bracket(self, painter: QPainter, x: float, inwards: int, colour: QColor) -> None:
        low = height("ruler") - 1
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        wide = 7 * inwards
        corners = ((0, 0), (wide, 0), (wide, low - 7), (0, low))
        painter.drawPolygon(QPolygonF([QPointF(x + dx, dy) for dx, dy in corners]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_playhead(self, painter: QPainter) -> None:
        x = self._playhead_x(self._spot)
        if x is None or self._spot is None or not -1 <= x <= self.plot_width + 1:
            return
        ink, ruler = theme().color("audio.playhead"), height("ruler")
        top, high = self._extent(self._spot.lane)
        painter.fillRect(QRectF(x, top, line("playhead"), high), ink)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        corners = ((-5, ruler - 10), (6, ruler - 10), (6, ruler - 5), (0.5, ruler), (-5, ruler - 5))
        painter.drawPolygon(QPolygonF([QPointF(x + dx, dy) for dx, dy in corners]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)

    def _paint_hover(self, painter: QPainter) -> None:
        if (hover := self._hover) is None:
            return
        colour = theme().color
        painter.fillRect(QRectF(round(hover.x), height("ruler"), 1, self.height()), colour("surface.control_edge"))
        text = self._hover_text(hover)
        face = font("axis", "mono")
        painter.setFont(face)
        wide = painter.fontMetrics().horizontalAdvance(text) + 10
        left = hover.x + 5 if hover.x + 5 + wide <= self.plot_width else hover.x - 5 - wide
        row = hover.row or self.rows[0]
        box = QRectF(max(left, 0.0), row.top + row.height - _HOVER_HIGH - 3, wide, _HOVER_HIGH)
        paint_box(painter, box, 3, colour("surface.raised"), colour("surface.line_strong"))
        paint_text(painter, box.adjusted(5, 0, -4, 0), text, face, colour("text.primary"))

    def _hover_text(self, hover: Hover) -> str:
        ratio = self.devicePixelRatioF()
        told = "" if hover.row is None else hover.row.told_at(hover.x, hover.y, ratio, hover.second)
        marks = [mark.label for mark in marks_at(hover.row, hover.second)] if hover.row is not None else []
        return "  ".join(part for part in (time_text(hover.second), told, *marks[:_MOST_MARKS]) if part)

    def event(self, event: QEvent) -> bool:
        """The tip of what is marked under the pointer, with all kinds of marks of its lane below."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            row = self.row_at(event.pos().y())
            here = [] if row is None else marks_at(row, self.view.second(event.pos().x()))
            if row is not None and here:
                told = [mark.told() for mark in here] + ["", *legend_of(marks_of(row))]
                QToolTip.showText(event.globalPos(), tip_text("\n".join(told)), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _playhead_x(self, spot: Spot | None) -> float | None:
        """Where the playhead is drawn, in whole pixels of the screen."""
        ratio = self.devicePixelRatioF()
        return None if spot is None else math.floor(self.view.x(spot.position_s) * ratio) / ratio

    def _fixed_height(self) -> int:
        return height("ruler") + sum(height("lane_question") + 1 for _ in self.rows[:-1])

    def _question_height(self) -> int:
        """Its own height, or what the least answer leaves of it; its name stays to be read."""
        left = self.height() - height("ruler") - 1 - _LEAST_ANSWER
        return max(_LEAST_QUESTION, min(height("lane_question"), left))

    def _spectrum_height(self) -> int:
        return height("lane_spectrum") + 1
