"""Scores of a system on a subset: every figure with its n, its states, its bounds and its interval."""

from __future__ import annotations

import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine.metrics.intervals import NOTHING, Estimate, mean, share
from engine.scoring.derive import ERROR_RATES, PUBLISHED_RATE, QUALITY
from engine.scoring.verdicts import METHODS, Method, rule_of
from engine.store.benchmarks import subset_sizes
from engine.store.tallies import error_counts, scored_rows

SCALE = (1.0, 5.0)
# Reasons that befall right and wrong answers unequally (words decide the right ones first, a missing cut spares the
# wrong ones): the share of those that are scored would mislead, so only its bounds are told.
SELECTIVE = frozenset(("not_judged_yet", "not_recognised_yet", "recogniser_floor_unknown", "recogniser_too_weak"))
Row = sqlite3.Row


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a table.

    ``value`` with ``low`` and ``high`` (95 %) rests on ``n`` scored items; NaN without any, and where what is missing
    is not missing by chance (``SELECTIVE``). ``states`` counts every
    response by state, ``why`` says why those that are not scored are not. ``bound_low`` and ``bound_high`` are the
    value with all missing items wrong and all right (NaN where no bound has a meaning); unanswered instances count as
    missing.
    """

    name: str
    unit: str
    value: float
    low: float
    high: float
    n: int
    states: Mapping[str, int] = field(default_factory=dict)
    why: Mapping[str, int] = field(default_factory=dict)
    bound_low: float = math.nan
    bound_high: float = math.nan


@dataclass(frozen=True, slots=True)
class SubsetScore:
    """All figures of one system on one subset (``category`` None) or one of its categories."""

    system: str
    benchmark: str
    subset: str
    category: str | None
    method: Method
    instances: int
    answered: int
    figures: tuple[Figure, ...]

    def figure(self, name: str) -> Figure | None:
        """The figure called ``name``, or None where this subset has none."""
        return next((figure for figure in self.figures if figure.name == name), None)


def scores(db: sqlite3.Connection, system: str | None = None, *, categories: bool = False) -> list[SubsetScore]:
    """Scores of every system (or one) on every subset it answered, under both methods; with categories if asked."""
    sizes = subset_sizes(db)
    groups: dict[tuple[str, str, str], list[sqlite3.Row]] = defaultdict(list)
    for row in scored_rows(db, system):
        groups[row["system"], row["benchmark"], row["subset"]].append(row)
    found: list[SubsetScore] = []
    for (name, benchmark, subset), rows in groups.items():
        pooled = {
            metric: error_counts(db, name, benchmark, subset, metric) for metric in (*ERROR_RATES, PUBLISHED_RATE)
        }
        for method in METHODS:
            head = (name, benchmark, subset)
            found.append(_score(head, None, method, sizes[benchmark, subset], rows, pooled))
            if categories:
                for category in sorted({row["category"] for row in rows if row["category"]}):
                    chosen = [row for row in rows if row["category"] == category]
                    found.append(_score(head, category, method, len(chosen), chosen, {}))
    return found


def _score(
    head: tuple[str, str, str],
    category: str | None,
    method: Method,
    size: int,
    rows: Sequence[Row],
    pooled: Mapping[str, tuple[float, float]],
) -> SubsetScore:
    rule = rule_of(head[1], head[2])
    missing = size - len(rows)
    figures: list[Figure] = []
    if rule is not None and rule.kind == "accuracy":
        figures.append(_share("s2t_accuracy", rows, f"{method}", missing))
        figures.append(_share("s2s_accuracy", rows, f"{method}_s2s", missing))
    elif rule is not None and rule.kind == "refusal":
        figures.append(_share("refusal_rate", rows, method, missing))
    elif rule is not None and rule.kind == "score":
        figures.append(_mean_score("mean_score", rows, method, missing))
    elif rule is not None and rule.kind == "empathy":
        figures.append(_mean_score("semantic_score", rows, method, missing))
        figures.append(_share("semantic_empathy_rate", rows, method, missing))
        figures.append(_unmeasured("empathy_rate", len(rows), "acoustic_empathy_not_measured"))
    else:
        figures.append(_share("accuracy", rows, method, missing))
    figures += _error_rates(method, rows, pooled)
    figures += [_mean_of(name, "1-5", rows, name) for name in QUALITY]
    figures += _timing(rows)
    answered = sum(row["response_state"] == "answered" for row in rows)
    return SubsetScore(*head, category, method, size, answered, tuple(figures))


def _share(name: str, rows: Sequence[Row], prefix: str, missing: int) -> Figure:
    states, why = _states(rows, prefix)
    right = sum(row[f"{prefix}_state"] == "scored" and row[f"{prefix}_verdict"] == "right" for row in rows)
    n = states["scored"]
    total = len(rows) + missing
    bounds = (100 * right / total, 100 * (right + total - n) / total) if total else (math.nan, math.nan)
    estimate = _scaled(share(right, n), 100)
    if SELECTIVE & set(why):
        estimate = Estimate(math.nan, math.nan, math.nan, n)
    return _figure(name, "%", estimate, states, why, bounds)


def _mean_score(name: str, rows: Sequence[Row], method: Method, missing: int) -> Figure:
    states, why = _states(rows, method)
    values = [row[f"{method}_score"] for row in rows if row[f"{method}_state"] == "scored"]
    absent = len(rows) + missing - len(values)
    total = len(rows) + missing
    bounds = (math.nan, math.nan)
    if total:
        bounds = ((sum(values) + SCALE[0] * absent) / total, (sum(values) + SCALE[1] * absent) / total)
    return _figure(name, "1-5", _within(mean(values), *SCALE), states, why, bounds)


def _unmeasured(name: str, count: int, why: str) -> Figure:
    return _figure(name, "%", NOTHING, Counter(unscored=count), Counter({why: count}), (0.0, 100.0))


def _error_rates(method: Method, rows: Sequence[Row], pooled: Mapping[str, tuple[float, float]]) -> list[Figure]:
    names = ((PUBLISHED_RATE, "published_error_rate"),) if method == "published" else tuple((n, n) for n in ERROR_RATES)
    found = []
    for metric, column in names:
        values = [row[column] for row in rows if row[column] is not None]
        if not values:
            continue
        estimate = _within(_scaled(mean(values), 100), 0.0, math.inf)
        crashed = sum(row["published_error_state"] == "failed" for row in rows) if method == "published" else 0
        states = Counter(scored=len(values), failed=crashed, unscored=len(rows) - len(values) - crashed)
        found.append(_figure(f"{metric}.mean_of_items", "%", estimate, states, Counter()))
        errors, length = pooled.get(metric, (0.0, 0.0))
        if length:
            rate = 100 * errors / length
            found.append(
                _figure(f"{metric}.pooled", "%", Estimate(rate, math.nan, math.nan, len(values)), states, Counter())
            )
    return found


def _mean_of(name: str, unit: str, rows: Sequence[Row], column: str) -> Figure:
    values = [row[column] for row in rows if row[column] is not None]
    states = Counter(scored=len(values), unscored=len(rows) - len(values))
    return _figure(name, unit, _within(mean(values), *SCALE), states, Counter())


def _timing(rows: Sequence[Row]) -> list[Figure]:
    timed = [(row["generation_s"], row["duration_s"]) for row in rows if row["generation_s"] and row["duration_s"]]
    if not timed:
        return []
    states = Counter(scored=len(timed), unscored=len(rows) - len(timed))
    generation_s, duration_s = (math.fsum(column) for column in zip(*timed))
    as_table = Estimate(generation_s / duration_s, math.nan, math.nan, len(timed))
    as_equation = mean([duration / generation for generation, duration in timed])
    return [
        _figure("rtf.total_generation_over_total_duration", "", as_table, states, Counter()),
        _figure("rtf.mean_duration_over_generation", "", as_equation, states, Counter()),
    ]


def _states(rows: Sequence[Row], prefix: str) -> tuple[Counter[str], Counter[str]]:
    states = Counter(row[f"{prefix}_state"] for row in rows)
    why = Counter(row[f"{prefix}_why"] for row in rows if row[f"{prefix}_state"] != "scored")
    return states, why


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    return Estimate(estimate.value * factor, estimate.low * factor, estimate.high * factor, estimate.n)


def _within(estimate: Estimate, lowest: float, highest: float) -> Estimate:
    """An estimate whose interval does not leave the scale, where Student's would for few items."""
    if math.isnan(estimate.low):
        return estimate
    return Estimate(estimate.value, max(lowest, estimate.low), min(highest, estimate.high), estimate.n)


def _figure(
    name: str,
    unit: str,
    estimate: Estimate,
    states: Mapping[str, int],
    why: Mapping[str, int],
    bounds: tuple[float, float] = (math.nan, math.nan),
) -> Figure:
    return Figure(
        name,
        unit,
        estimate.value,
        estimate.low,
        estimate.high,
        estimate.n,
        {state: count for state, count in states.items() if count},
        dict(why),
        *bounds,
    )
