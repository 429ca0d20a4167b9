"""Shares of silence and clipping, real-time factors, and the table of metrics."""

from __future__ import annotations

import doctest
import importlib
import math

import numpy as np
import pytest

from engine.metrics import ALIASES, METRICS, metric_named
from engine.metrics.quality import clipped_share, silent_share
from engine.metrics.timing import rtf_duration_over_generation, rtf_generation_over_duration
from engine.strings import LANGUAGES, text

RATE = 16000


def test_a_quarter_of_silence_is_a_quarter() -> None:
    tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(3 * RATE) / RATE)
    assert silent_share(np.concatenate([np.zeros(RATE), tone]), RATE) == 0.25


def test_silence_is_all_silent_and_nothing_has_no_share() -> None:
    assert silent_share(np.zeros(RATE, np.float32), RATE) == 1.0
    assert silent_share(np.full(RATE, np.nan), RATE) == 1.0
    assert math.isnan(silent_share(np.zeros(0), RATE))
    assert math.isnan(clipped_share(np.zeros(0)))


def test_the_threshold_is_the_level_of_a_frame() -> None:
    # a constant of 0.01 has an RMS of -40 dBFS
    samples = np.full(RATE, 0.01)
    assert silent_share(samples, RATE, threshold_dbfs=-41.0) == 0.0
    assert silent_share(samples, RATE, threshold_dbfs=-39.0) == 1.0


def test_flat_tops_are_clipped_and_a_lone_peak_is_not() -> None:
    assert clipped_share(np.array([0.0, 1.0, 0.0, -1.0])) == 0.0
    assert clipped_share(np.array([0.0, 1.0, 1.0, 1.0, 0.5, -1.0, -1.0, 0.0, 0.0, 0.0])) == 0.5
    assert clipped_share(np.array([1.0, -1.0, 0.0, 0.0])) == 0.0


def test_both_real_time_factors_are_each_others_inverse() -> None:
    assert rtf_generation_over_duration(2.0, 8.0) == 0.25
    assert rtf_duration_over_generation(2.0, 8.0) == 4.0


@pytest.mark.parametrize(("generation", "duration"), [(1.0, 0.0), (math.nan, 1.0), (1.0, math.inf), (-1.0, 1.0)])
def test_no_audio_or_no_time_has_no_real_time_factor(generation: float, duration: float) -> None:
    assert math.isnan(rtf_generation_over_duration(generation, duration))


def test_an_answer_in_no_time_has_no_speed() -> None:
    assert math.isnan(rtf_duration_over_generation(0.0, 3.0))
    assert rtf_duration_over_generation(2.0, 0.0) == 0.0


def test_every_metric_has_a_title_in_both_languages_and_a_clear_direction() -> None:
    assert all(name == metric.name for name, metric in METRICS.items())
    for metric in METRICS.values():
        assert all(text(f"metrics.metric.{metric.name}", language) for language in LANGUAGES)
    assert not METRICS["syllable_error_rate"].higher_is_better
    assert METRICS["dnsmos_ovrl"].higher_is_better
    assert METRICS["dnsmos_ovrl"].compute is None


def test_the_papers_per_is_the_syllable_error_rate() -> None:
    assert metric_named("per") is METRICS["syllable_error_rate"]
    assert all(target in METRICS for target in ALIASES.values())
    compute = metric_named("per").compute
    assert compute is not None
    assert compute("共10页", "共十页").errors == 0


def test_kinds_of_mismatch_have_names_in_both_languages() -> None:
    for kind in ("omission", "repetition", "truncation", "insertion", "unrelated"):
        assert all(text(f"metrics.mismatch.{kind}", language) for language in LANGUAGES)


@pytest.mark.parametrize(
    "module",
    [
        "metrics.alignment",
        "metrics.error_rates",
        "metrics.mismatch",
        "metrics.quality",
        "metrics.timing",
        "text.normalise",
        "text.published",
        "text.tokens",
    ],
)
def test_the_examples_in_the_docstrings_hold(module: str) -> None:
    outcome = doctest.testmod(importlib.import_module(f"engine.{module}"))
    assert outcome.attempted > 0
    assert outcome.failed == 0
