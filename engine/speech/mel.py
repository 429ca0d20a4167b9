"""The mel spectrogram that DNSMOS P.808 was trained on, as librosa computes it, by numpy alone."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

_RATE_HZ = 16_000
_FFT = 321  # the model's makers ask for a frame of 320 and one more
_HOP = 160
_MELS = 120
_LINEAR_HZ = 200.0 / 3  # Slaney's mel scale (Auditory Toolbox): linear below 1 kHz, logarithmic above
_BREAK_HZ = 1000.0
_LOG_STEP = np.log(6.4) / 27.0


def mel_spectrogram(samples: NDArray[np.float32]) -> NDArray[np.float64]:
    """Power in 120 mel bands, shape (120, frames): Hann window, frames centred, zeros beyond the ends."""
    padded = np.pad(np.asarray(samples, np.float64), _FFT // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[::_HOP]
    spectrum = np.fft.rfft(frames * _window(), axis=1)
    return np.asarray(_filters() @ np.square(np.abs(spectrum)).T, np.float64)


@cache
def _window() -> NDArray[np.float64]:
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_FFT) / _FFT)


@cache
def _filters() -> NDArray[np.float64]:
    """Triangles of equal area over the bins, shape (120, 161)."""
    bins = np.fft.rfftfreq(_FFT, 1 / _RATE_HZ)
    edges = _hz(np.linspace(0.0, _mel(_RATE_HZ / 2), _MELS + 2))
    rising = (bins[None, :] - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins[None, :]) / np.diff(edges)[1:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    return np.asarray(triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None], np.float64)


def _mel(hz: float) -> float:
    if hz < _BREAK_HZ:
        return hz / _LINEAR_HZ
    return float(_BREAK_HZ / _LINEAR_HZ + np.log(hz / _BREAK_HZ) / _LOG_STEP)


def _hz(mel: NDArray[np.float64]) -> NDArray[np.float64]:
    first = _BREAK_HZ / _LINEAR_HZ
    return np.where(mel < first, mel * _LINEAR_HZ, _BREAK_HZ * np.exp(_LOG_STEP * (mel - first)))
