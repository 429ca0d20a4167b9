"""Samples that arithmetic survives: not NaN, not infinite, not so large that a sum of squares would be."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Even 32-bit integers stored as floats without scaling stay under 2.2e9; what is larger comes from broken bytes.
LARGEST_SAMPLE = 1e10


def are_finite(samples: NDArray[np.floating]) -> NDArray[np.bool_]:
    """Which samples are numbers of at most ``LARGEST_SAMPLE`` in magnitude; the shape of ``samples``."""
    return np.asarray(np.abs(samples) <= LARGEST_SAMPLE)


def without_non_finite(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """The samples with those that are not finite replaced by zeros; the same array when there are none."""
    finite = are_finite(samples)
    return samples if finite.all() else np.where(finite, samples, np.float32(0))
