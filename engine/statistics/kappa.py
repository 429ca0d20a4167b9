"""Agreement of two raters from their table of counts: per cent, Cohen's and weighted kappa, Gwet's AC1.

A table of counts has the shape (..., steps, steps): rows are the one rater's steps, columns the other's, and every step
of the scale has its row, also one that nobody used; without it 2 and 4 would count as neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.statistics.figures import ROUNDS, Figure, TooFew
from engine.statistics.resampling import percentile_interval, resampled

Numbers = NDArray[np.float64]
Statistic = Callable[[Numbers], Numbers]

ITEMS = 50  # under these a 95 % interval of kappa covers 80 to 90 %
RARE = 10  # of two classes, the rarer; under these likewise


def counts_of(one: Sequence[Hashable], other: Sequence[Hashable], steps: Sequence[Hashable]) -> Numbers:
    """The table of counts of two raters' values for the same items; a value that is no step is a KeyError.

    >>> counts_of([1, 2, 2], [1, 2, 1], [1, 2, 3]).tolist()
    [[1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return np.asarray(counts_by_item(one, other, steps).sum(axis=0))


def counts_by_item(
    one: Sequence[Hashable],
    other: Sequence[Hashable],
    steps: Sequence[Hashable],
    clusters: Sequence[Hashable] | None = None,
) -> Numbers:
    """A table of counts for each item, shape (items, steps, steps), or for each cluster of items where these are given.

    A cluster is what is drawn together in a bootstrap: all systems' answers to one question.
    """
    place = {step: index for index, step in enumerate(steps)}
    names = range(len(one)) if clusters is None else clusters
    of_cluster = {name: index for index, name in enumerate(dict.fromkeys(names))}
    counts = np.zeros((len(of_cluster), len(steps), len(steps)))
    for name, a, b in zip(names, one, other, strict=True):
        counts[of_cluster[name], place[a], place[b]] += 1
    return counts


def percent_agreement(counts: Numbers) -> Numbers:
    """The share of items on which both gave the same step, 0..1; NaN of none. Say chance beside it.

    >>> float(percent_agreement(np.array([[40, 9], [6, 45]])))
    0.85
    """
    return _ratio(np.trace(counts, axis1=-2, axis2=-1), counts.sum(axis=(-2, -1)))


def chance_agreement(counts: Numbers) -> Numbers:
    """The share on which two raters with these habits would agree by chance, 0..1 (Cohen 1960); NaN of none."""
    rows, columns, _ = _shares(counts)
    return np.asarray((rows * columns).sum(axis=-1))


def cohen_kappa(counts: Numbers) -> Numbers:
    """Cohen's kappa (Cohen 1960): 1 for full agreement, 0 for that of chance; NaN where both gave one same step only.

    >>> round(float(cohen_kappa(np.array([[88, 10, 2], [14, 40, 6], [18, 10, 12]]))), 4)
    0.4915
    """
    return weighted_kappa(counts, disagreements(counts.shape[-1], "nominal"))


def weighted_kappa(counts: Numbers, weights: Numbers) -> Numbers:
    """Weighted kappa (Cohen 1968) by weights of disagreement, shape (steps, steps), 0 on the diagonal.

    NaN where nothing could differ by chance.

    >>> table, weights = np.array([[88, 10, 2], [14, 40, 6], [18, 10, 12]]), np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]])
    >>> round(float(weighted_kappa(table, weights)), 4)
    0.3478
    """
    rows, columns, shares = _shares(counts)
    expected = (weights * rows[..., :, None] * columns[..., None, :]).sum(axis=(-2, -1))
    return np.asarray(1 - _ratio((weights * shares).sum(axis=(-2, -1)), expected))


def disagreements(steps: int, kind: Literal["nominal", "linear", "quadratic"]) -> Numbers:
    """Weights of disagreement between the steps of a scale, shape (steps, steps).

    >>> disagreements(3, "quadratic").tolist()
    [[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]
    """
    apart = np.abs(np.subtract.outer(np.arange(steps), np.arange(steps))).astype(np.float64)
    return {"nominal": np.minimum(apart, 1), "linear": apart, "quadratic": apart**2}[kind]


def gwet_ac1(counts: Numbers) -> Numbers:
    """Gwet's AC1 (Gwet 2008), for a rare class beside kappa; 1.0 where both gave one same step only, NaN of none.

    >>> round(float(gwet_ac1(np.array([[118, 5], [2, 0]]))), 4)
    0.9408
    """
    rows, columns, shares = _shares(counts)
    used = (rows + columns) / 2
    chance = (used * (1 - used)).sum(axis=-1) / (counts.shape[-1] - 1)
    return np.asarray((np.trace(shares, axis1=-2, axis2=-1) - chance) / (1 - chance))


def with_interval(by_item: Numbers, statistic: Statistic, *, seed: int, rounds: int = ROUNDS) -> Figure:
    """A statistic of the sum of ``counts_by_item`` with the percentile interval of a bootstrap over its items.

    Under 50 items, or 10 of the rarer of two classes: too few. ``n`` is the number of items, or of clusters.
    """
    n, steps = len(by_item), by_item.shape[-1]
    counts = by_item.sum(axis=0)
    value = float(statistic(counts))
    lack = _lack(counts, n)
    if lack or math.isnan(value):
        return Figure(value, n=n, too_few=lack)
    drawn = resampled(n, np.random.default_rng(seed), rounds) @ by_item.reshape(n, -1)
    low, high = percentile_interval(statistic(drawn.reshape(rounds, steps, steps)))
    return Figure(value, low, high, n, "bootstrap_items")


def _lack(counts: Numbers, n: int) -> TooFew | None:
    if n < ITEMS:
        return TooFew("items", n, ITEMS)
    if len(counts) == 2:
        rare = int((counts.sum(axis=0) + counts.sum(axis=1)).min() / 2)
        if rare < RARE:
            return TooFew("rare", rare, RARE)
    return None


def _shares(counts: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    shares = _ratio(counts, counts.sum(axis=(-2, -1), keepdims=True))
    return shares.sum(axis=-1), shares.sum(axis=-2), shares


def _ratio(top: Numbers, bottom: Numbers) -> Numbers:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(bottom > 0, top / bottom, np.nan))
