"""Shares of silence and of clipping in a signal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

SILENCE_DBFS = -50.0  # a 20 ms frame whose RMS is below this is silent
FRAME_S = 0.02
CLIPPING_PEAK = 0.999  # of full scale


def silent_share(samples: NDArray[np.floating], sample_rate_hz: int, threshold_dbfs: float = SILENCE_DBFS) -> float:
    """Share of 20 ms frames whose RMS is under ``threshold_dbfs``, 0 to 1; lower is better for an answer.

    Args:
        samples: mono, shape (time,), full scale 1.0.

    Returns:
        1.0 for silence, NaN without samples. A last part of a frame counts as a frame. Not-finite samples are silent.

    >>> silent_share(np.concatenate([np.zeros(1600), np.full(1600, 0.5)]), 16000)
    0.5
    """
    if samples.size == 0:
        return float("nan")
    frame = max(1, round(sample_rate_hz * FRAME_S))
    finite = np.where(np.isfinite(samples), samples, 0.0).astype(np.float64)
    starts = np.arange(0, finite.size, frame)
    power = np.add.reduceat(finite**2, starts) / np.diff(np.append(starts, finite.size))
    return float(np.mean(power < 10 ** (threshold_dbfs / 10)))


def clipped_share(samples: NDArray[np.floating], peak: float = CLIPPING_PEAK) -> float:
    """Share of samples at full scale, 0 to 1; lower is better.

    A sample is clipped when it and a neighbour of the same sign both reach ``peak``: a lone peak may be loud and whole.

    Args:
        samples: shape (time,), full scale 1.0.

    Returns:
        0.0 for silence, NaN without samples.

    >>> clipped_share(np.array([0.2, 1.0, 1.0, 0.3, -1.0, 0.1, 0.0, 0.0]))
    0.25
    """
    if samples.size == 0:
        return float("nan")
    sign = np.where(samples >= peak, 1, np.where(samples <= -peak, -1, 0))
    joined = (sign[1:] == sign[:-1]) & (sign[1:] != 0)
    return float(np.mean(np.append(joined, False) | np.append(False, joined)))
