"""Levels of a recording in one pass over its blocks: peaks, DC, power, clipping, non-finite samples, sound."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.audio.clipping import ClippedRuns, full_scale
from engine.audio.finite import are_finite, without_non_finite
from engine.audio.sound import Sound, frame_length, frame_powers, sound_from_frames

#: A channel this far (60 dB in power) under the loudest one is dead: leaving it out changes nothing that is heard.
DEAD_POWER_RATIO = 1e-6
#: Channels whose mean is this far (30 dB in power) under the channels themselves cancel each other out.
CANCELLED_POWER_RATIO = 1e-3


@dataclass(frozen=True, slots=True)
class Levels:
    """Levels of a whole recording; arrays have shape (channels,), channel numbers count from 0.

    Attributes:
        usable: finite samples over all channels; ``non_finite`` the others, the first in frame ``first_non_finite``.
        sound: where something sounds in any channel.
        dead: channels without sound beside at least one that has some; none in a recording that is silent.
        cancels: the live channels are in opposite phase, so that their mean is next to nothing.
        mixed: channels whose mean is the mono signal: the live ones, or the loudest where they cancel out.
        rms_dbfs: level of the live channels, 0 dB for a mean square of 1; None for digital silence.
    """

    frames: int
    usable: int
    non_finite: int
    first_non_finite: int | None
    peak_by_channel: NDArray[np.float32]
    dc_by_channel: NDArray[np.float64]
    clipping: tuple[ClippedRuns, ...]
    sound: Sound
    dead: tuple[int, ...]
    cancels: bool
    mixed: tuple[int, ...]
    rms_dbfs: float | None


def measure_levels(
    blocks: Iterable[NDArray[np.float32]], channels: int, sample_rate_hz: int, bits: int | None
) -> Levels:
    """Levels over blocks of shape (time, channels) in order; all but the last must hold whole 20 ms frames."""
    meter = _Meter(channels, sample_rate_hz, bits)
    for block in blocks:
        meter.add(block)
    return meter.levels()


class _Meter:
    def __init__(self, channels: int, sample_rate_hz: int, bits: int | None) -> None:
        self._channels = channels
        self._rate = sample_rate_hz
        self._length = frame_length(sample_rate_hz)
        self._frames = 0
        self._non_finite = 0
        self._first_non_finite: int | None = None
        self._peaks = np.zeros(channels, np.float32)
        self._clipping = tuple(ClippedRuns(full_scale(bits)) for _ in range(channels))
        self._sums = np.zeros(channels)
        self._squares = np.zeros(channels)
        self._powers = np.zeros(channels)  # squares with the DC of each 20 ms frame removed
        self._products = np.zeros((channels, channels))
        self._frame_powers: list[NDArray[np.float64]] = [np.zeros(0)]

    def add(self, block: NDArray[np.float32]) -> None:
        self._note_non_finite(block)
        samples = np.ascontiguousarray(without_non_finite(block).T)
        self._peaks = np.maximum(self._peaks, np.maximum(abs(samples.max(axis=1)), abs(samples.min(axis=1))))
        for runs, channel in zip(self._clipping, samples, strict=True):
            runs.add(channel)
        means, powers = frame_powers(samples, self._length)
        lengths = np.minimum(self._length, len(block) - self._length * np.arange(means.shape[1]))
        self._sums += means @ lengths
        self._powers += powers @ lengths
        self._squares += (powers + means**2) @ lengths
        if self._channels > 1:
            self._products += samples @ samples.T
        self._frame_powers.append(powers.max(axis=0))
        self._frames += len(block)

    def levels(self) -> Levels:
        for runs in self._clipping:
            runs.finish()
        sound = sound_from_frames(np.concatenate(self._frame_powers), self._frames, self._rate)
        dead = self._dead(sound)
        live = tuple(index for index in range(self._channels) if index not in dead)
        cancels = sound.start_s is not None and self._cancel(live)
        power = float(np.mean(self._squares[list(live)])) / max(1, self._frames)
        return Levels(
            frames=self._frames,
            usable=self._frames * self._channels - self._non_finite,
            non_finite=self._non_finite,
            first_non_finite=self._first_non_finite,
            peak_by_channel=self._peaks,
            dc_by_channel=self._sums / max(1, self._frames),
            clipping=self._clipping,
            sound=sound,
            dead=dead,
            cancels=cancels,
            mixed=(int(np.argmax(self._powers)),) if cancels else live,
            rms_dbfs=10 * math.log10(power) if power > 0 else None,
        )

    def _note_non_finite(self, block: NDArray[np.float32]) -> None:
        bad = ~are_finite(block)
        if not bad.any():
            return
        self._non_finite += int(np.count_nonzero(bad))
        if self._first_non_finite is None:
            self._first_non_finite = self._frames + int(np.argmax(bad.any(axis=1)))

    def _dead(self, sound: Sound) -> tuple[int, ...]:
        if self._channels == 1 or sound.start_s is None:
            return ()
        limit = self._powers.max() * DEAD_POWER_RATIO
        return tuple(int(index) for index in np.flatnonzero(self._powers <= limit))

    def _cancel(self, live: tuple[int, ...]) -> bool:
        products = self._products[np.ix_(live, live)]
        mean_power = products.sum() / len(live) ** 2
        return len(live) > 1 and bool(mean_power < CANCELLED_POWER_RATIO * np.trace(products) / len(live))
