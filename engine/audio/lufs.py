"""Integrated loudness after ITU-R BS.1770 in one pass over blocks, in bounded memory, by numpy alone.

Follows pyloudnorm, which the tests compare it with; that needs the whole sound at once, and scipy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.audio.finite import without_non_finite

#: A power of one is at this many LUFS.
OFFSET_LUFS = -0.691
_STEP_S = 0.1
_STEPS_IN_BLOCK = 4  # blocks of 400 ms, a quarter new each
_ABSOLUTE_GATE_LUFS, _RELATIVE_GATE_LU = -70.0, -10.0
_SETTLED_S = 0.4  # by then the filters have forgotten: 120 dB down in 60 ms
_PASS_S = 3.2  # of a transform
_SURROUND = 1.41  # weight of the channels behind; the fourth of six is the bass, which does not count


@dataclass(frozen=True, slots=True)
class Loudness:
    """How loud a recording is.

    Attributes:
        lufs: integrated loudness; NaN under 400 ms and where everything is below -70 LUFS.
        peak: largest magnitude, full scale 1.0.
    """

    lufs: float
    peak: float

    @property
    def peak_dbfs(self) -> float:
        """The peak in dBFS; -inf for silence."""
        return 20 * math.log10(self.peak) if self.peak > 0 else -math.inf


class LoudnessMeter:
    """Takes blocks of shape (time, channels) in order; samples that are not numbers count as silence."""

    def __init__(self, sample_rate_hz: int, channels: int) -> None:
        self._rate = sample_rate_hz
        self._step = round(_STEP_S * sample_rate_hz)
        self._settled = math.ceil(_SETTLED_S / _STEP_S) * self._step
        self._size = self._settled + round(_PASS_S / _STEP_S) * self._step
        self._response = _k_weighting(sample_rate_hz, self._size)
        self._weights = _channel_weights(channels)
        self._held = np.zeros(
            (self._settled, channels), np.float32
        )  # what the filters still remember, then what is new
        self._powers: list[NDArray[np.float64]] = []
        self._peak = 0.0

    def add(self, block: NDArray[np.float32]) -> None:
        """Hear a block; it may be used again afterwards."""
        block = without_non_finite(block)
        if len(block):
            self._peak = max(self._peak, float(np.abs(block).max()))
        self._held = np.concatenate([self._held, block])
        while len(self._held) >= self._size:
            self._weigh(self._size)

    def loudness(self) -> Loudness:
        """The loudness of all that was heard; once, at the end."""
        self._weigh(self._settled + (len(self._held) - self._settled) // self._step * self._step)
        powers = np.concatenate([np.zeros(0), *self._powers])
        return Loudness(_gated(powers), self._peak)

    def _weigh(self, end: int) -> None:
        """Weigh the steps up to frame ``end`` of what is held, and hold on to what the filters remember of them."""
        sound = self._held[:end]
        if len(sound) > self._settled:
            spectrum = np.fft.rfft(sound, self._size, axis=0) * self._response[:, None]
            weighted = np.fft.irfft(spectrum, self._size, axis=0)[self._settled : end]
            by_channel = np.square(weighted).reshape(-1, self._step, weighted.shape[1]).mean(axis=1)
            self._powers.append(by_channel @ self._weights)
        self._held = self._held[end - self._settled :]


def loudness_of(blocks: Iterable[NDArray[np.float32]], sample_rate_hz: int, channels: int) -> Loudness:
    """The loudness of blocks of shape (time, channels) in order.

    >>> tone = 0.1 * np.sin(2 * np.pi * 997 * np.arange(48000 * 3) / 48000)
    >>> round(loudness_of([tone[:, None].astype(np.float32)], 48000, 1).lufs, 1)
    -23.0
    """
    meter = LoudnessMeter(sample_rate_hz, channels)
    for block in blocks:
        meter.add(block)
    return meter.loudness()


def _gated(powers: NDArray[np.float64]) -> float:
    """Loudness of the 400 ms blocks over both gates, from the powers of their quarters."""
    if len(powers) < _STEPS_IN_BLOCK:
        return math.nan
    blocks = np.convolve(powers, np.ones(_STEPS_IN_BLOCK) / _STEPS_IN_BLOCK, "valid")
    loud = blocks[_lufs(blocks) >= _ABSOLUTE_GATE_LUFS]
    if not len(loud):
        return math.nan
    loud = loud[_lufs(loud) > float(_lufs(loud.mean(keepdims=True))[0]) + _RELATIVE_GATE_LU]
    return float(_lufs(loud.mean(keepdims=True))[0])


def _lufs(powers: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return np.asarray(OFFSET_LUFS + 10 * np.log10(powers))


def _channel_weights(channels: int) -> NDArray[np.float64]:
    weights = np.ones(channels)
    if channels >= 5:
        weights[-2:] = _SURROUND
    if channels >= 6:
        weights[3] = 0.0
    return weights


def _k_weighting(rate_hz: int, size: int) -> NDArray[np.complex128]:
    """What the shelf of the head (+4 dB from 1.5 kHz) and the high-pass (38 Hz) do to each line of a transform."""
    z = np.exp(-2j * np.pi * np.fft.rfftfreq(size))
    response = np.ones(len(z), np.complex128)
    for numerator, denominator in (_shelf(rate_hz), _high_pass(rate_hz)):
        response *= np.polyval(numerator[::-1], z) / np.polyval(denominator[::-1], z)
    return response


def _shelf(rate_hz: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coefficients of the standard's first filter at any rate: 1681.97 Hz, 4 dB, Q 0.707."""
    gain = 10 ** (3.999843853973347 / 20)
    middle = gain**0.4996667741545416
    k = math.tan(math.pi * 1681.974450955533 / rate_hz)
    q = 0.7071752369554196
    numerator = np.array([gain + middle * k / q + k * k, 2 * (k * k - gain), gain - middle * k / q + k * k])
    denominator = np.array([1 + k / q + k * k, 2 * (k * k - 1), 1 - k / q + k * k])
    return numerator / denominator[0], denominator / denominator[0]


def _high_pass(rate_hz: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coefficients of the standard's second filter at any rate: 38.14 Hz, Q 0.5."""
    k = math.tan(math.pi * 38.13547087602444 / rate_hz)
    q = 0.5003270373238773
    denominator = np.array([1 + k / q + k * k, 2 * (k * k - 1), 1 - k / q + k * k])
    return np.array([1.0, -2.0, 1.0]), denominator / denominator[0]
