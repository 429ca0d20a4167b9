"""How each rater rated: harsh or lenient, how evenly, how consistently, how attentively, how like the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np

from engine.rating.rated import Numbers, Placed, answer_of, is_on, is_preference, number, of_first, of_pair, of_protocol
from engine.rating.result_systems import histogram, spread
from engine.rating.result_values import StepCount
from engine.rating.values import Protocol, Scale, Screening, Value
from engine.statistics.correlations import pearson, spearman
from engine.statistics.figures import Figure, TooFew, plain_values
from engine.statistics.preferences import Split, split
from engine.statistics.resampling import FEWEST_VALUES, t_interval
from engine.statistics.shares import wilson
from engine.statistics.weighting import entropy_share
from engine.store.rating_rows import RatingRow


@dataclass(frozen=True, slots=True)
class Hits:
    """How many of the ratings whose right value is known were right, with Wilson's interval of the share."""

    right: int
    n: int
    share: Figure


@dataclass(frozen=True, slots=True)
class Consistency:
    """Hidden repeats: how many there are, the share rated as before, and the mean absolute difference in steps.

    The difference is NaN of scales without numbers.
    """

    n: int
    same: Figure
    difference: float


@dataclass(frozen=True, slots=True)
class Pace:
    """Active time: its median in seconds, and over the length of what was to be heard.

    ``shorter`` is the share of ratings that took less time than the clips last. NaN where no time or length is known.
    """

    n: int
    median_s: float
    over_clip: float
    shorter: float


@dataclass(frozen=True, slots=True)
class RaterQuality:
    """One rater under one protocol, on the scale that its screening looks at.

    Attributes:
        n: ratings of answers, hidden repeats, training, gold and traps apart.
        bias: mean of own rating less the others' mean, on answers that others rated too, with Student's t interval
            from 3 on; below 0 is harsh. NaN of named steps. Others' biases are in it: in a sparse design it is a hint.
        sd, histogram, evenness: how the scale was used; evenness is its entropy over that of even use, 0..1.
        order: of comparisons, how often what was heard first was better for this rater; None elsewhere.
        pearson, spearman: with the mean of the others; NaN of named steps.
        as_most: share of answers given the step that most of the others gave, of named steps; a tie of theirs counts
            where it is one of those.
        compared: answers that others rated too.
    """

    rater_uid: str
    rater: str
    n: int
    bias: Figure
    sd: float
    histogram: tuple[StepCount, ...]
    evenness: float
    order: Split | None
    repeats: Consistency
    gold: Hits
    traps: Hits
    pace: Pace
    compared: int
    pearson: float
    spearman: float
    as_most: Figure

    def declaration(self) -> dict[str, Any]:
        """All of it as plain values for JSON; what has no value is None."""
        told: dict[str, Any] = plain_values(self)
        return told


def rater_quality(rows: Iterable[RatingRow], protocol: Protocol) -> tuple[RaterQuality, ...]:
    """Each rater who gave a rating of any kind under the protocol, by name; training is passed over."""
    scale = protocol.scale(protocol.screening.scale)
    ours = [row for row in of_protocol(rows, protocol) if is_on(scale, row) and row.kind != "training"]
    rated = Placed(tuple(row for row in ours if row.kind == "rated"))
    with_others = _WithOthers(rated, scale, protocol.compares)
    raters = sorted({(row.rater, row.rater_uid) for row in ours})
    return tuple(
        _quality(uid, name, [row for row in ours if row.rater_uid == uid], protocol, scale, with_others)
        for name, uid in raters
    )


def hits(rows: Sequence[RatingRow], scale: Scale, within: int) -> Hits:
    """How many of ``rows`` lie within so many steps of what was expected; named steps have to be the same."""
    known = [row for row in rows if row.expected is not None]
    right = sum(_is_right(row, scale, within) for row in known)
    return Hits(right, len(known), wilson(right, len(known)))


def consistency(rows: Sequence[RatingRow], compares: bool) -> Consistency:
    """Hidden repeats in ``rows`` against the ratings of what they repeat, of one rater.

    A repeated comparison may be played the other way round: what counts is which system was better.
    """
    first = {row.assignment_uid: row for row in rows if row.kind == "rated"}
    pairs = [(first[row.repeat_of], row) for row in rows if row.kind == "repeat" and row.repeat_of in first]
    values = [(_comparable(one, compares), _comparable(again, compares)) for one, again in pairs]
    same = sum(one == again for one, again in values)
    apart = [abs(one - again) for one, again in values if not isinstance(one, str) and not isinstance(again, str)]
    return Consistency(len(pairs), wilson(same, len(pairs)), float(np.mean(apart)) if apart else math.nan)


def pace(rows: Sequence[RatingRow]) -> Pace:
    """The time that ``rows`` took, each assignment once, against the length of what was to be heard."""
    timed = {row.assignment_uid: row for row in rows if row.active_s is not None}.values()
    seconds = np.array([row.active_s for row in timed], dtype=np.float64)
    over = np.array([row.active_s / row.clip_s for row in timed if row.active_s is not None and row.clip_s])
    return Pace(
        n=len(seconds),
        median_s=float(np.median(seconds)) if len(seconds) else math.nan,
        over_clip=float(np.median(over)) if len(over) else math.nan,
        shorter=float(np.mean(over < 1)) if len(over) else math.nan,
    )


def _quality(
    uid: str, name: str, mine: Sequence[RatingRow], protocol: Protocol, scale: Scale, others: _WithOthers
) -> RaterQuality:
    rules: Screening = protocol.screening
    rated = [row for row in mine if row.kind == "rated"]
    own, rest = others.of(uid)
    steps = histogram(scale, rated)
    is_comparison = protocol.compares and is_preference(scale)
    return RaterQuality(
        rater_uid=uid,
        rater=name,
        n=len(rated),
        bias=Figure(math.nan) if is_comparison else _bias(scale, own - rest),
        sd=spread(np.array([number(row) for row in rated])) if scale.kind != "choice" else math.nan,
        histogram=steps,
        evenness=entropy_share([step.count for step in steps]),
        order=split(of_first(cast(Value, row.value)) for row in rated) if is_comparison else None,
        repeats=consistency(mine, is_comparison),
        gold=hits([row for row in mine if row.kind == "gold"], scale, rules.gold_within),
        traps=hits([row for row in mine if row.kind == "trap"], scale, 0),
        pace=pace(rated),
        compared=others.compared(uid),
        pearson=pearson(own, rest),
        spearman=spearman(own, rest),
        as_most=others.as_most(uid),
    )


def _bias(scale: Scale, differences: Numbers) -> Figure:
    """Student's t interval from 3 answers on, cut to the widest that two ratings on the scale can lie apart."""
    found = t_interval(differences)
    if 0 < found.n < FEWEST_VALUES:
        return Figure(found.value, n=found.n, too_few=TooFew("answers", found.n, FEWEST_VALUES))
    if not found.has_interval:
        return found
    widest = max(map(float, scale.values)) - min(map(float, scale.values))
    return replace(found, low=max(found.low, -widest), high=min(found.high, widest))


_Given = list[tuple[Value, float]]  # what one rater gave one answer: the value, and as a number


class _WithOthers:
    """Each rater's ratings of answers beside those of the others."""

    def __init__(self, placed: Placed, scale: Scale, compares: bool) -> None:
        self._is_named = scale.kind == "choice" and not (compares and is_preference(scale))
        value = of_pair if compares and is_preference(scale) else number
        self._given: dict[tuple[int, tuple[str, str], str], dict[str, _Given]] = {}
        for row in placed.rows:
            answer = self._given.setdefault(answer_of(row), {})
            answer.setdefault(row.rater_uid, []).append((cast(Value, row.value), value(row)))

    def of(self, uid: str) -> tuple[Numbers, Numbers]:
        """Own values and the mean of the others' of the answers that both rated; empty of named steps."""
        if self._is_named:
            return np.empty(0), np.empty(0)
        shared = self._shared(uid)
        own = [_mean(mine) for mine, _ in shared]
        rest = [sum(map(_mean, others)) / len(others) for _, others in shared]
        return np.array(own, dtype=np.float64), np.array(rest, dtype=np.float64)

    def compared(self, uid: str) -> int:
        """Answers of this rater that others rated too."""
        return len(self._shared(uid))

    def as_most(self, uid: str) -> Figure:
        """The share of answers on which the rater gave what most of the others gave; NaN of numbered steps."""
        if not self._is_named:
            return Figure(math.nan)
        like = 0
        for mine, others in self._shared(uid):
            counts = Counter(name for theirs in others for name, _ in theirs)
            like += counts[mine[-1][0]] == max(counts.values())
        return wilson(like, self.compared(uid))

    def _shared(self, uid: str) -> list[tuple[_Given, list[_Given]]]:
        return [
            (answer[uid], [theirs for other, theirs in answer.items() if other != uid])
            for answer in self._given.values()
            if uid in answer and len(answer) > 1
        ]


def _mean(given: _Given) -> float:
    return sum(value for _, value in given) / len(given)


def _is_right(row: RatingRow, scale: Scale, within: int) -> bool:
    value, expected = row.value, row.expected
    if isinstance(value, str) or isinstance(expected, str) or value is None or expected is None:
        return value == expected
    return abs(value - expected) <= within


def _comparable(row: RatingRow, compares: bool) -> Value | float:
    return of_pair(row) if compares else cast(Value, row.value)
