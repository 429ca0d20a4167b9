"""Values over time: lines, a tinted ground, and what happened when."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from gui.charts.plot import MARKS, Plot
from gui.charts.style import Event, Series, dashed_pen, pen_of, round_ticks, thinned, time_ticks
from gui.strings import words
from gui.theme import font, theme
from gui.widgets import shown_text

__all__ = ["Event", "Series", "TimeChart"]

_LABEL_EVERY = 96
_MARK_SIZE = 8
MOST_POINTS = 600
"""More than that on a line cost paint time and show nothing more."""


class TimeChart(Plot):
    """Lines over seconds since the epoch, labelled in local time; the y axis begins at 0."""

    def __init__(self, name: str = "", end_text: str = "", parent: QWidget | None = None) -> None:
        """``end_text`` stands at the right end of the axis in place of a time, e.g. *now*."""
        super().__init__(parent)
        self._name, self._end_text = name, end_text
        self._series: tuple[Series, ...] = ()
        self._events: tuple[Event, ...] = ()
        self._top: float | None = None
        self._describe()

    def set_series(self, series: Sequence[Series], events: Sequence[Event] = (), top: float | None = None) -> None:
        """Draw other lines; ``top`` fixes the height of the y axis."""
        self._series, self._events, self._top = tuple(series), tuple(events), top
        self._describe()
        self._redraw()
        self.update()

    def set_name(self, name: str, end_text: str = "") -> None:
        """Name it in the language of now."""
        self._name, self._end_text = name, end_text
        self._describe()
        self._redraw()

    def has_data(self) -> bool:
        return any(len(one.x) > 1 for one in self._series)

    def _draw(self, item: Any) -> None:
        start, end = self._span()
        ticks = round_ticks(self._highest())
        item.setXRange(start, end, padding=0)
        item.setYRange(0, ticks[-1], padding=0.02)
        self._rule(item, ticks)
        item.getAxis("bottom").setTicks([self._moments(start, end)])
        for one in self._series:
            self._draw_line(item, one)
        for event in self._events:
            if start <= event.x <= end:
                self._draw_event(item, event, ticks[-1], start + (end - start) * 0.6)

    def _draw_line(self, item: Any, one: Series) -> None:
        import pyqtgraph

        x, y = thinned(one.x, one.y, MOST_POINTS)
        if one.step:
            x, y = _stepped(x, y)
        tint: QColor | None = theme().color("accent.tint") if one.area else None
        mark = MARKS[one.mark] if one.mark else None
        curve = pyqtgraph.PlotDataItem(
            x,
            y,
            pen=pen_of(one),
            connect="finite",
            antialias=True,
            fillLevel=0.0 if one.area else None,
            fillBrush=tint,
            symbol=mark,
            symbolSize=_MARK_SIZE,
            symbolBrush=theme().color(one.colour),
            symbolPen=None,
        )
        curve.setZValue(0 if one.area else 1)
        item.addItem(curve)

    def _draw_event(self, item: Any, event: Event, top: float, middle: float) -> None:
        import pyqtgraph

        rust = theme().color("verdict.fail")
        item.addItem(pyqtgraph.InfiniteLine(event.x, angle=90, pen=dashed_pen(rust, 1.0, "2 2")))
        words_at = pyqtgraph.TextItem(
            shown_text(event.text, 60),
            color=theme().color("text.primary"),
            fill=theme().color("surface.panel"),
            anchor=(0 if event.x < middle else 1, 1),
        )
        words_at.setFont(font("axis"))
        words_at.setPos(event.x, top * 0.04)
        words_at.setZValue(3)
        item.addItem(words_at)

    def _moments(self, start: float, end: float) -> list[tuple[float, str]]:
        room = max(self.width() // _LABEL_EVERY, 1)
        offset = datetime.fromtimestamp(end).astimezone().utcoffset()
        places = time_ticks(start, end, room, offset.total_seconds() if offset else 0.0)
        say = _clock_text(places)
        margin = (end - start) / max(room, 1) * 0.5
        found = [(place, say(place)) for place in places if not self._end_text or place < end - margin]
        return [*found, (end, self._end_text)] if self._end_text else found

    def _span(self) -> tuple[float, float]:
        places = [float(x) for one in self._series for x in (one.x[0], one.x[-1]) if len(one.x)]
        return min(places), max(places)

    def _highest(self) -> float:
        if self._top is not None:
            return self._top
        return max((float(y) for one in self._series for y in one.y if math.isfinite(y)), default=1.0)

    def _describe(self) -> None:
        self.setAccessibleName(self._name)
        parts = [words.text("widgets.chart.points", name=one.name, count=len(one.x)) for one in self._series]
        self.setAccessibleDescription("; ".join([*parts, *(event.text for event in self._events)]))


def _stepped(x: list[float], y: list[float]) -> tuple[list[float], list[float]]:
    """Corners of a line that holds each value until the next."""
    steps = [(place, value) for place, value in zip(x, y)]
    corners = steps[:1]
    for before, here in pairwise(steps):
        corners += [(here[0], before[1]), here]
    return [place for place, _ in corners], [value for _, value in corners]


def _clock_text(places: Sequence[float]) -> Callable[[float], str]:
    needs_seconds = any(place % 60 for place in places)
    form = "%H:%M:%S" if needs_seconds else "%H:%M"
    return lambda place: datetime.fromtimestamp(place).strftime(form)
