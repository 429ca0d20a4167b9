"""What a statistic comes back as: a value with its interval, or the reason why it has none."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

CONFIDENCE = 0.95
ROUNDS = 2000  # resamples of every bootstrap: the ends of a 95 % interval then move by about a hundredth of its width


@dataclass(frozen=True, slots=True)
class TooFew:
    """Why there is no interval: ``have`` of what ``of`` names (items, raters, rare, links), where ``needed`` are."""

    of: str
    have: int
    needed: int

    def declaration(self) -> dict[str, Any]:
        """The same as plain values."""
        return {"of": self.of, "have": self.have, "needed": self.needed}


@dataclass(frozen=True, slots=True)
class Figure:
    """A value with its 95 % interval; NaN where there is no value or no interval.

    ``n`` is the number of units the interval rests on, ``method`` how it was made (t, wilson, exact, bootstrap_items,
    bootstrap_two_way, or "" for none). ``too_few`` stands in the place of an interval that would not hold.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    method: str = ""
    too_few: TooFew | None = None

    @property
    def has_interval(self) -> bool:
        """Whether both ends are there."""
        return math.isfinite(self.low) and math.isfinite(self.high)

    def declaration(self) -> dict[str, Any]:
        """The same as plain values; NaN becomes None, which JSON has a word for."""
        return {
            "value": plain(self.value),
            "low": plain(self.low),
            "high": plain(self.high),
            "n": self.n,
            "method": self.method,
            "too_few": self.too_few and self.too_few.declaration(),
        }


def plain(value: float) -> float | None:
    """``value``, or None where it is NaN or infinite.

    >>> plain(0.5), plain(math.nan)
    (0.5, None)
    """
    return float(value) if math.isfinite(value) else None
