"""Krippendorff's alpha: agreement of any number of raters, ratings missing where they are missing."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.statistics.figures import ROUNDS, Figure, TooFew
from engine.statistics.resampling import percentile_interval, resampled

Numbers = NDArray[np.float64]
Whole = NDArray[np.integer]
Level = Literal["nominal", "ordinal", "interval"]

ITEMS = 30  # rated by two or more; under these the bootstrap interval of alpha covers less than it says
RARE = 10  # items with the rarer of two values; under these likewise


def krippendorff_alpha(table: Numbers, level: Level) -> float:
    """Krippendorff's alpha: 1 for full agreement, 0 for that of chance; by the coincidence matrix (Krippendorff 2011).

    ``table`` has the shape (raters, items), NaN where a rater did not rate; items with fewer than two ratings drop
    out. NaN where nothing was rated twice, or all ratings are the same: there is then nothing to disagree about.

    >>> meg, owen = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    >>> round(krippendorff_alpha(np.array([meg, owen], dtype=float), "nominal"), 4)
    0.0952
    """
    coincidences, values = item_coincidences(table)
    return float(_alpha(coincidences.sum(axis=0)[None], values, level)[0])


def alpha_with_interval(
    table: Numbers, level: Level, *, seed: int, clusters: Whole | None = None, rounds: int = ROUNDS
) -> Figure:
    """Krippendorff's alpha with the percentile interval of a bootstrap over items, which keep all their ratings.

    ``clusters`` numbers what belongs together and is drawn together, shape (items,): all systems' answers to one
    question. ``n`` is the number of items, or clusters, with one that two or more rated; under 30 of them, or where
    only two values were given and under 10 have the rarer one: too few. Resamples without any variation have no alpha
    and are left out.
    """
    coincidences, values = cluster_coincidences(table, clusters)
    with_value = coincidences.sum(axis=2) > 0
    n = int(with_value.any(axis=1).sum())
    value = float(_alpha(coincidences.sum(axis=0)[None], values, level)[0])
    if n < ITEMS:
        return Figure(value, n=n, too_few=TooFew("items", n, ITEMS))
    if math.isnan(value):
        return Figure(value, n=n)
    rare = int(with_value.sum(axis=0).min())
    if len(values) == 2 and rare < RARE:
        return Figure(value, n=n, too_few=TooFew("rare", rare, RARE))
    resamples = resamples_of_alpha(table, level, seed=seed, clusters=clusters, rounds=rounds)
    return Figure(value, *percentile_interval(resamples), n, "bootstrap_items")


def resamples_of_alpha(
    table: Numbers, level: Level, *, seed: int, clusters: Whole | None = None, rounds: int = ROUNDS
) -> Numbers:
    """Alpha of each resample of the items, shape (rounds,); items rated once are not among them."""
    coincidences, values = cluster_coincidences(table, clusters)
    coincidences = coincidences[coincidences.sum(axis=(1, 2)) > 0]
    n, steps = len(coincidences), len(values)
    if n == 0:
        return np.empty(0)
    drawn = resampled(n, np.random.default_rng(seed), rounds)
    return _alpha((drawn @ coincidences.reshape(n, -1)).reshape(rounds, steps, steps), values, level)


def item_coincidences(table: Numbers) -> tuple[Numbers, Numbers]:
    """Each item's share of the coincidence matrix, shape (items, values, values), and the values found, ascending.

    Every ordered pair of an item's m ratings counts 1 / (m - 1), so an item weighs as much as it has ratings.
    """
    values = np.unique(table[np.isfinite(table)])
    counts = (table[:, :, None] == values).sum(axis=0).astype(np.float64)
    ratings = counts.sum(axis=1)
    pairs = counts[:, :, None] * counts[:, None, :]
    at = np.arange(len(values))
    pairs[:, at, at] -= counts
    return np.where(ratings > 1, 1 / np.maximum(ratings - 1, 1), 0.0)[:, None, None] * pairs, values


def cluster_coincidences(table: Numbers, clusters: Whole | None) -> tuple[Numbers, Numbers]:
    """The same summed over the items of each cluster; without clusters each item is its own."""
    coincidences, values = item_coincidences(table)
    if clusters is None:
        return coincidences, values
    summed = np.zeros((int(clusters.max(initial=-1)) + 1, len(values), len(values)))
    np.add.at(summed, clusters, coincidences)
    return summed, values


def _alpha(coincidences: Numbers, values: Numbers, level: Level) -> Numbers:
    totals = coincidences.sum(axis=-1)
    n = totals.sum(axis=-1)
    distance = _distances(totals, values, level)
    observed = (coincidences * distance).sum(axis=(-2, -1))
    expected = (totals[:, :, None] * totals[:, None, :] * distance).sum(axis=(-2, -1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(expected > 0, 1 - (n - 1) * observed / expected, np.nan))


def _distances(totals: Numbers, values: Numbers, level: Level) -> Numbers:
    """Squared differences between values; the ordinal ones depend on how often each was given."""
    if level == "nominal":
        return np.asarray(1 - np.eye(len(values)))[None]
    if level == "interval":
        return np.asarray((values[:, None] - values) ** 2)[None]
    upto = np.cumsum(totals, axis=-1) - totals / 2
    return np.asarray((upto[:, :, None] - upto[:, None, :]) ** 2)
