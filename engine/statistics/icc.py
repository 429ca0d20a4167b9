"""Intraclass correlations of a complete table (Shrout & Fleiss 1979)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.statistics.figures import ROUNDS, Figure, TooFew
from engine.statistics.resampling import percentile_interval

Numbers = NDArray[np.float64]

ITEMS = 20


def complete_items(table: Numbers) -> Numbers:
    """The items that every rater rated, turned to the shape (items, raters) that the correlations here take."""
    return np.asarray(table[:, np.isfinite(table).all(axis=0)].T)


def icc_one_way(ratings: Numbers) -> Numbers:
    """ICC(1,1): of one rating, raters interchangeable, as repeats of one rater are; NaN without variation.

    ``ratings`` here and below has the shape (..., items, raters) without gaps; NaN under 2 items or 2 raters.

    >>> judges = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> round(float(icc_one_way(judges)), 3)
    0.166
    """
    k = ratings.shape[-1]
    between, within, _, _ = _mean_squares(ratings)
    return _ratio(between - within, between + (k - 1) * within)


def icc_agreement(ratings: Numbers) -> Numbers:
    """ICC(2,1), also ICC(A,1): of one rating, raters a sample, a constant offset counts against them.

    >>> judges = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> round(float(icc_agreement(judges)), 3)
    0.29
    """
    n, k = ratings.shape[-2:]
    between, _, of_raters, error = _mean_squares(ratings)
    return _ratio(between - error, between + (k - 1) * error + k * (of_raters - error) / n)


def icc_consistency(ratings: Numbers) -> Numbers:
    """ICC(3,1): of one rating, these raters alone, a constant offset is forgiven.

    >>> judges = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> round(float(icc_consistency(judges)), 3)
    0.715
    """
    k = ratings.shape[-1]
    between, _, _, error = _mean_squares(ratings)
    return _ratio(between - error, between + (k - 1) * error)


def icc_of_mean(ratings: Numbers) -> Numbers:
    """ICC(2,k): of the mean of all raters, which is what a mean opinion score is.

    >>> judges = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    >>> round(float(icc_of_mean(judges)), 3)
    0.62
    """
    n = ratings.shape[-2]
    between, _, of_raters, error = _mean_squares(ratings)
    return _ratio(between - error, between + (of_raters - error) / n)


def icc_with_interval(
    ratings: Numbers,
    statistic: Callable[[Numbers], Numbers],
    *,
    seed: int,
    clusters: NDArray[np.integer] | None = None,
    rounds: int = ROUNDS,
) -> Figure:
    """One of the correlations above with the percentile interval of a bootstrap over items.

    ``clusters`` numbers items that are drawn together, shape (items,). ``n`` is the number of items, or of clusters;
    under 20 of them, or 2 raters: too few.
    """
    k = ratings.shape[1]
    names = np.arange(len(ratings)) if clusters is None else clusters
    together = [np.flatnonzero(names == name) for name in np.unique(names)]
    n = len(together)
    value = float(statistic(ratings))
    if k < 2:
        return Figure(math.nan, n=n, too_few=TooFew("raters", k, 2))
    if n < ITEMS:
        return Figure(value, n=n, too_few=TooFew("items", n, ITEMS))
    rng = np.random.default_rng(seed)
    resamples = np.empty(rounds)
    for turn in range(rounds):
        drawn = np.concatenate([together[place] for place in rng.integers(0, n, n)])
        resamples[turn] = float(statistic(ratings[drawn]))
    return Figure(value, *percentile_interval(resamples), n, "bootstrap_items")


def _mean_squares(ratings: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Mean squares between items, within items, between raters, and of what is left."""
    n, k = ratings.shape[-2:]
    if n < 2 or k < 2:
        nothing = np.full(ratings.shape[:-2], np.nan)
        return nothing, nothing, nothing, nothing
    centre = ratings.mean(axis=(-2, -1), keepdims=True)
    of_items, of_raters = ratings.mean(axis=-1, keepdims=True), ratings.mean(axis=-2, keepdims=True)
    between = k * ((of_items - centre) ** 2).sum(axis=(-2, -1)) / (n - 1)
    within = ((ratings - of_items) ** 2).sum(axis=(-2, -1)) / (n * (k - 1))
    raters = n * ((of_raters - centre) ** 2).sum(axis=(-2, -1)) / (k - 1)
    left = ((ratings - of_items - of_raters + centre) ** 2).sum(axis=(-2, -1)) / ((n - 1) * (k - 1))
    return between, within, raters, left


def _ratio(top: Numbers, bottom: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(np.abs(bottom) > 1e-12, top / bottom, np.nan))
