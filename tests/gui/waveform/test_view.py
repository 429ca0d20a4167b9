"""Seconds and pixels, ticks and the picture of an outline: no widget needed."""

from __future__ import annotations

import doctest
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor

from engine.audio import build_pyramid
from gui.waveform import ticks as ticks_module
from gui.waveform.outline import Inks, columns_of, picture
from gui.waveform.ticks import ticks
from gui.waveform.view import SHORTEST_S, TimeView

INKS = Inks(QColor("#102030"), QColor("#405060"), QColor("#ff0000"), QColor("#00ff00"))


def test_the_examples_in_the_docstrings_hold():
    assert doctest.testmod(ticks_module, extraglobs={"math": __import__("math")}).failed == 0


def test_a_second_and_its_pixel_are_each_others_inverse():
    view = TimeView(10, 2, 4, 800)
    assert view.x(3) == 400
    assert view.second(400) == 3
    assert (view.second(-9999), view.second(9999)) == (0, 10)


@given(
    total=st.floats(0.05, 4000),
    moves=st.lists(st.tuples(st.sampled_from(["zoom", "move", "show"]), st.floats(0.01, 100), st.floats(0, 1))),
)
def test_whatever_is_done_the_window_stays_within_the_whole(total, moves):
    view = TimeView(1, 0, 1, 500).whole(total)
    for kind, amount, share in moves:
        if kind == "zoom":
            view = view.zoomed(amount, share * total)
        elif kind == "move":
            view = view.moved(amount - 50)
        else:
            view = view.showing(share * total)
        assert -1e-6 <= view.start_s < view.end_s <= total + 1e-6
        assert view.span_s >= min(SHORTEST_S, total) - 1e-6


def test_zooming_keeps_the_second_under_the_pointer_where_it_is():
    view = TimeView(100, 20, 60, 800)
    assert view.zoomed(3, 30).x(30) == pytest.approx(view.x(30))


@pytest.mark.parametrize("span", [0.02, 0.5, 3, 11, 75, 600, 3600, 9000])
@pytest.mark.parametrize("width", [120, 700, 2000])
def test_times_on_the_ruler_never_touch(span, width):
    labelled = [tick.second for tick in ticks(TimeView(span + 7, 7, span + 7, width)) if tick.text]
    assert all(later - earlier >= 60 / width * span for earlier, later in itertools.pairwise(labelled))
    assert width < 200 or span > 1e4 or labelled


def colours_of(image):
    """Pixels as names of the inks, shape (height, width)."""
    names = {ink.rgba(): name for name, ink in zip("bcxo", (INKS.body, INKS.core, INKS.clip, INKS.hole))}
    return np.array([[names.get(image.pixel(x, y), " ") for x in range(image.width())] for y in range(image.height())])


def test_one_loud_sample_is_a_column_of_its_own():
    samples = np.zeros(48_000, np.float32)
    samples[24_000] = 0.5
    pixels = colours_of(picture(columns_of(build_pyramid(samples, 48_000), None, 0, 1, 100), 41, 20, INKS))
    assert {50} <= {x for x in range(100) if "b" in pixels[:20, x]} <= {49, 50, 51}
    assert set(pixels[10:20, 50]) == {"b"}
    assert set(pixels[:10, 50]) == {" "}


def test_the_core_is_inside_the_peaks_and_silence_is_a_line():
    tone = 0.8 * np.sin(np.arange(48_000) / 10).astype(np.float32)
    tone[24_000:] = 0
    pixels = colours_of(picture(columns_of(build_pyramid(tone, 48_000), None, 0, 1, 100), 41, 20, INKS))
    column = "".join(pixels[:, 20])
    assert column.strip() == column.strip().replace(" ", "")
    assert column.count("c") == pytest.approx(2 * 20 * 0.8 / 2**0.5, abs=2)
    assert column.count("b") > 5
    assert "".join(pixels[:, 80]).strip() == "c"


def test_beyond_the_recording_nothing_is_drawn():
    pixels = colours_of(
        picture(columns_of(build_pyramid(np.ones(8000, np.float32) / 2, 8000), None, 0, 2, 40), 21, 9, INKS)
    )
    assert "".join(pixels[:, :20].ravel()).strip()
    assert not "".join(pixels[:, 20:].ravel()).strip()


def test_over_full_scale_and_samples_that_are_not_numbers_are_marked():
    samples = np.full(8000, 0.25, np.float32)
    samples[2000:2400] = 1.0
    samples[6000:6100] = np.nan
    pixels = colours_of(picture(columns_of(build_pyramid(samples, 8000), samples, 0, 1, 80), 41, 18, INKS))
    assert "x" in pixels[:, 22]
    assert "o" in pixels[:, 60]
    assert "x" not in pixels[:, 40] and "o" not in pixels[:, 40]


def test_no_channel_is_lost():
    stereo = np.stack([np.full(8000, 0.1), np.full(8000, -0.7)], axis=1).astype(np.float32)
    columns = columns_of(build_pyramid(stereo, 8000), stereo, 0, 1, 10)
    assert columns.high == pytest.approx(0.1)
    assert columns.low == pytest.approx(-0.7)
    assert columns.peak(3) == pytest.approx(0.7)
    assert columns.peak(99) is None
