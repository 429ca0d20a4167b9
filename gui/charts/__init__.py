"""Two charts on pyqtgraph, which is imported when the first is drawn, or before that by the job ``warm``."""

from gui.charts.histogram import Histogram
from gui.charts.legend import Legend
from gui.charts.time_chart import Event, Series, TimeChart
from gui.charts.warmth import warm

__all__ = ["Event", "Histogram", "Legend", "Series", "TimeChart", "warm"]
