"""Real-time factors: how long the making of an answer takes, set against how long it sounds."""

from __future__ import annotations

import math


def rtf_generation_over_duration(generation_s: float, duration_s: float) -> float:
    """Seconds of generation per second of audio, lower is better (the values of VocalBench-zh's Table 14).

    NaN where either is not finite, the generation is negative, or nothing sounds.

    >>> rtf_generation_over_duration(3.0, 6.0)
    0.5
    """
    return generation_s / duration_s if _usable(generation_s, duration_s) and duration_s > 0 else math.nan


def rtf_duration_over_generation(generation_s: float, duration_s: float) -> float:
    """Seconds of audio per second of generation, higher is better (VocalBench-zh's equation 4 as printed).

    NaN where either is not finite or negative, or the generation took no time.

    >>> rtf_duration_over_generation(3.0, 6.0)
    2.0
    """
    return duration_s / generation_s if _usable(generation_s, duration_s) and generation_s > 0 else math.nan


def _usable(generation_s: float, duration_s: float) -> bool:
    return math.isfinite(generation_s) and math.isfinite(duration_s) and generation_s >= 0 and duration_s >= 0
