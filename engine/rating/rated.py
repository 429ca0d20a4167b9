"""Rows of ratings as the arrays that statistics take: which of them count, and where each stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.rating.values import Protocol, Scale, Value
from engine.store.rating_rows import RatingRow

Numbers = NDArray[np.float64]
Number = Callable[[RatingRow], float]

#: What the steps of a choice between two answers mean for the one heard first.
FIRST = {"first": 1.0, "same": 0.0, "second": -1.0}


def of_protocol(rows: Iterable[RatingRow], protocol: Protocol) -> list[RatingRow]:
    """The current ratings under that protocol and version, in whatever language; before the reveal where that counts.

    Training, gold, traps and hidden repeats are still among them.
    """
    before = protocol.reveals == "after_commit"
    return [
        row
        for row in rows
        if (row.protocol, row.protocol_version) == (protocol.id, protocol.version)
        and row.is_current
        and row.value is not None
        and (row.is_before_reveal or not before)
    ]


def is_on(scale: Scale, row: RatingRow) -> bool:
    """Whether the row is one of ``scale`` with a value that it has."""
    return row.scale == scale.id and row.value in scale.values


def is_preference(scale: Scale) -> bool:
    """Whether the steps of ``scale`` say which of two answers is better."""
    return scale.kind == "signed" or set(scale.values) <= set(FIRST)


def of_first(value: Value | float) -> float:
    """How much better the answer heard first is by that value: signed steps speak of the second.

    >>> of_first(2), of_first("first"), of_first("same")
    (-2.0, 1.0, 0.0)
    """
    return FIRST[value] if isinstance(value, str) else 0.0 - value


def pair_of(row: RatingRow) -> tuple[str, str]:
    """The two systems of a comparison in alphabetical order, however they were played."""
    one, other = sorted((row.system, row.other_system or ""))
    return one, other


def answer_of(row: RatingRow) -> tuple[int, tuple[str, str], str]:
    """What was rated, the same for all who rated it: an answer to a question, or two systems' answers compared."""
    return row.instance_id, pair_of(row), row.response_uid if row.other_system is None else ""


def of_pair(row: RatingRow) -> float:
    """How much better the alphabetically first system of a comparison is."""
    assert row.value is not None
    return of_first(row.value) if row.system == pair_of(row)[0] else 0.0 - of_first(row.value)


def number(row: RatingRow) -> float:
    """The value of a numbered step; NaN of a named one."""
    return float(row.value) if isinstance(row.value, int | float) else math.nan


@dataclass(frozen=True)
class Placed:
    """Ratings of one scale with their places in tables of the shape (raters, items)."""

    rows: tuple[RatingRow, ...]

    @cached_property
    def raters(self) -> tuple[str, ...]:
        """The uids of those who gave a rating, by name."""
        named = {(row.rater, row.rater_uid) for row in self.rows}
        return tuple(uid for _, uid in sorted(named))

    @cached_property
    def names(self) -> dict[str, str]:
        """The raters' names by uid."""
        return {row.rater_uid: row.rater for row in self.rows}

    @cached_property
    def items(self) -> tuple[int, ...]:
        """The instances that have a rating."""
        return tuple(sorted({row.instance_id for row in self.rows}))

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The systems that have a rating, compared ones too."""
        found = {row.system for row in self.rows} | {row.other_system for row in self.rows if row.other_system}
        return tuple(sorted(found))

    def only(self, keep: Callable[[RatingRow], bool]) -> tuple[RatingRow, ...]:
        """The rows for which ``keep`` holds."""
        return tuple(filter(keep, self.rows))

    def table(self, rows: Sequence[RatingRow], value: Number = number) -> Numbers:
        """Some of the rows as a table of numbers, NaN where there is none; several in one place are averaged."""
        of_rater = {uid: place for place, uid in enumerate(self.raters)}
        of_item = {item: place for place, item in enumerate(self.items)}
        sums, counts = np.zeros((2, len(of_rater), len(of_item)))
        for row in rows:
            place = of_rater[row.rater_uid], of_item[row.instance_id]
            sums[place] += value(row)
            counts[place] += 1
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums / np.where(counts, counts, math.nan))

    def weights(self, rows: Sequence[RatingRow]) -> Numbers | None:
        """1 / pi of each item by some of the rows; None where they are equal, or an item has no probability."""
        chances = {row.instance_id: row.pi for row in rows}
        if None in chances.values() or len(set(chances.values())) < 2:
            return None
        return np.array([1 / (chances.get(item) or 1.0) for item in self.items])


def rows_by_system(placed: Placed) -> dict[str, list[RatingRow]]:
    """The rows of each system, in alphabetical order."""
    found: dict[str, list[RatingRow]] = {name: [] for name in placed.systems}
    for row in placed.rows:
        found[row.system].append(row)
    return found
