"""Numbers computed from texts, signals and times, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine.metrics.error_rates import error_rate
from engine.metrics.quality import clipped_share, silent_share
from engine.metrics.timing import rtf_duration_over_generation, rtf_generation_over_duration


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and what a reader needs to know of it; no ``compute`` where a model or a stopwatch gives the number."""

    name: str
    unit: str
    higher_is_better: bool
    compute: Callable[..., Any] | None


METRICS = {
    metric.name: metric
    for metric in (
        Metric("word_error_rate", "", False, partial(error_rate, "word")),
        Metric("character_error_rate", "", False, partial(error_rate, "character")),
        Metric("mixed_error_rate", "", False, partial(error_rate, "mixed")),
        Metric("syllable_error_rate", "", False, partial(error_rate, "syllable")),
        Metric("phoneme_error_rate", "", False, partial(error_rate, "phoneme")),
        Metric("silent_share", "", False, silent_share),
        Metric("clipped_share", "", False, clipped_share),
        Metric("rtf_generation_over_duration", "", False, rtf_generation_over_duration),
        Metric("rtf_duration_over_generation", "", True, rtf_duration_over_generation),
        Metric("first_token_s", "s", False, None),
        Metric("first_audio_s", "s", False, None),
        Metric("first_sound_s", "s", False, None),
        Metric("dnsmos_ovrl", "MOS", True, None),
        Metric("dnsmos_sig", "MOS", True, None),
        Metric("dnsmos_bak", "MOS", True, None),
        Metric("dnsmos_p808", "MOS", True, None),
        Metric("distillmos", "MOS", True, None),
        Metric("utmos", "MOS", True, None),
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
