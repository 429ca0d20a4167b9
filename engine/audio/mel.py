"""Slaney's mel scale, and bands of frequency as weights over the bins of a spectrum."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

Scale = Literal["mel", "linear"]

_LINEAR_HZ = 200.0 / 3  # Auditory Toolbox: linear below 1 kHz, logarithmic above
_BREAK_HZ = 1000.0
_BREAK = _BREAK_HZ / _LINEAR_HZ
_LOG_STEP = np.log(6.4) / 27.0


def mel_of(hz: NDArray[np.floating]) -> NDArray[np.float64]:
    """Mel of frequencies from 0 Hz up.

    >>> [round(float(mel), 2) for mel in mel_of(np.array([0.0, 200.0, 1000.0, 6400.0]))]
    [0.0, 3.0, 15.0, 42.0]
    """
    hz = np.asarray(hz, np.float64)
    above = _BREAK + np.log(np.maximum(hz, _BREAK_HZ) / _BREAK_HZ) / _LOG_STEP
    return np.where(hz < _BREAK_HZ, hz / _LINEAR_HZ, above)


def hz_of(mel: NDArray[np.floating]) -> NDArray[np.float64]:
    """Frequencies of mels: the inverse of ``mel_of``."""
    mel = np.asarray(mel, np.float64)
    return np.where(mel < _BREAK, mel * _LINEAR_HZ, _BREAK_HZ * np.exp(_LOG_STEP * (mel - _BREAK)))


def height_of(hz: float, top_hz: float, scale: Scale) -> float:
    """How far up a frequency stands on an axis from 0 Hz (0.0) to ``top_hz`` (1.0).

    >>> height_of(6000.0, 12000.0, "linear")
    0.5
    """
    if scale == "linear":
        return hz / top_hz
    return float(mel_of(np.array(hz)) / mel_of(np.array(top_hz)))


def band_edges(bands: int, top_hz: float, scale: Scale) -> NDArray[np.float64]:
    """Edges and middles of ``bands`` bands from 0 Hz to ``top_hz``, each with the middles beside it as its edges.

    Shape (bands + 2,), in Hz.
    """
    if scale == "linear":
        return np.linspace(0.0, top_hz, bands + 2)
    return hz_of(np.linspace(0.0, float(mel_of(np.array(top_hz))), bands + 2))


def band_weights(edges: NDArray[np.float64], bins_hz: NDArray[np.float64]) -> NDArray[np.float64]:
    """Triangles of height 1 over the bins, shape (bands, bins): together they weigh each frequency once.

    Args:
        edges: as ``band_edges`` gives them.
        bins_hz: the frequency of each bin, rising.
    """
    rising = (bins_hz[None, :] - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins_hz[None, :]) / np.diff(edges)[1:, None]
    return np.asarray(np.maximum(0.0, np.minimum(rising, falling)), np.float64)
