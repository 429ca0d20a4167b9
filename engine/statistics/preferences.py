"""Comparisons of two answers: shares with ties, and whether what is heard first has an advantage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.statistics.figures import Figure, plain_values
from engine.statistics.shares import sign_test, wilson


@dataclass(frozen=True, slots=True)
class Split:
    """How comparisons went: times each was better, ties, and the share of the one with its Wilson interval.

    In ``share`` a tie is half a win for each. ``p`` is the exact two-sided probability of so uneven a split among
    those decided if both were equally good; it takes comparisons for independent.
    """

    wins: int
    ties: int
    losses: int
    share: Figure
    p: float

    def declaration(self) -> dict[str, Any]:
        """The same as plain values for JSON."""
        told: dict[str, Any] = plain_values(self)
        return told


def split(outcomes: Iterable[float], units: float | None = None) -> Split:
    """Comparisons as numbers (above 0 the one was better, 0 a tie, below 0 the other), counted.

    ``units`` is how many independent ones they amount to, where several raters compared the same answers; the interval
    rests on it. NaN where there are none.

    >>> counted = split([1, 1, 0, -1])
    >>> counted.wins, counted.ties, counted.losses, counted.share.value
    (2, 1, 1, 0.625)
    """
    signs = np.sign(np.asarray(list(outcomes), dtype=np.float64))
    wins, ties, losses = (int((signs == sign).sum()) for sign in (1, 0, -1))
    n = wins + ties + losses
    share = (wins + ties / 2) / n if n else 0.0
    return Split(wins, ties, losses, wilson(share * (units or n), units or n), sign_test(wins, losses))


@dataclass(frozen=True, slots=True)
class BothOrders:
    """Comparisons made in both orders: the share that went the same way, and which way the others flipped."""

    consistent: float
    first_only: int
    second_only: int
    p: float


def both_orders(forward: NDArray[np.integer], backward: NDArray[np.integer]) -> BothOrders:
    """Whether place decides: 1 where A won, in ``forward`` heard first, in ``backward`` second; 0 where it lost.

    Only flips tell: A winning first and losing second is a pull to the first place. ``p`` is the exact two-sided
    probability of flips so uneven; ``consistent`` is NaN of none.

    >>> both_orders(np.array([1, 1, 0, 1]), np.array([1, 0, 0, 0])).first_only
    2
    """
    first, second = (int((forward > backward).sum()), int((forward < backward).sum()))
    consistent = float(np.mean(forward == backward)) if len(forward) else float("nan")
    return BothOrders(consistent, first, second, sign_test(first, second))
