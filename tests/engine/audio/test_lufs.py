"""Loudness against an independent implementation, by its laws, and what it is used for."""

from __future__ import annotations

import math

import numpy as np
import pyloudnorm
import pytest

from engine.audio.lufs import LoudnessMeter, loudness_of

RATES = [8000, 16000, 22050, 24000, 44100, 48000]


def speech(seconds, rate, channels=1, seed=0):
    """Noise whose level moves about, with pauses in it."""
    generator = np.random.default_rng(seed)
    frames = round(seconds * rate)
    level = np.interp(np.arange(frames), np.linspace(0, frames, 14), generator.uniform(0, 0.3, 14) ** 2)
    level[frames // 3 : frames // 2] = 0
    return (generator.standard_normal((frames, channels)) * level[:, None]).astype(np.float32)


def heard(samples, rate, block=5000):
    blocks = [samples[at : at + block] for at in range(0, len(samples), block)]
    return loudness_of(blocks, rate, samples.shape[1])


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("seconds", [0.4, 0.5, 3.0, 12.0])
def test_it_agrees_with_pyloudnorm(rate, channels, seconds):
    samples = speech(seconds, rate, channels, seed=rate)
    oracle = pyloudnorm.Meter(rate, filter_class="DeMan").integrated_loudness(samples.astype(np.float64))
    assert heard(samples, rate).lufs == pytest.approx(oracle, abs=0.005)


@pytest.mark.parametrize("block", [1, 333, 4800, 10**6])
def test_how_it_comes_in_blocks_changes_nothing(block):
    samples = speech(0.7 if block == 1 else 9.1, 8000)
    assert heard(samples, 8000, block).lufs == pytest.approx(heard(samples, 8000).lufs, abs=1e-9)


def test_gain_moves_it_by_as_many_decibels():
    samples = speech(5, 16000)
    assert heard(samples * np.float32(0.5), 16000).lufs == pytest.approx(heard(samples, 16000).lufs - 6.0206, abs=1e-3)


def test_silence_before_and_behind_changes_little():
    samples = speech(6, 16000)
    pause = np.zeros((10 * 16000, 1), np.float32)
    assert heard(np.concatenate([pause, samples, pause]), 16000).lufs == pytest.approx(
        heard(samples, 16000).lufs,
        abs=0.5,  # the gate leaves the pauses out, but for blocks at their edges
    )


def test_both_ears_are_three_decibels_louder_than_one():
    one = speech(5, 16000)
    assert heard(np.repeat(one, 2, axis=1), 16000).lufs == pytest.approx(heard(one, 16000).lufs + 3.0103, abs=1e-3)


def test_the_bass_of_six_channels_does_not_count():
    six = np.zeros((16000 * 2, 6), np.float32)
    six[:, 3] = speech(2, 16000)[:, 0]
    assert math.isnan(heard(six, 16000).lufs)


@pytest.mark.parametrize("frames", [0, 10, 6399])
def test_under_400_ms_there_is_no_loudness(frames):
    found = heard(np.full((frames, 1), 0.5, np.float32), 16000)
    assert math.isnan(found.lufs)
    assert found.peak == (0.5 if frames else 0.0)


def test_silence_has_no_loudness():
    found = heard(np.zeros((32000, 1), np.float32), 16000)
    assert math.isnan(found.lufs)
    assert found.peak_dbfs == -math.inf


def test_samples_that_are_not_numbers_count_as_silence():
    samples = speech(3, 16000)
    holed = samples.copy()
    holed[20000:20100] = np.nan
    filled = samples.copy()
    filled[20000:20100] = 0
    assert heard(holed, 16000) == heard(filled, 16000)


def test_memory_does_not_grow_with_the_recording():
    meter = LoudnessMeter(48000, 1)
    second = speech(1, 48000)
    most = 0
    for _ in range(60):
        meter.add(second)
        most = max(most, len(meter._held))
    assert most < 5 * 48000
