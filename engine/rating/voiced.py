"""Where a clip speaks: the stretches that a rater has to hear before a rating of it counts."""

from __future__ import annotations

import math
from collections.abc import Iterable
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import without_non_finite
from engine.audio.sound import frame_length, frame_powers, sounding_frames
from engine.audio.source import opened

Span = tuple[float, float]

#: Shorter than any syllable: a click or a breath, which nobody has to hear.
SHORTEST_S = 0.06


def read_voiced(path: str | PathLike[str]) -> tuple[Span, ...]:
    """The voiced spans of an audio file in one pass over its samples. Raises what ``inspect_audio`` raises."""
    with opened(Path(path)) as source:
        return voiced_spans(source.blocks(), source.sample_rate_hz)


def voiced_spans(blocks: Iterable[NDArray[np.float32]], sample_rate_hz: int) -> tuple[Span, ...]:
    """Seconds from where to where something is said, in order; pauses of up to 0.2 s belong to speech.

    All but the last block, shape (time, channels), must hold whole 20 ms frames. The rule is that of the facts of a
    recording: energy against a floor and against its own loud frames. A recording in which nothing sounds is one span
    from its first sample to its last, so that nobody rates it without having listened; an empty one has none.

    >>> tone = np.sin(np.arange(16000) / 5).astype(np.float32)[:, None]
    >>> voiced_spans([np.vstack([0 * tone, tone, 0 * tone])], 16000)
    ((1.0, 2.0),)
    """
    length = frame_length(sample_rate_hz)
    powers, frames = [np.zeros(0)], 0
    for block in blocks:
        channels = np.ascontiguousarray(without_non_finite(block).T)
        powers.append(frame_powers(channels, length)[1].max(axis=0))
        frames += len(block)
    end_s = frames / sample_rate_hz
    found = _runs(sounding_frames(np.concatenate(powers)), length / sample_rate_hz, end_s)
    kept = tuple(span for span in found if span[1] - span[0] >= SHORTEST_S) or found
    return kept or (((0.0, end_s),) if frames else ())


def within(spans: tuple[Span, ...], start_s: float, stop_s: float | None = None) -> tuple[Span, ...]:
    """What lies between the seconds where playback of a clip begins and ends; None is the clip's own end."""
    last_s = math.inf if stop_s is None else stop_s
    return tuple((max(a, start_s), min(b, last_s)) for a, b in spans if b > start_s and a < last_s)


def _runs(sounding: NDArray[np.bool_], frame_s: float, end_s: float) -> tuple[Span, ...]:
    edges = np.diff(np.concatenate(([False], sounding, [False])).astype(np.int8))
    starts, ends = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0)
    return tuple((float(a * frame_s), float(min(b * frame_s, end_s))) for a, b in zip(starts, ends, strict=True))
