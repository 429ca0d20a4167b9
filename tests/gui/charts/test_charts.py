"""Two charts: what they say, what they draw, and that their import never holds up the window."""

import math
import subprocess
import sys
import threading

import pytest
from PySide6.QtWidgets import QApplication

from gui.charts import Event, Histogram, Legend, Series, TimeChart, warm
from gui.charts.style import round_ticks, thinned, tick_text, time_ticks
from gui.charts.warmth import Warmth, warmth
from gui.strings import words
from gui.theme import set_theme, theme


@pytest.mark.parametrize(
    ("top", "ticks"),
    [
        (14.2, [0, 5, 10, 15]),
        (1.0, [0, 0.25, 0.5, 0.75, 1.0]),
        (0.0, [0, 1]),
        (math.nan, [0, 1]),
        (40, [0, 10, 20, 30, 40]),
        (100_000, [0, 25_000, 50_000, 75_000, 100_000]),
    ],
)
def test_value_ticks_are_round_and_reach_the_top(top, ticks):
    assert round_ticks(top) == ticks


@pytest.mark.parametrize(("start", "end", "most"), [(0, 10, 5), (100, 460, 4), (0, 86_400 * 30, 6), (5, 5, 3)])
def test_time_ticks_lie_inside_and_are_no_more_than_there_is_room_for(start, end, most):
    ticks = time_ticks(start, end, most)
    assert len(ticks) <= most + 1
    assert all(start <= tick <= end for tick in ticks)


def test_time_ticks_are_round_in_local_time():
    assert time_ticks(0.0, 7_200.0, 2, offset_s=19_800.0) == [1_800.0, 5_400.0]  # UTC+5:30: at half past by UTC


def test_a_long_line_keeps_its_highest_and_lowest_points():
    y = [math.sin(place / 40) for place in range(50_000)]
    y[31_415], y[27_182] = 9.0, -9.0
    kept_x, kept_y = thinned(range(50_000), y, 600)
    assert len(kept_x) <= 600
    assert (max(kept_y), min(kept_y)) == (9.0, -9.0)
    assert kept_x == sorted(kept_x)


def test_a_gap_in_a_long_line_stays():
    _, kept = thinned(range(10_000), [math.nan if 2_000 < x < 6_000 else 1.0 for x in range(10_000)], 600)
    assert any(math.isnan(value) for value in kept)


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (2_500, "2,500"), (0.25, "0.25"), (-3.0, "−3")])
def test_ticks_are_written_with_the_real_minus(value, text):
    assert tick_text(value) == text


@pytest.fixture
def rate(qtbot):
    chart = TimeChart("Rate", "now")
    qtbot.addWidget(chart)
    chart.resize(500, 220)
    chart.show()
    line = Series("judgements / s", range(60), [10 + math.sin(x) for x in range(60)], area=True)
    limit = Series("at once", range(60), [18 if x < 30 else 9 for x in range(60)], "series.1", "6 3", step=True)
    chart.set_series([line, limit], [Event(30, "endpoint said 429")])
    return chart


def colours_of(widget) -> set[str]:
    for _ in range(2):  # Qt posts a change of palette; a chart draws anew a turn after it was asked to
        QApplication.processEvents()
    picture = widget.grab().toImage()
    return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}


def test_a_chart_draws_its_lines_in_the_colours_of_the_theme_and_follows_it(rate):
    for name in ("light", "dark"):
        set_theme(name)
        seen = colours_of(rate)
        for path in ("surface.panel", "accent.tint", "surface.line"):
            assert theme().color(path).name() in seen


def test_a_chart_says_what_it_shows(rate):
    assert rate.accessibleName() == "Rate"
    assert rate.accessibleDescription() == "judgements / s: 60 points; at once: 60 points; endpoint said 429"


def test_a_chart_survives_gaps_odd_values_and_no_data(rate):
    rate.set_series([Series("gaps", range(5), [1, math.nan, math.inf, 2, -1], mark="diamond")])
    rate.grab()
    rate.set_series([])
    assert not rate.has_data()
    rate.grab()
    rate.set_series([Series("one", [1.0], [2.0])])
    rate.grab()
    rate.set_series([Series("flat", [1.0, 1.0], [0.0, 0.0])], [Event(1.0, "x" * 9_000)])
    rate.grab()


def test_an_empty_chart_says_so_in_the_language_of_now(qtbot):
    chart = TimeChart("Rate")
    qtbot.addWidget(chart)
    chart.show()
    before = chart.grab().toImage()
    words.use("zh")
    assert chart.grab().toImage() != before


def test_a_histogram_writes_the_share_beyond_its_threshold(qtbot):
    histogram = Histogram("Length", "s")
    qtbot.addWidget(histogram)
    histogram.resize(400, 200)
    histogram.show()
    histogram.set_bins([0, 10, 20, 30, 40], [5, 20, 10, 3], 30, 3 / 38)
    assert histogram.share_text() == "7.9 % over 30 s"
    assert histogram.accessibleDescription() == "Length: 38 points; 7.9 % over 30 s"
    assert theme().color("audio.answer").name() in colours_of(histogram)
    histogram.set_bins([0, 1], [0])
    assert not histogram.has_data()
    histogram.grab()


def test_a_legend_names_each_line_and_gives_way(qtbot):
    legend = Legend([Series("a", (), ()), Series("b" * 5_000, (), ())])
    qtbot.addWidget(legend)
    assert legend.accessibleName().startswith("a, b")
    assert legend.minimumSizeHint().width() < 50
    legend.resize(120, 20)
    legend.grab()


def test_a_chart_shown_while_it_is_warmed_waits_and_then_appears(qtbot, monkeypatch, jobs):
    state = Warmth()
    state.is_done = False
    monkeypatch.setattr("gui.charts.warmth._warmth", [state])
    gate = threading.Event()
    work = warm()

    def held():
        gate.wait(5)
        yield from work

    chart = TimeChart("Rate")
    qtbot.addWidget(chart)
    chart.show()
    chart.set_series([Series("a", [0, 1], [0, 1])])
    assert chart._plot is None
    job = jobs.run(held())
    with qtbot.waitSignal(job.finished):
        gate.set()
    qtbot.waitUntil(lambda: chart._plot is not None)
    assert state.is_done


def test_nobody_loads_pyqtgraph_before_a_chart_is_drawn():
    code = "import sys, gui.widgets, gui.charts, gui.gallery.page; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_import_on_another_thread_leaves_no_qt_object_there():
    code = """
import gc, os, sys, threading
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtCore import QObject, qInstallMessageHandler
from PySide6.QtWidgets import QApplication
app = QApplication([])
said = []
qInstallMessageHandler(lambda kind, context, text: said.append(text))
from gui.charts import TimeChart, Series, warm
work = warm()
thread = threading.Thread(target=lambda: list(work))
thread.start()
thread.join()
app.processEvents()
strangers = [o for o in gc.get_objects() if isinstance(o, QObject) and o.thread() is not app.thread()]
chart = TimeChart("x")
chart.set_series([Series("a", [0, 1, 2], [0, 1, 2])])
chart.show()
app.processEvents()
chart.grab()
assert chart._plot is not None
said = [text for text in said if "propagateSizeHints" not in text]
sys.exit(f"{strangers} {said}" if strangers or said else 0)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_one_state_is_shared():
    assert warmth() is warmth()
