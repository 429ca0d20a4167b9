"""Pitch and energy as curves over a lane, each with its own axis: told apart by colour, by line and by their units."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from engine.speech.curves import HIGHEST_HZ, LOWEST_HZ, Curves
from gui.strings import words
from gui.theme import font, line, theme
from gui.waveform.ticks import decibel_text
from gui.waveform.view import TimeView
from gui.widgets import paint_text

CurveKind = Literal["pitch", "energy"]
KINDS: tuple[CurveKind, ...] = ("pitch", "energy")
_INKS: dict[CurveKind, int] = {"pitch": 0, "energy": 4}
_PITCHES_HZ = (400, 200, 100)
_LEVELS_DBFS = (-10.0, -30.0, -50.0)
_LOWEST_DBFS = -60.0
_LABEL = 13
_HALO = 1.5


def paint_curves(
    painter: QPainter, curves: Curves, shown: Collection[CurveKind], view: TimeView, lane: QRectF, ratio: float
) -> None:
    """Draw the shown curves of what is on screen; where there is no value there is no line."""
    drawn = [kind for kind in KINDS if kind in shown]
    for kind in drawn:
        _paint_curve(painter, _heights(kind, curves), curves.step_s, kind, view, lane, ratio)
    for kind in drawn:
        _paint_axis(painter, kind, lane)


def curve_told(curves: Curves, kind: CurveKind, second: float) -> str:
    """The value of a curve at a second, in words; empty where it has none."""
    values = curves.pitch_hz if kind == "pitch" else curves.energy_dbfs
    place = round(second / curves.step_s)
    if not 0 <= place < len(values) or not math.isfinite(values[place]):
        return ""
    value = f"{values[place]:.0f}" if kind == "pitch" else decibel_text(float(values[place]))
    return words.text(f"player.curves.{kind}_at", value=value)


def _heights(kind: CurveKind, curves: Curves) -> NDArray[np.float64]:
    """How far up its axis each value stands, 0 to 1; NaN where there is none."""
    if kind == "pitch":
        return _pitch_height(np.asarray(curves.pitch_hz, np.float64))
    return _energy_height(np.asarray(curves.energy_dbfs, np.float64))


def _pitch_height(hz: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithmic: an octave is as high everywhere."""
    return np.log(hz / LOWEST_HZ) / math.log(HIGHEST_HZ / LOWEST_HZ)


def _energy_height(dbfs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Linear in decibels; what is under the axis lies at its foot."""
    return np.maximum(dbfs, _LOWEST_DBFS) / -_LOWEST_DBFS + 1


def _paint_curve(
    painter: QPainter,
    heights: NDArray[np.float64],
    step_s: float,
    kind: CurveKind,
    view: TimeView,
    lane: QRectF,
    ratio: float,
) -> None:
    places, values = _on_screen(heights, step_s, view, ratio)
    runs = _runs(values)
    ink = theme().series(_INKS[kind])
    dashes = [4.0, 2.0] if kind == "energy" else []
    painter.save()
    painter.setClipRect(lane)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, wide, pattern in (
        (theme().color("surface.lane"), line("curve") + _HALO, []),
        (ink, line("curve"), dashes),
    ):
        pen = QPen(colour, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        if pattern:
            pen.setDashPattern(pattern)
        painter.setPen(pen)
        for first, end in runs:
            points = [
                QPointF(lane.left() + places[at], lane.bottom() - values[at] * lane.height())
                for at in range(first, end)
            ]
            if len(points) == 1:
                painter.drawPoint(points[0])
            else:
                painter.drawPolyline(QPolygonF(points))
    painter.restore()


def _on_screen(
    heights: NDArray[np.float64], step_s: float, view: TimeView, ratio: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixels and heights of what is on screen: the values, or the mean of those under a pixel where they are denser."""
    first = max(0, math.floor(view.start_s / step_s) - 1)
    end = min(len(heights), math.ceil(view.end_s / step_s) + 2)
    seconds = np.arange(first, end, dtype=np.float64) * step_s
    places = np.asarray((seconds - view.start_s) / view.span_s * view.width, np.float64)
    values = heights[first:end]
    if len(values) < 2 or view.width / view.span_s * step_s * ratio >= 1:
        return places, values
    columns = np.floor(places * ratio).astype(np.int64)
    there = np.isfinite(values)
    lowest = int(columns[0])
    count = np.bincount(columns[there] - lowest, minlength=int(columns[-1]) - lowest + 1)
    total = np.bincount(columns[there] - lowest, values[there], minlength=len(count))
    with np.errstate(invalid="ignore"):
        middles = np.asarray((np.arange(len(count)) + lowest + 0.5) / ratio, np.float64)
        return middles, total / count


def _runs(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Where values follow one another without a gap, as [first, end)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], np.isfinite(values), [False])).astype(np.int8)))
    return [(int(first), int(end)) for first, end in edges.reshape(-1, 2)]


def _paint_axis(painter: QPainter, kind: CurveKind, lane: QRectF) -> None:
    """Numbers at the left for pitch, at the right for energy, in the colour of the curve."""
    face, ink = font("axis", weight=600), theme().series(_INKS[kind])
    if kind == "pitch":
        marks = [(float(_pitch_height(np.array(float(hz)))), f"{hz} Hz") for hz in _PITCHES_HZ]
    else:
        marks = [(float(_energy_height(np.array(dbfs))), f"{decibel_text(dbfs, 0)} dB") for dbfs in _LEVELS_DBFS]
    last = -math.inf
    for height, text in marks:
        y = lane.bottom() - height * lane.height()
        if y - last < _LABEL or not lane.top() <= y - _LABEL / 2 <= lane.bottom() - _LABEL:
            continue
        wide = QFontMetricsF(face).horizontalAdvance(text) + 4
        left = lane.left() + 4 if kind == "pitch" else lane.right() - wide - 4
        _paint_number(painter, QRectF(left, y - _LABEL / 2, wide, _LABEL), text, ink)
        last = y


def _paint_number(painter: QPainter, box: QRectF, text: str, ink: QColor) -> None:
    painter.fillRect(box, theme().color("surface.lane"))
    paint_text(painter, box.adjusted(2, 0, 0, 0), text, font("axis", weight=600), ink)
