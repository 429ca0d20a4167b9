"""Numbers computed from texts, signals and times, and the table of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.metrics.error_rates import error_rate
from engine.metrics.quality import clipped_share, silent_share
from engine.metrics.timing import rtf_duration_over_generation, rtf_generation_over_duration


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and what a reader needs to know of it; no ``compute`` where a model or a stopwatch gives the number.

    A value below ``lowest`` or above ``highest`` is none of this metric.
    """

    name: str
    unit: str
    higher_is_better: bool
    compute: Callable[..., Any] | None
    lowest: float = 0.0
    highest: float = math.inf


_HIGHEST_MOS = 5.5  # of a scale from 1 to 5, which predictors overshoot a little

METRICS = {
    metric.name: metric
    for metric in (
        Metric("word_error_rate", "", False, partial(error_rate, "word")),
        Metric("character_error_rate", "", False, partial(error_rate, "character")),
        Metric("mixed_error_rate", "", False, partial(error_rate, "mixed")),
        Metric("syllable_error_rate", "", False, partial(error_rate, "syllable")),
        Metric("phoneme_error_rate", "", False, partial(error_rate, "phoneme")),
        Metric("silent_share", "", False, silent_share, highest=1.0),
        Metric("clipped_share", "", False, clipped_share, highest=1.0),
        Metric("rtf_generation_over_duration", "", False, rtf_generation_over_duration),
        Metric("rtf_duration_over_generation", "", True, rtf_duration_over_generation),
        Metric("first_token_s", "s", False, None),
        Metric("first_audio_s", "s", False, None),
        Metric("first_sound_s", "s", False, None),
        Metric("dnsmos_ovrl", "MOS", True, None, highest=_HIGHEST_MOS),
        Metric("dnsmos_sig", "MOS", True, None, highest=_HIGHEST_MOS),
        Metric("dnsmos_bak", "MOS", True, None, highest=_HIGHEST_MOS),
        Metric("dnsmos_p808", "MOS", True, None, highest=_HIGHEST_MOS),
        Metric("distillmos", "MOS", True, None, highest=_HIGHEST_MOS),
        Metric("utmos", "MOS", True, None, highest=_HIGHEST_MOS),
    )
}

ALIASES = {
    "per": "syllable_error_rate",  # the paper's "PER" compares toned syllables
    "wer": "word_error_rate",
    "cer": "character_error_rate",
    "mer": "mixed_error_rate",
}


def metric_named(name: str) -> Metric:
    """The metric of a name or of an alias (``per``, ``wer``, ``cer``, ``mer``); KeyError for an unknown one."""
    return METRICS[ALIASES.get(name, name)]
