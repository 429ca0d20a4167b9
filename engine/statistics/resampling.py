"""Bootstrap of a mean: over items, and over raters and items together.

A table of ratings has the shape (raters, items), NaN where a rater did not rate an item. Its mean is the mean of its
items' means, so that an item counts once however many rated it; ``weights`` (1 / inclusion probability) make it the
ratio estimator of Hajek 1971.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.metrics.intervals import mean
from engine.statistics.figures import CONFIDENCE, ROUNDS, Figure, TooFew
from engine.statistics.shares import wilson

Numbers = NDArray[np.float64]

ITEMS = 20  # under these the percentile bootstrap of a mean of ratings covers less than it says
FEWEST_VALUES = 3  # two ratings have a t interval of 9 times their standard deviation to either side
RATERS = 8  # from these on raters are resampled too: fewer are no sample of raters, but these raters


def item_means(table: Numbers) -> Numbers:
    """The mean of each item over its raters, shape (items,); NaN for an item nobody rated."""
    counts = np.isfinite(table).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.nansum(table, axis=0) / np.where(counts, counts, np.nan))


def weighted_mean(values: Numbers, weights: Numbers | None = None) -> float:
    """The mean of the finite ``values``, weighted; NaN of none.

    >>> weighted_mean(np.array([1.0, 4.0, np.nan]), np.array([3.0, 1.0, 9.0]))
    1.75
    """
    rated = np.isfinite(values)
    if not rated.any():
        return math.nan
    w = np.ones(len(values)) if weights is None else weights
    return float(np.sum(w[rated] * values[rated]) / np.sum(w[rated]))


def t_interval(values: Numbers) -> Figure:
    """The mean of the finite ``values`` with Student's t interval; no interval under 2, NaN throughout of none.

    >>> figure = t_interval(np.array([1.0, 2.0, 3.0]))
    >>> figure.value, round(figure.low, 3), round(figure.high, 3)
    (2.0, -0.484, 4.484)
    """
    found = mean(values.tolist())
    return Figure(found.value, found.low, found.high, found.n, "t" if found.n > 1 else "")


def interval_within(values: Numbers, low: float, high: float, of: str) -> Figure:
    """The mean of the finite ``values``, which lie in ``low``..``high``, with an interval that stays there.

    Student's t, its ends cut to the range: nothing outside it can be the mean. Where all values are the same t has no
    width, as if few of a kind were certain; then Wilson's interval of the place in the range, which takes each value as
    widely spread as it could be. Under 3 values: too few ``of``.

    >>> figure = interval_within(np.array([5.0, 4.0, 5.0]), 1.0, 5.0, "ratings")
    >>> round(figure.low, 3), figure.high
    (3.232, 5.0)
    >>> figure = interval_within(np.array([5.0, 5.0, 5.0]), 1.0, 5.0, "ratings")
    >>> round(figure.low, 3), figure.high, figure.method
    (2.754, 5.0, 'wilson')
    """
    found = t_interval(values)
    if 0 < found.n < FEWEST_VALUES:
        return Figure(found.value, n=found.n, too_few=TooFew(of, found.n, FEWEST_VALUES))
    if found.n and found.low == found.high and high > low:
        share = wilson((found.value - low) / (high - low) * found.n, found.n)
        span = high - low
        return Figure(found.value, low + span * share.low, low + span * share.high, found.n, "wilson")
    return replace(found, low=max(found.low, low), high=min(found.high, high))


def resampled(n: int, rng: np.random.Generator, rounds: int = ROUNDS) -> Numbers:
    """How often each of ``n`` units is drawn in each resample, shape (rounds, n); every row sums to ``n``."""
    drawn = rng.integers(0, n, (rounds, n)) + n * np.arange(rounds)[:, None]  # an eighth of the time of a multinomial
    return np.bincount(drawn.ravel(), minlength=rounds * n).reshape(rounds, n).astype(np.float64)


def bootstrap_over_items(
    values: Numbers, weights: Numbers | None = None, *, seed: int, rounds: int = ROUNDS
) -> Numbers:
    """The mean of each resample of the finite ``values`` (one per item), shape (rounds,); empty for none.

    >>> means = bootstrap_over_items(np.array([1.0, 0.0, 1.0, 1.0, 0.0]), seed=1, rounds=20_000)
    >>> bool(abs(means.mean() - 0.6) < 0.01), bool(abs(means.std() - 0.2191) < 0.01)
    (True, True)
    """
    rated = np.isfinite(values)
    n = int(rated.sum())
    if n == 0:
        return np.empty(0)
    drawn = resampled(n, np.random.default_rng(seed), rounds)
    if weights is not None:
        drawn *= weights[rated]
    return np.asarray(drawn @ values[rated] / drawn.sum(axis=1))


def bootstrap_two_way(table: Numbers, weights: Numbers | None = None, *, seed: int, rounds: int = ROUNDS) -> Numbers:
    """The mean of each resample of raters and, apart from them, of items, shape (rounds,).

    Owen 2007, *The pigeonhole bootstrap*: it errs towards wide. Raters and items without a rating are not drawn. An
    item none of whose raters were drawn drops out of that resample; NaN where all did.
    """
    rng = np.random.default_rng(seed)
    rated = np.isfinite(table)
    weights = weights if weights is None else weights[rated.any(axis=0)]
    table = table[np.ix_(rated.any(axis=1), rated.any(axis=0))]
    of_raters = resampled(table.shape[0], rng, rounds)
    of_items = resampled(table.shape[1], rng, rounds)
    counts = of_raters @ np.isfinite(table).astype(np.float64)
    sums = of_raters @ np.nan_to_num(table)
    of_items = np.where(counts > 0, of_items if weights is None else of_items * weights, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / np.where(counts > 0, counts, 1.0)
        return np.asarray((of_items * means).sum(axis=1) / of_items.sum(axis=1))


def percentile_interval(resamples: Numbers) -> tuple[float, float]:
    """The middle 95 % of ``resamples`` that have a value; NaN for none.

    >>> low, high = percentile_interval(np.arange(1001.0))
    >>> round(low, 6), round(high, 6)
    (25.0, 975.0)
    """
    finite = resamples[np.isfinite(resamples)]
    if not len(finite):
        return math.nan, math.nan
    low, high = np.quantile(finite, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(low), float(high)


def method_for(raters: int) -> str:
    """How the mean of so many raters gets its interval.

    >>> method_for(7), method_for(8)
    ('bootstrap_items', 'bootstrap_two_way')
    """
    return "bootstrap_two_way" if raters >= RATERS else "bootstrap_items"


def resamples_of_mean(
    table: Numbers, weights: Numbers | None = None, *, method: str, seed: int, rounds: int = ROUNDS
) -> Numbers:
    """The resamples of a table's mean by ``method`` (see ``method_for``)."""
    if method == "bootstrap_two_way":
        return bootstrap_two_way(table, weights, seed=seed, rounds=rounds)
    return bootstrap_over_items(item_means(table), weights, seed=seed, rounds=rounds)


def mean_of_table(
    table: Numbers, weights: Numbers | None = None, *, seed: int, method: str | None = None, rounds: int = ROUNDS
) -> Figure:
    """The mean of the items' means with its bootstrap interval; ``n`` is the number of items that have a rating.

    Under 8 raters items alone are resampled and the interval speaks of these raters; from 8 on raters too. Under 20
    items: too few. NaN where nothing is rated.
    """
    rated = np.isfinite(table)
    means = item_means(table)
    n = int(np.isfinite(means).sum())
    value = weighted_mean(means, weights)
    if n < ITEMS:
        return Figure(value, n=n, too_few=TooFew("items", n, ITEMS))
    how = method or method_for(int(rated.any(axis=1).sum()))
    low, high = percentile_interval(resamples_of_mean(table, weights, method=how, seed=seed, rounds=rounds))
    return Figure(value, low, high, n, how)


def without_each_rater(table: Numbers, weights: Numbers | None = None) -> Numbers:
    """The mean of the items' means with each rater left out in turn, shape (raters,); NaN where nothing remains.

    >>> without_each_rater(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, np.nan]])).tolist()
    [4.0, 2.5, 2.5]
    """
    rows = range(table.shape[0])
    return np.array([weighted_mean(item_means(np.delete(table, row, axis=0)), weights) for row in rows])
