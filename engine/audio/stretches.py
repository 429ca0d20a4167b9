"""Stretches of a recording that are to be marked: where nothing sounds for long, and where it is clipped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.audio.clipping import ClippedRuns, full_scale
from engine.audio.finite import without_non_finite
from engine.audio.formats import FLOATING, bits_of
from engine.audio.sound import FRAME_S, frame_length, frame_powers, sounding_frames

#: Silence from this length on is marked: a pause between phrases is half as long.
MARKED_SILENCE_S = 0.5
#: Clipped runs that lie no further apart than this are one stretch: a clipped vowel is clipped once in each period.
JOIN_CLIPPED_S = 0.05

Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Stretches:
    """Spans in seconds, in order: ``silent`` without any sound, ``clipped`` with runs of samples at full scale.

    The rules are those of ``silent_share`` and ``clipped_share`` of the facts. A recording in which nothing sounds
    is silent from its first sample to its last.
    """

    silent: tuple[Span, ...] = ()
    clipped: tuple[Span, ...] = ()


def stretches_of(
    blocks: Iterable[NDArray[np.float32]], channels: int, sample_rate_hz: int, subtype: str = "PCM_16"
) -> Stretches:
    """The stretches of frames that come in blocks, shape (time, channels).

    All but the last block must hold whole 20 ms frames; samples that are not finite count as zeros. A ``subtype`` of
    floats that go over full scale is not clipped: nothing in it is cut off yet.
    """
    finder = StretchFinder(channels, sample_rate_hz, subtype)
    for block in blocks:
        finder.add(block)
    return finder.found()


class StretchFinder:
    """Finds the stretches of frames that are added block by block; see ``stretches_of`` for what blocks must hold."""

    def __init__(self, channels: int, sample_rate_hz: int, subtype: str = "PCM_16") -> None:
        self._rate_hz, self._subtype = sample_rate_hz, subtype
        self._length = frame_length(sample_rate_hz)
        self._joined = round(JOIN_CLIPPED_S * sample_rate_hz)
        self._runs = [ClippedRuns(full_scale(bits_of(subtype)), self._joined) for _ in range(channels)]
        self._powers = [np.zeros(0)]
        self._frame_count, self._peak = 0, 0.0

    def add(self, block: NDArray[np.float32]) -> None:
        """Look at the next frames."""
        samples = np.ascontiguousarray(without_non_finite(block).T)
        for run, channel in zip(self._runs, samples, strict=True):
            run.add(channel)
        self._powers.append(frame_powers(samples, self._length)[1].max(axis=0))
        self._frame_count += len(block)
        self._peak = max(self._peak, float(np.abs(samples).max(initial=0.0)))

    def found(self) -> Stretches:
        """The stretches of all frames; nothing can be added after."""
        for run in self._runs:
            run.finish()
        sounding = sounding_frames(np.concatenate(self._powers))
        return Stretches(
            _silent(sounding, self._length, self._frame_count, self._rate_hz),
            () if self._subtype in FLOATING and self._peak > 1.0 else _clipped(self._runs, self._joined, self._rate_hz),
        )


def _silent(sounding: NDArray[np.bool_], length: int, frame_count: int, sample_rate_hz: int) -> tuple[Span, ...]:
    """Runs of frames that do not sound, the short ones left out."""
    padded = np.concatenate(([True], sounding, [True])).astype(np.int8)
    (starts,), (ends,) = np.nonzero(np.diff(padded) < 0), np.nonzero(np.diff(padded) > 0)
    least = round(MARKED_SILENCE_S / FRAME_S)
    return tuple(
        (float(start * length / sample_rate_hz), min(int(end) * length, frame_count) / sample_rate_hz)
        for start, end in zip(starts, ends, strict=True)
        if end - start >= least or not sounding.any()
    )


def _clipped(runs: Sequence[ClippedRuns], joined: int, sample_rate_hz: int) -> tuple[Span, ...]:
    """The stretches of all channels as one list."""
    found: list[tuple[int, int]] = []
    stretches = [stretch for run in runs for stretch in run.stretches]
    for start, end in sorted(stretches):
        if found and start - found[-1][1] <= joined:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return tuple((start / sample_rate_hz, end / sample_rate_hz) for start, end in found)
