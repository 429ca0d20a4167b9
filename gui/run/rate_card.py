"""How fast a run goes, and how many requests it dares to make at once."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from engine.runs.told import RatePoint, RunState
from gui.charts import Event, Legend, Series, TimeChart
from gui.run import wording
from gui.widgets import Card

WINDOW_S = 360.0
_HEIGHT = 256
_BIN_S = 3.0
_SMOOTH_S = 5.0  # a recogniser's results come in bursts
_AT_ONCE_SHARE = 0.85  # of the chart's height: the line has no axis of its own, its range stands in the legend


class RateCard(Card):
    """The last minutes as a line; moments at which the endpoint pushed back as dotted lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._legend = Legend()
        self.head.insertWidget(1, self._legend)
        self.chart = TimeChart()
        self.chart.setMinimumHeight(120)
        self.body.addWidget(self.chart, 1)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), _HEIGHT)

    def show_run(self, state: RunState) -> None:
        """Show the last minutes of this run, or of its end."""
        self.set_title(wording.say("rate.title"))
        points = _recent(state.points)
        series = self._series(state, points)
        self.set_note(wording.say("rate.window", time=wording.duration(points[-1].at - points[0].at)) if points else "")
        self._legend.set_series(series)
        self.chart.say_none("" if state.is_going else wording.say("rate.too_short"))
        marks = [Event(_seconds(line.at), wording.pushed_back(line.values)) for line in state.marks]
        self.chart.set_name(wording.say("rate.title"), wording.say("time.now") if state.is_going else "")
        self.chart.set_series(series, [mark for mark in marks if points and mark.x >= points[0].at])

    def _series(self, state: RunState, points: list[RatePoint]) -> list[Series]:
        if len(points) < 2:
            return []
        phase = state.step.phase.name if state.step else ""
        x, y = [point.at for point in points], [point.rate for point in points]
        found = [Series(wording.unit(phase), x, y, area=True)]
        if state.at_once_range[1] and any(point.at_once for point in points):
            scale = max([*y, 1e-9]) * _AT_ONCE_SHARE / state.at_once_range[1]
            name = wording.say("rate.at_once", least=state.at_once_range[0], most=state.at_once_range[1])
            heights = [point.at_once * scale for point in points]
            found.append(Series(name, x, heights, colour="verdict.fail", dash="6 3", step=True))
        return found


def _recent(points: tuple[RatePoint, ...]) -> list[RatePoint]:
    """The points of the last minutes, a few seconds drawn together."""
    if not points:
        return []
    recent = _smooth([point for point in points if point.at >= points[-1].at - WINDOW_S])
    if len(recent) < 40:
        return recent
    drawn = []
    for _, several in groupby(recent, key=lambda point: int(point.at / _BIN_S)):
        group = list(several)
        mean = sum(point.rate for point in group) / len(group)
        drawn.append(RatePoint(group[-1].at, mean, group[-1].at_once))
    return drawn


def _smooth(points: list[RatePoint]) -> list[RatePoint]:
    """Each rate as the mean of the last seconds."""
    smooth, first, total = [], 0, 0.0
    for place, point in enumerate(points):
        total += point.rate
        while points[first].at < point.at - _SMOOTH_S:
            total -= points[first].rate
            first += 1
        smooth.append(RatePoint(point.at, max(total, 0.0) / (place - first + 1), point.at_once))
    return smooth


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()
