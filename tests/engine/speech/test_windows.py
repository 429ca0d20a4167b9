"""Clips are cut into windows of up to 30 s, at quiet places, without gaps."""

from __future__ import annotations

import numpy as np
import pytest

from engine.speech.windows import windows_of

RATE = 16_000


def tone(seconds, level=0.1):
    return (level * np.sin(2 * np.pi * 440 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


@pytest.mark.parametrize("seconds", [0.001, 5.0, 30.0])
def test_a_clip_that_fits_is_one_window(seconds):
    (window,) = windows_of(tone(seconds))
    assert (window.start_s, len(window.samples)) == (0.0, round(seconds * RATE))


def test_a_clip_without_samples_has_no_window():
    assert windows_of(np.zeros(0, np.float32)) == []


def test_a_long_clip_is_cut_in_its_pauses_and_nothing_is_lost():
    clip = np.concatenate([tone(18), np.zeros(RATE, np.float32), tone(21), np.zeros(RATE, np.float32), tone(9)])
    windows = windows_of(clip)
    np.testing.assert_array_equal(np.concatenate([window.samples for window in windows]), clip)
    assert 18 <= windows[1].start_s <= 19
    assert 40 <= windows[2].start_s <= 41  # the next pause, 15 to 25 s on
    assert len(windows) == 3


@pytest.mark.parametrize("seconds", [31, 65, 500])
def test_no_window_of_a_long_clip_is_longer_than_25_s(seconds):
    rng = np.random.default_rng(1)
    windows = windows_of((0.1 * rng.standard_normal(seconds * RATE)).astype(np.float32))
    assert max(len(window.samples) for window in windows) <= 25 * RATE
    assert sum(len(window.samples) for window in windows) == seconds * RATE


@pytest.mark.parametrize(
    ("samples", "silent"),
    [
        (np.zeros(RATE, np.float32), True),
        (np.full(RATE, 0.3, np.float32), True),  # an offset is no sound
        (tone(1, level=0.001), True),  # RMS -63 dBFS
        (tone(1, level=0.002), False),  # RMS -57 dBFS
        (np.concatenate([np.zeros(RATE, np.float32), tone(0.05)]), False),
    ],
)
def test_a_window_in_which_nothing_sounds_is_silent(samples, silent):
    assert windows_of(samples)[0].silent is silent
