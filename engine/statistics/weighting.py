"""What unequal chances of being picked cost, and how a list of values is spread."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def effective_number(weights: Numbers) -> float:
    """How many equally weighted items these are worth (Kish 1965): (sum w)^2 / sum w^2; 0.0 of none.

    >>> effective_number(np.array([1.0, 1.0, 2.0]))
    2.6666666666666665
    """
    return float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0


def design_effect(weights: Numbers) -> float:
    """By how much unequal weights blow up the variance of a mean (Kish 1965), 1.0 for none; NaN of no items.

    >>> design_effect(np.array([1.0, 1.0, 2.0]))
    1.125
    """
    return len(weights) / effective_number(weights) if len(weights) else math.nan


def entropy_share(counts: Sequence[int]) -> float:
    """How evenly the steps of a scale were used: Shannon's entropy over that of even use, 0..1; NaN of none.

    >>> entropy_share([5, 5, 0, 0])
    0.5
    """
    shares = np.array([count for count in counts if count], dtype=np.float64)
    if not len(shares) or len(counts) < 2:
        return math.nan
    shares /= shares.sum()
    return float(-(shares * np.log(shares)).sum() / math.log(len(counts))) + 0.0
