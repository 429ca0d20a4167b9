"""Correlation of two lists, for ranking: it says nothing of whether they agree."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def pearson(one: Numbers, other: Numbers) -> float:
    """Pearson's correlation over the places where both have a value; NaN under 3, or without variation.

    >>> round(pearson(np.array([1.0, 2.0, 3.0, np.nan]), np.array([2.0, 4.0, 5.0, 1.0])), 4)
    0.982
    """
    both = np.isfinite(one) & np.isfinite(other)
    x, y = one[both], other[both]
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return math.nan
    return float(np.corrcoef(x, y)[0, 1])


def spearman(one: Numbers, other: Numbers) -> float:
    """Spearman's rank correlation, ties at their mean rank; NaN as for ``pearson``."""
    from scipy.stats import rankdata

    both = np.isfinite(one) & np.isfinite(other)
    return pearson(rankdata(one[both]), rankdata(other[both]))
