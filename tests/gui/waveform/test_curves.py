"""Pitch and energy over the answer: asked for, drawn, refused, and in nobody's way."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from engine.errors import EngineError
from engine.progress import Progress
from engine.speech.curves import Curves
from gui.strings import words
from gui.waveform.curve_loader import CurveLoader
from gui.waveform.curve_paint import curve_told

RATE = 16_000


class Reader:
    """Stands for the worker: gives a rising pitch with a gap in it, or an error."""

    def __init__(self):
        self.asked, self.error, self.closed = [], None, 0
        self.go = threading.Event()
        self.go.set()

    def read(self, path, workspace, sha256):
        self.asked.append(path.stem)
        while not self.go.wait(0.01):
            yield Progress(0, 1)
        if self.error is not None:
            raise self.error
        yield Progress(1, 1)
        pitch = np.linspace(100, 400, 400).astype(np.float32)
        pitch[100:200] = np.nan
        return Curves(0.01, pitch, np.full(400, -20, np.float32), "librosa 0")

    def close(self):
        self.closed += 1


@pytest.fixture
def reader(lanes, lane_services, qtbot):
    made = Reader()
    lanes.curves._reader = made
    return made


@pytest.fixture
def answer(lanes, recording, qtbot):
    """Show an answer of 4 s."""

    def show(name="a"):
        wave = 0.01 * np.sin(np.arange(4 * RATE) / 9)
        lanes.show_clips(None, recording(name, wave))
        qtbot.waitUntil(lambda: lanes.rows[-1].outline is not None)
        return lanes

    return show


def is_idle(lanes):
    return not lanes.curves.is_busy and lanes.curves._job is None


def inks(lanes, second):
    """Names of colours in a column of the answer's lane."""
    lanes.grab()
    image = lanes.rows[-1]._tile
    x = round(lanes.canvas.view.x(second))
    return {image.pixelColor(x, y).name() for y in range(image.height())}


def test_nothing_is_computed_before_it_is_asked_for(answer, reader):
    answer()
    assert reader.asked == []


def test_pitch_is_drawn_where_there_is_a_voice_and_not_in_the_gap(answer, reader, qtbot, lanes):
    from gui.theme import theme

    answer()
    lanes.toggle_pitch()
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None)
    ink = theme().series(0).name()
    assert ink in inks(lanes, 0.5)
    assert ink in inks(lanes, 3.0)
    assert ink not in inks(lanes, 1.5)
    lanes.toggle_pitch()
    assert ink not in inks(lanes, 0.5)


def test_energy_and_pitch_are_one_reading(answer, reader, qtbot, lanes):
    answer()
    lanes.toggle_pitch()
    lanes.toggle_energy()
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None and is_idle(lanes))
    assert reader.asked == ["a"]
    assert lanes.is_curve_shown("pitch") and lanes.is_curve_shown("energy")
    assert [switch.isChecked() for switch in lanes.heads[-1].curves] == [True, True]


def test_they_stay_on_for_the_next_answer(answer, reader, qtbot, lanes):
    answer("one")
    lanes.toggle_pitch()
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None and is_idle(lanes))
    answer("two")
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None)
    assert reader.asked == ["one", "two"]


def test_of_answers_that_are_passed_over_none_is_computed(answer, reader, qtbot, lanes):
    lanes.toggle_pitch()
    for name in ("one", "two", "three"):
        answer(name)
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None)
    assert reader.asked == ["three"]


def test_what_comes_of_an_earlier_answer_is_not_drawn(answer, reader, qtbot, lanes):
    reader.go.clear()
    lanes.toggle_pitch()
    answer("one")
    qtbot.waitUntil(lambda: reader.asked == ["one"])
    answer("two")
    reader.go.set()
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None and is_idle(lanes))
    assert reader.asked[-1] == "two"


def test_why_there_are_none_is_said_once_and_the_switches_go_back(answer, reader, qtbot, lanes):
    reader.error = EngineError("speech.extra_missing", package="librosa", command="pip install librosa")
    answer()
    with qtbot.waitSignal(lanes.failed) as told:
        lanes.toggle_energy()
    assert "pip install librosa" in told.args[0].sentence("en")
    assert not lanes.is_curve_shown("energy")
    assert [switch.isChecked() for switch in lanes.heads[-1].curves] == [False, False]


def test_while_they_are_computed_the_lane_says_so(answer, reader, qtbot, lanes):
    reader.go.clear()
    answer()
    lanes.toggle_pitch()
    assert lanes.rows[-1].is_curve_awaited
    reader.go.set()
    qtbot.waitUntil(lambda: not lanes.rows[-1].is_curve_awaited)


def test_hover_tells_the_values(answer, reader, qtbot, lanes):
    answer()
    lanes.toggle_pitch()
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None)
    lanes.grab()
    told = lanes.rows[-1].told_at(lanes.canvas.view.x(3.99), 0.0, 1.0, 3.99)
    assert told.endswith("400 Hz")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_value_that_is_none_says_nothing(qapp, language):
    words.use(language)
    curves = Curves(0.01, np.array([np.nan, 120], np.float32), np.array([-np.inf, -20], np.float32), "")
    assert curve_told(curves, "pitch", 0.0) == ""
    assert curve_told(curves, "energy", 0.0) == ""
    assert "120" in curve_told(curves, "pitch", 0.01)
    assert curve_told(curves, "pitch", 5.0) == ""


def test_ten_minutes_zoomed_out_draw_and_zoomed_in_too(answer, reader, qtbot, lanes):
    answer()
    lanes.toggle_pitch()
    lanes.toggle_energy()
    qtbot.waitUntil(lambda: lanes.rows[-1].curves is not None)
    count = 60_000
    values = np.where(np.arange(count) % 50 < 30, 200.0, np.nan).astype(np.float32)
    row = lanes.rows[-1]
    row.show_curves(Curves(0.01, values, values - 230, ""), row.shown_curves)
    for factor in (1, 4, 400):
        lanes.canvas.set_view(lanes.canvas.view.whole().zoomed(factor, 1.0))
        assert not lanes.grab().isNull()


def test_the_worker_goes_when_nobody_asks_for_long(answer, reader, qtbot, lanes):
    answer()
    lanes.toggle_pitch()
    qtbot.waitUntil(lambda: is_idle(lanes))
    lanes.curves.close_worker()
    qtbot.waitUntil(lambda: reader.closed == 1)


def test_nothing_wanted_is_nothing_to_wait_for(jobs):
    loader = CurveLoader(jobs)
    loader.want(None)
    loader.close_worker()
    assert not loader.is_busy
