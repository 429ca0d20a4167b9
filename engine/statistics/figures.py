"""What a statistic comes back as: a value with its interval, or the reason why it has none."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

CONFIDENCE = 0.95
ROUNDS = 2000  # resamples of every bootstrap: the ends of a 95 % interval then move by about a hundredth of its width


def plain_values(value: Any) -> Any:
    """``value`` as JSON can hold it: dataclasses become dicts, tuples lists, NaN and infinity None.

    >>> plain_values((0.5, math.nan, "so"))
    [0.5, None, 'so']
    """
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_values(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return [plain_values(each) for each in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    return value


@dataclass(frozen=True, slots=True)
class TooFew:
    """Why there is no interval: ``have`` of what ``of`` names (items, raters, rare, links), where ``needed`` are."""

    of: str
    have: int
    needed: int


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
        """The same as plain values for JSON."""
        told: dict[str, Any] = plain_values(self)
        return told
