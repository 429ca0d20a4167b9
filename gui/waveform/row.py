"""One lane as it is drawn: what is known of its recording, and the picture of what is on screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QPainter, QPen

from engine.errors import EngineError
from engine.speech.curves import Curves
from gui.player.clip import Clip, Lane
from gui.strings import words
from gui.theme import font, theme
from gui.waveform.curve_paint import KINDS, CurveKind, curve_told, paint_curves
from gui.waveform.load import Outline
from gui.waveform.outline import Columns, Inks, columns_of, picture
from gui.waveform.spans import BAR_HEIGHT, BAR_TOP, MismatchSpan, paint_spans
from gui.waveform.stretches import Stretch, paint_stretches
from gui.waveform.tagged import TaggedSpan, paint_tagged
from gui.waveform.ticks import decibel_text
from gui.waveform.view import TimeView
from gui.widgets import paint_text

#: Levels with a dotted line, in dBFS.
LINES_DBFS = (-6.0, -18.0)
_HEADROOM = 2  # pixels that a sample at full scale leaves at each edge
_AXIS_GAP = 8


class Row:
    """A lane of a canvas, between ``top`` and ``top + height``.

    The picture of the outline is kept until the window of time, the size, the theme or the screen's pixels change.
    """

    def __init__(self, lane: Lane, *, has_lines: bool) -> None:
        self.lane = lane
        self.top, self.height = 0, 0
        self.clip: Clip | None = None
        self.outline: Outline | None = None
        self.error: EngineError | None = None
        self.is_reading = False
        self.spans: tuple[MismatchSpan, ...] = ()
        self.tagged: tuple[TaggedSpan, ...] = ()
        self.stretches: tuple[Stretch, ...] = ()
        self.curves: Curves | None = None
        self.shown_curves: frozenset[CurveKind] = frozenset()
        self.is_curve_awaited = False
        self._has_lines = has_lines
        self._key: tuple[Any, ...] = ()
        self._tile: QImage | None = None
        self._columns: Columns | None = None

    def show(self, clip: Clip | None, spans: Sequence[MismatchSpan]) -> None:
        """Take another recording, not read yet."""
        self.clip, self.outline, self.error = clip, None, None
        self._columns = None
        self.stretches, self.curves = (), None
        self.mark(spans)

    def mark(self, spans: Sequence[MismatchSpan], stretches: Sequence[Stretch] | None = None) -> None:
        """Show other spans, and other stretches where these are given."""
        self.spans = tuple(spans)
        if stretches is not None:
            self.stretches = tuple(stretches)
        self._tile, self._key = None, ()

    def mark_tags(self, tagged: Sequence[TaggedSpan]) -> None:
        """Show other tags of the same recording."""
        self.tagged = tuple(tagged)
        self._tile, self._key = None, ()

    def show_curves(self, curves: Curves | None, shown: frozenset[CurveKind]) -> None:
        """Draw these curves of the recording, or none."""
        self.curves, self.shown_curves = curves, shown
        self._tile, self._key = None, ()

    @property
    def has_curves(self) -> bool:
        """Whether pitch and energy may be drawn over it."""
        return self._has_lines

    @property
    def duration_s(self) -> float:
        """Seconds of the recording as far as known."""
        if self.outline is not None:
            return self.outline.duration_s
        return (self.clip.duration_s or 0.0) if self.clip else 0.0

    def peak_at(self, x: float, ratio: float) -> float | None:
        """The largest magnitude drawn at a pixel; None where nothing is."""
        return None if self._columns is None else self._columns.peak(int(x * ratio))

    def told_at(self, x: float, y: float, ratio: float, second: float = 0.0) -> str:
        """The level under a pixel, and the values of the curves there."""
        peak = self.peak_at(x, ratio)
        if peak is None:
            return ""
        told = [f"{decibel_text(20 * math.log10(peak) if peak > 0 else -math.inf)} dBFS"]
        if self.curves is not None:
            told += [curve_told(self.curves, kind, second) for kind in KINDS if kind in self.shown_curves]
        return "  ".join(filter(None, told))

    def paint(self, painter: QPainter, view: TimeView, ratio: float) -> None:
        """Draw the outline, its lines and its spans; the ground is there already."""
        area = QRectF(0, self.top, view.width, self.height)
        sentence = self._sentence()
        if sentence:
            self._paint_sentence(painter, area, sentence)
            return
        if self.outline is None:
            return
        key = (theme().name, ratio, view, self.height, id(self.outline), words.language)
        if key != self._key or self._tile is None:
            self._tile, self._key = self._draw(view, ratio), key
        painter.drawImage(QPointF(0, self.top), self._tile)
        if self.is_curve_awaited:
            box = QRectF(6, self.top + self.height - 30, 200, 14)
            paint_text(painter, box, words.text("player.curves.awaited"), font("axis"), theme().color("text.tertiary"))

    def paint_axis(self, painter: QPainter, left: float, width: float) -> None:
        """Write the levels of the dotted lines beside the lane."""
        if not self._has_lines or self.outline is None:
            return
        painter.setFont(font("axis"))
        painter.setPen(theme().color("text.tertiary"))
        room = painter.fontMetrics().height()
        last = -float(room)
        for dbfs in LINES_DBFS:
            y = self._middle() - _ratio(dbfs) * self._scale()
            if y - last >= room - 2:
                box = QRectF(left + _AXIS_GAP, y - room / 2, width - _AXIS_GAP, room)
                painter.drawText(box, int(Qt.AlignmentFlag.AlignVCenter), decibel_text(dbfs, 0))
                last = y

    def _draw(self, view: TimeView, ratio: float) -> QImage:
        assert self.outline is not None
        wide, high = max(1, round(view.width * ratio)), max(1, round(self._wave_height() * ratio))
        self._columns = columns_of(self.outline.pyramid, self.outline.samples, view.start_s, view.end_s, wide)
        above = max(1, round(self.height * ratio)) - high
        tile = picture(self._columns, high, self._scale() * ratio, self._inks(), above)
        tile.setDevicePixelRatio(ratio)
        painter = QPainter(tile)
        if self._has_lines:
            self._paint_lines(painter, view.width)
        lane = QRectF(0, 0, view.width, self.height)
        if self.curves is not None and self.shown_curves:
            wave = QRectF(0, self.height - self._wave_height(), view.width, self._wave_height())
            paint_curves(painter, self.curves, self.shown_curves, view, wave, ratio)
        paint_stretches(painter, self.stretches, view, lane)
        paint_spans(painter, self.spans, view, lane)
        paint_tagged(painter, self.tagged, view, QRectF(0, 0, view.width, self.height))
        painter.end()
        return tile

    def _paint_lines(self, painter: QPainter, width: float) -> None:
        pen = QPen(theme().color("surface.line_strong"), 1)
        pen.setDashPattern([1.0, 4.0])
        painter.setPen(pen)
        for dbfs in LINES_DBFS:
            for side in (-1, 1):
                y = round(self._middle() - self.top + side * _ratio(dbfs) * self._scale()) + 0.5
                painter.drawLine(QPointF(0, y), QPointF(width, y))

    def _inks(self) -> Inks:
        colour = theme().color
        return Inks(
            colour(f"audio.{self.lane}"),
            colour(f"audio.{self.lane}_rms"),
            colour("audio.clip"),
            colour("state.failed"),
        )

    def _sentence(self) -> str:
        if self.error is not None:
            return words.error(self.error)
        if self.clip is None:
            return words.text("player.lane.none")
        return words.text("player.lane.reading") if self.is_reading and self.outline is None else ""

    def _paint_sentence(self, painter: QPainter, area: QRectF, sentence: str) -> None:
        painter.setFont(QFont(font("small")))
        painter.setPen(theme().color("verdict.fail" if self.error else "text.tertiary"))
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        painter.drawText(area.adjusted(12, 2, -12, -2), int(flags), sentence)

    def _wave_height(self) -> float:
        """Without the room of the bars over it."""
        return self.height - (BAR_TOP + BAR_HEIGHT if self._has_lines else 0)

    def _middle(self) -> float:
        return self.top + self.height - self._wave_height() / 2

    def _scale(self) -> float:
        return self._wave_height() / 2 - _HEADROOM


def _ratio(dbfs: float) -> float:
    return float(10 ** (dbfs / 20))
