"""Intervals and tests of a share: Wilson, exact, and the sign test."""

from __future__ import annotations

import math

from engine.statistics.figures import CONFIDENCE, Figure


def wilson(successes: float, n: float) -> Figure:
    """A share in 0..1 with the Wilson score interval (Wilson 1927); NaN throughout where ``n`` is 0.

    Both may be fractions: ties count half, and a weighted share has an effective ``n``.

    >>> figure = wilson(81, 263)
    >>> round(figure.value, 4), round(figure.low, 4), round(figure.high, 4)
    (0.308, 0.2553, 0.3662)
    """
    if n <= 0:
        return Figure(math.nan)
    z = _normal_quantile()
    p = successes / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)  # rounding must not leave 1e-18 where no success is
    high = 1.0 if successes == n else min(1.0, centre + half)
    return Figure(p, low, high, math.floor(n), "wilson")


def exact(successes: int, n: int) -> Figure:
    """A share in 0..1 with the exact binomial interval (Clopper & Pearson 1934); NaN throughout where ``n`` is 0.

    >>> figure = exact(0, 10)
    >>> figure.low, round(figure.high, 4)
    (0.0, 0.3085)
    """
    from scipy.special import betaincinv

    if n == 0:
        return Figure(math.nan)
    tail = (1 - CONFIDENCE) / 2
    low = 0.0 if successes == 0 else float(betaincinv(successes, n - successes + 1, tail))
    high = 1.0 if successes == n else float(betaincinv(successes + 1, n - successes, 1 - tail))
    return Figure(successes / n, low, high, n, "exact")


def sign_test(ups: int, downs: int) -> float:
    """Two-sided exact probability of a split at least this uneven if both ways are equally likely; 1.0 for none.

    >>> sign_test(5, 0)
    0.0625
    """
    from scipy.special import bdtr

    n = ups + downs
    return min(1.0, 2 * float(bdtr(min(ups, downs), n, 0.5))) if n else 1.0


def _normal_quantile() -> float:
    from scipy.special import ndtri

    return float(ndtri(0.5 + CONFIDENCE / 2))
