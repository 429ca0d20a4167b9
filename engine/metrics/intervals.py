"""Intervals for what a table prints: a share and a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.statistics.figures import CONFIDENCE
from engine.statistics.shares import wilson


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval and the number of items it rests on; NaN where there is no value."""

    value: float
    low: float
    high: float
    n: int


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


def share(successes: int, n: int) -> Estimate:
    """A share in 0..1 with its Wilson score interval (Wilson 1927); NaN throughout where ``n`` is 0.

    >>> estimate = share(8, 10)
    >>> round(estimate.low, 4), round(estimate.high, 4)
    (0.4902, 0.9433)
    """
    found = wilson(successes, n)
    return Estimate(found.value, found.low, found.high, n)


def mean(values: Sequence[float]) -> Estimate:
    """The mean of finite ``values`` with Student's t interval; without an interval (NaN) where n is under 2.

    >>> estimate = mean([1.0, 2.0, 3.0])
    >>> estimate.value, round(estimate.low, 3), round(estimate.high, 3)
    (2.0, -0.484, 4.484)
    """
    finite = [value for value in values if math.isfinite(value)]
    n = len(finite)
    if n == 0:
        return NOTHING
    centre = math.fsum(finite) / n
    if n == 1:
        return Estimate(centre, math.nan, math.nan, 1)
    spread = math.sqrt(math.fsum((value - centre) ** 2 for value in finite) / (n - 1))
    half = _t_quantile(n - 1) * spread / math.sqrt(n)
    return Estimate(centre, centre - half, centre + half, n)


def _t_quantile(degrees: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.5 + CONFIDENCE / 2))
