"""Results of one scale by system and by item, and differences between systems."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from engine.progress import Progress
from engine.rating.rated import Number, Numbers, Placed, answer_of, number, of_first, of_pair, pair_of, rows_by_system
from engine.rating.result_values import (
    Counts,
    ItemResult,
    StepCount,
    StepShare,
    SystemDifference,
    SystemResult,
    WithoutRater,
)
from engine.rating.values import PassRule, Scale
from engine.statistics.differences import holm, paired_difference
from engine.statistics.figures import Figure
from engine.statistics.resampling import (
    RATERS,
    interval_within,
    item_means,
    mean_of_table,
    weighted_mean,
    without_each_rater,
)
from engine.statistics.shares import wilson
from engine.statistics.weighting import design_effect, effective_number
from engine.store.rating_rows import RatingRow


def histogram(scale: Scale, rows: Iterable[RatingRow]) -> tuple[StepCount, ...]:
    """How often each step of ``scale`` was given, those never given too."""
    given = Counter(row.value for row in rows)
    return tuple(StepCount(step.value, step.label, given[step.value]) for step in scale.steps)


def system_results(
    placed: Placed, scale: Scale, rule: PassRule | None, counts: dict[str, Counts], *, seed: int
) -> Generator[Progress, None, list[SystemResult]]:
    """Every system of ``placed`` on ``scale``, in alphabetical order; yields after each.

    ``rule`` says what passes, None where nothing is decided on this scale.
    """
    found = []
    for name, rows in rows_by_system(placed).items():
        found.append(_system(placed, scale, rule, name, rows, counts[name], seed))
        yield Progress(0, 0)
    return found


def differences(
    placed: Placed, scale: Scale, rule: PassRule | None, *, seed: int
) -> Generator[Progress, None, list[SystemDifference]]:
    """Each two systems on the items that both have ratings of: means, or what passes where steps have no numbers.

    Holm's correction is over all of them. Weights are those of the one where both were picked together, else their
    product. Yields after each.
    """
    if scale.kind == "choice" and rule is None:
        return []
    value, of = (passing(rule), "passes") if rule and scale.kind == "choice" else (number, "mean")
    rows = rows_by_system(placed)
    tables = {name: placed.table(each, value) for name, each in rows.items()}
    weights = {name: placed.weights(each) for name, each in rows.items()}
    found = []
    for one, other in combinations(rows, 2):
        if np.isfinite(item_means(tables[one]) - item_means(tables[other])).any():
            weighed = _both(weights[one], weights[other])
            found.append(
                SystemDifference(one, other, of, paired_difference(tables[one], tables[other], weighed, seed=seed))
            )
            yield Progress(0, 0)
    adjusted = holm([each.difference.p for each in found])
    return [
        replace(each, difference=replace(each.difference, p_holm=p)) for each, p in zip(found, adjusted, strict=True)
    ]


def item_results(placed: Placed, scale: Scale) -> tuple[ItemResult, ...]:
    """Every item and system, or item and compared pair, by item."""
    found: dict[tuple[int, tuple[str, str], str], list[RatingRow]] = {}
    for row in placed.rows:
        found.setdefault(answer_of(row), []).append(row)
    return tuple(_item(scale, found[key]) for key in sorted(found))


def passing(rule: PassRule) -> Number:
    """1.0 for a rating that passes by ``rule``, else 0.0."""
    return lambda row: float(row.value is not None and not isinstance(row.value, float) and rule.passes(row.value))


def _system(
    placed: Placed, scale: Scale, rule: PassRule | None, name: str, rows: Sequence[RatingRow], counts: Counts, seed: int
) -> SystemResult:
    table, weights = placed.table(rows), placed.weights(rows)
    has_numbers = scale.kind != "choice"
    values = np.array([number(row) for row in rows]) if has_numbers else np.empty(0)
    passes = placed.table(rows, passing(rule)) if rule else None
    used = (np.ones(len(placed.items)) if weights is None else weights)[_rated(placed, rows)]
    return SystemResult(
        system=name,
        counts=counts,
        n=len(rows),
        items=len({row.instance_id for row in rows}),
        raters=len({row.rater_uid for row in rows}),
        mean=mean_of_table(table, weights, seed=seed) if has_numbers else Figure(math.nan),
        sd=spread(values),
        median=float(np.median(values)) if len(values) else math.nan,
        histogram=histogram(scale, rows),
        shares=() if has_numbers else tuple(_shares(placed, scale, rows, weights)),
        passes=None if passes is None else share_of_items(passes, weights),
        without_rater=without_rater(placed, table if has_numbers else passes, weights),
        design_effect=design_effect(used),
    )


def share_of_items(table: Numbers, weights: Numbers | None) -> Figure:
    """The mean of the items' shares with Wilson's interval on as many items as they are worth when weighted.

    Wilson takes an item as a whole success or none, so with several raters an item it errs towards wide.
    """
    means = item_means(table)
    rated = np.isfinite(means)
    n = float(rated.sum()) if weights is None else effective_number(weights[rated])
    value = weighted_mean(means, weights)
    return wilson(value * n, n) if n else Figure(math.nan)


def spread(values: Numbers) -> float:
    """The sample standard deviation; NaN under 2 values."""
    return float(values.std(ddof=1)) if len(values) > 1 else math.nan


def _shares(placed: Placed, scale: Scale, rows: Sequence[RatingRow], weights: Numbers | None) -> Iterable[StepShare]:
    for step in scale.steps:
        table = placed.table(rows, lambda row, value=step.value: float(row.value == value))  # type: ignore[misc]
        yield StepShare(step.value, step.label, share_of_items(table, weights))


def without_rater(placed: Placed, table: Numbers | None, weights: Numbers | None) -> tuple[WithoutRater, ...]:
    """The mean of ``table`` with each of its raters left out; empty under 2 raters, and from 8 on."""
    if table is None:
        return ()
    here = np.flatnonzero(np.isfinite(table).any(axis=1))
    if not 2 <= len(here) < RATERS:
        return ()
    values = without_each_rater(table[here], weights)
    uids = [placed.raters[place] for place in here]
    return tuple(WithoutRater(uid, placed.names[uid], float(v)) for uid, v in zip(uids, values, strict=True))


def _item(scale: Scale, rows: Sequence[RatingRow]) -> ItemResult:
    row = rows[0]
    compared = row.other_system is not None
    system, other = pair_of(row) if compared else (row.system, None)
    values = np.array([of_pair(each) if compared else number(each) for each in rows])
    has_numbers = compared or scale.kind != "choice"
    return ItemResult(
        instance_id=row.instance_id,
        benchmark=row.benchmark,
        subset=row.subset,
        instance_key=row.instance_key,
        system=system,
        other_system=other,
        response_uid="" if compared else row.response_uid,
        n=len(rows),
        mean=_mean(scale, values, compared) if has_numbers else Figure(math.nan, n=len(rows)),
        sd=spread(values) if has_numbers else math.nan,
        median=float(np.median(values)) if has_numbers else math.nan,
        histogram=_of_pairs(values) if compared else histogram(scale, rows),
    )


def _mean(scale: Scale, values: Numbers, compared: bool) -> Figure:
    steps = [of_first(step) if compared else float(step) for step in scale.values]
    return interval_within(values, min(steps), max(steps), "ratings")


def _of_pairs(values: Numbers) -> tuple[StepCount, ...]:
    """How often the one, neither or the other was better."""
    signs = Counter(np.sign(values).tolist())
    return tuple(StepCount(int(sign), "", signs[sign]) for sign in (1.0, 0.0, -1.0))


def _rated(placed: Placed, rows: Sequence[RatingRow]) -> Numbers:
    here = {row.instance_id for row in rows}
    return np.array([item in here for item in placed.items], dtype=bool)


def _both(one: Numbers | None, other: Numbers | None) -> Numbers | None:
    if one is None or other is None:
        return one if other is None else other
    return one if np.allclose(one, other) else one * other
