"""Values a chart is given, and the pens and ticks the look draws them with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPen

from gui.theme import line, theme

_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 21_600, 43_200, 86_400)


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a chart.

    Attributes:
        x: seconds, in rising order. y: as many values; NaN leaves a gap.
        colour: a colour of the tokens, or ``series.0`` to ``series.5`` for a system.
        dash: a dash of the tokens such as ``"6 3"``, or ``solid``.
        mark: a mark of the tokens such as ``diamond``, or none.
        area: whether the ground below is tinted.
        step: whether a value holds until the next.
    """

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str = "accent.base"
    dash: str = "solid"
    mark: str | None = None
    area: bool = False
    step: bool = False


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at ``x``, with a sentence."""

    x: float
    text: str


def pen_of(series: Series) -> QPen:
    """The pen of a line, cosmetic: its width does not grow with the axes."""
    return dashed_pen(theme().color(series.colour), line("curve"), series.dash)


def dashed_pen(colour: QColor, wide: float, dash: str = "solid") -> QPen:
    """A cosmetic pen with a dash of the tokens, whose lengths are pixels."""
    pen = QPen(colour, wide)
    pen.setCosmetic(True)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash != "solid":
        pen.setDashPattern([float(length) / wide for length in dash.split()])
    return pen


def round_ticks(top: float, most: int = 4) -> list[float]:
    """Round values from 0 to at least ``top``, at most ``most`` steps.

    >>> round_ticks(14.2)
    [0.0, 5.0, 10.0, 15.0]
    """
    if not math.isfinite(top) or top <= 0:
        return [0.0, 1.0]
    rough = top / most
    size = 10 ** math.floor(math.log10(rough))
    step = next(factor * size for factor in (1, 2, 2.5, 5, 10) if factor * size >= rough)
    return [round(float(place * step), 10) for place in range(math.ceil(top / step - 1e-9) + 1)]


def time_ticks(start_s: float, end_s: float, most: int, offset_s: float = 0.0) -> list[float]:
    """Round moments from ``start_s`` to ``end_s``, at most ``most``; ``offset_s`` is what local time is ahead.

    >>> time_ticks(3.0, 190.0, 4)
    [60.0, 120.0, 180.0]
    """
    span = max(end_s - start_s, 1e-9)
    step = next((step for step in _STEPS_S if span / step <= max(most, 1)), _STEPS_S[-1] * math.ceil(span / 8.64e4))
    first = math.ceil((start_s + offset_s) / step) * step - offset_s
    return [first + place * step for place in range(int((end_s - first) // step) + 1)] if first <= end_s else []


def thinned(x: Sequence[float], y: Sequence[float], most: int) -> tuple[list[float], list[float]]:
    """At most about ``most`` points that look the same: the lowest and the highest of each stretch, in their order.

    >>> thinned([0.0, 1.0, 2.0, 3.0], [5.0, 9.0, 1.0, 2.0], 2)
    ([1.0, 2.0], [9.0, 1.0])
    """
    if len(x) <= most:
        return list(map(float, x)), list(map(float, y))
    every = -(-2 * len(x) // most)
    kept: list[int] = []
    for first in range(0, len(x), every):
        stretch = [place for place in range(first, min(first + every, len(x))) if not math.isnan(y[place])]
        if stretch:
            kept += sorted({min(stretch, key=y.__getitem__), max(stretch, key=y.__getitem__)})
        else:
            kept.append(first)  # a gap stays a gap
    return [float(x[place]) for place in kept], [float(y[place]) for place in kept]


def tick_text(value: float) -> str:
    """A tick of a value axis, with thousands and the real minus sign.

    >>> tick_text(2500.0), tick_text(-0.5)
    ('2,500', '−0.5')
    """
    text = f"{value:,.0f}" if abs(value) >= 10 or value == int(value) else f"{value:g}"
    return text.replace("-", "\u2212")
