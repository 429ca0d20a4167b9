"""The mel spectrogram that DNSMOS P.808 was trained on, as librosa computes it, by numpy alone."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.audio.mel import band_edges, band_weights

_RATE_HZ = 16_000
_FFT = 321  # the model's makers ask for a frame of 320 and one more
_HOP = 160
_MELS = 120


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
    bins = np.asarray(np.fft.rfftfreq(_FFT, 1 / _RATE_HZ), np.float64)
    edges = band_edges(_MELS, _RATE_HZ / 2, "mel")
    triangles = band_weights(edges, bins)
    return np.asarray(triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None], np.float64)
