"""Differences between systems that were rated on the same items, and many tests at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.statistics.figures import ROUNDS, Figure, plain_values
from engine.statistics.resampling import item_means, mean_of_table, method_for, resamples_of_mean

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of (one - other) over common items, its interval, and how likely one so large is by chance.

    ``pairing`` is within_rater where the same rater rated both answers of every common item, so that harsh and lenient
    raters cancel out, else item_means. ``p`` is two-sided, ``p_holm`` the same over all differences of a set; NaN where
    too few items are common.
    """

    figure: Figure
    pairing: str
    p: float
    p_holm: float = math.nan

    def declaration(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        told: dict[str, Any] = plain_values(self)
        return told


def paired_difference(
    one: Numbers, other: Numbers, weights: Numbers | None = None, *, seed: int, rounds: int = ROUNDS
) -> Difference:
    """The difference of two tables of ratings of the same raters and items, shape (raters, items), NaN for none.

    The interval is the bootstrap's that a mean of these tables has; ``p`` is twice the smaller share of resamples on
    either side of 0, so it tells the same as the interval.
    """
    table, pairing = paired(one, other)
    method = method_for(int((np.isfinite(one) | np.isfinite(other)).any(axis=1).sum()))
    if pairing == "item_means":
        method = "bootstrap_items"
    figure = mean_of_table(table, weights, seed=seed, method=method, rounds=rounds)
    if figure.too_few:
        return Difference(figure, pairing, math.nan)
    resamples = resamples_of_mean(table, weights, method=method, seed=seed, rounds=rounds)
    return Difference(figure, pairing, two_sided(resamples))


def paired(one: Numbers, other: Numbers) -> tuple[Numbers, str]:
    """The table of differences and how they were paired; of items with ratings of both alone.

    >>> table, pairing = paired(np.array([[5.0, 3.0], [4.0, np.nan]]), np.array([[4.0, 3.0], [np.nan, 2.0]]))
    >>> table.tolist(), pairing
    ([[1.0, 0.0], [nan, nan]], 'within_rater')
    """
    within = one - other
    of_means = (item_means(one) - item_means(other))[None, :]
    if np.isfinite(within).any(axis=0).sum() == np.isfinite(of_means).sum():
        return within, "within_rater"
    return of_means, "item_means"


def two_sided(resamples: Numbers) -> float:
    """Twice the smaller share of ``resamples`` on either side of 0; one is added to both counts, so it is never 0.

    >>> two_sided(np.array([1.0, 2.0, 3.0]))
    0.5
    """
    finite = resamples[np.isfinite(resamples)]
    smaller = min(int((finite <= 0).sum()), int((finite >= 0).sum()))
    return min(1.0, 2 * (smaller + 1) / (len(finite) + 1))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """The same p values made fit for being read together (Holm 1979); NaN stays NaN and is not counted.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    known = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    adjusted = [math.nan] * len(p_values)
    highest = 0.0
    for rank, (p, place) in enumerate(known):
        highest = max(highest, min(1.0, (len(known) - rank) * p))
        adjusted[place] = highest
    return tuple(adjusted)
