"""Cuts clips into windows that fit a recogniser of 30 s, at the quietest places."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.audio.sound import SILENCE_FLOOR_DBFS
from engine.speech.values import SAMPLE_RATE_HZ, Samples

#: Whisper takes 30 s. A window of at most 25 s leaves room at its end, and one of at least 15 s has context.
LONGEST_S = 25.0
SHORTEST_S = 15.0
WHOLE_S = 30.0  # a clip that fits is not cut

_HOP = SAMPLE_RATE_HZ // 100
_SMOOTH = 10  # hops, 0.1 s: a pause between words is longer than a stop consonant
_SILENT_POWER = 10 ** (SILENCE_FLOOR_DBFS / 10)


@dataclass(frozen=True, slots=True)
class Window:
    """A piece of a clip: where it starts and its samples at 16 kHz; ``silent`` when nothing sounds in it."""

    start_s: float
    samples: Samples
    silent: bool


def windows_of(samples: Samples) -> list[Window]:
    """The clip in windows of up to 30 s, in order and without gaps; none for a clip without samples.

    A window is silent when no 20 ms of it lie above -60 dBFS (see ``engine.audio.sound``): it need not be sent.
    """
    if not len(samples):
        return []
    cuts = [0, *_cuts(samples), len(samples)]
    pieces = [(start, samples[start:end]) for start, end in pairwise(cuts)]
    return [Window(start / SAMPLE_RATE_HZ, piece, _is_silent(piece)) for start, piece in pieces]


def _cuts(samples: Samples) -> list[int]:
    if len(samples) <= WHOLE_S * SAMPLE_RATE_HZ:
        return []
    power = _power(samples)
    cuts, start = [], 0
    while (len(samples) - start * _HOP) > LONGEST_S * SAMPLE_RATE_HZ:
        first, last = start + round(SHORTEST_S * 100), start + round(LONGEST_S * 100)
        start = first + int(np.argmin(power[first:last]))
        cuts.append(start * _HOP)
    return cuts


def _power(samples: Samples) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Mean square per hop of 10 ms, smoothed over 0.1 s around it."""
    whole = len(samples) // _HOP * _HOP
    hops = np.square(samples[:whole], dtype=np.float64).reshape(-1, _HOP).mean(axis=1)
    return np.convolve(hops, np.ones(_SMOOTH) / _SMOOTH, mode="same")


def _is_silent(samples: Samples) -> bool:
    frame = 2 * _HOP
    padded = np.pad(samples.astype(np.float64), (0, -len(samples) % frame)).reshape(-1, frame)
    return not bool((padded.var(axis=1) > _SILENT_POWER).any())
