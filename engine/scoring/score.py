"""Scores of a system on a subset: every figure with its n, its states, its bounds and its interval."""

from __future__ import annotations

import json
import math
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.metrics.intervals import NOTHING, Estimate, mean, share
from engine.scoring.derive import ERROR_RATES, PUBLISHED_RATE, QUALITY
from engine.scoring.rules import Rule, rule_of
from engine.scoring.verdicts import METHODS, Method
from engine.store.benchmarks import subset_sizes
from engine.store.makers import maker_labels
from engine.store.tallies import category_sizes, outside_measurements, scored_rows

SCALE = (1.0, 5.0)
# Why a verdict is missing decides what a share of the others is worth. A system's own failure befalls any question;
# but where words decide the right answers first, or a cut spares the wrong ones, the missing ones are not missing by
# chance. Beyond this share of them only the bounds are told.
OWN_FAILURES = frozenset(("no_answer", "failed", "no_audio"))
MISSING_SHARE = 0.05
Row = sqlite3.Row


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a table.

    ``value`` with ``low`` and ``high`` (95 %) rests on ``n`` scored items; NaN without any, and where what is missing
    is not missing by chance. ``states`` counts every response by state, ``why`` says why those that are not scored are
    not. ``bound_low`` and ``bound_high`` are the value with all missing items wrong and all right (NaN where no bound
    has a meaning); unanswered instances count as missing. ``makers`` counts the items by who made them: more than one
    means that the figure mixes them.
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
    makers: Mapping[str, int] = field(default_factory=dict)


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
    by_category = category_sizes(db) if categories else {}
    makers = maker_labels(db)
    brought: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in outside_measurements(db):
        brought[row["system"], row["benchmark"], row["subset"]].append(row)
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in scored_rows(db, system):
        groups[row["system"], row["benchmark"], row["subset"]].append(row)
    found: list[SubsetScore] = []
    for head, rows in groups.items():
        for method in METHODS:
            group = _Group(method, rows, sizes[head[1:]], makers, brought[head])
            found.append(group.score(head, None))
            for category in sorted({row["category"] for row in rows if row["category"]}) if categories else ():
                chosen = [row for row in rows if row["category"] == category]
                size = by_category[head[1], head[2], category]
                found.append(_Group(method, chosen, size, makers, ()).score(head, category))
    return found


class _Group:
    """The rows of one system on one subset or category, and the figures they give under one method."""

    def __init__(
        self, method: Method, rows: Sequence[Row], size: int, makers: Mapping[int, str], brought: Sequence[Row]
    ) -> None:
        self._method, self._rows, self._makers, self._brought = method, rows, makers, brought
        self._size, self._missing = size, size - len(rows)

    def score(self, head: tuple[str, str, str], category: str | None) -> SubsetScore:
        figures = [*self._verdict_figures(rule_of(head[1], head[2])), *self._error_rates()]
        figures += [self._quality(name) for name in QUALITY]
        figures += [*self._brought_figures(), *self._timing()]
        answered = sum(row["response_state"] == "answered" for row in self._rows)
        return SubsetScore(*head, category, self._method, self._size, answered, tuple(figures))

    def _verdict_figures(self, rule: Rule | None) -> list[Figure]:
        method = self._method
        if rule is None:
            return [self._share("accuracy", method)]
        if rule.kind == "accuracy":
            return [self._share("s2t_accuracy", method), self._share("s2s_accuracy", f"{method}_s2s")]
        if rule.kind == "refusal":
            return [self._share("refusal_rate", method)]
        if rule.kind == "score":
            return [self._mean_score("mean_score")]
        unmeasured = Counter(acoustic_empathy_not_measured=len(self._rows))
        acoustic = _figure("empathy_rate", "%", NOTHING, Counter(unscored=len(self._rows)), unmeasured, (0.0, 100.0))
        return [self._mean_score("semantic_score"), self._share("semantic_empathy_rate", method), acoustic]

    def _share(self, name: str, prefix: str) -> Figure:
        states, why = self._states(prefix)
        right = sum(row[f"{prefix}_state"] == "scored" and row[f"{prefix}_verdict"] == "right" for row in self._rows)
        n = states["scored"]
        bounds = (math.nan, math.nan)
        if self._size:
            bounds = (100 * right / self._size, 100 * (right + self._size - n) / self._size)
        estimate = _scaled(share(right, n), 100)
        lacking = sum(count for code, count in why.items() if code not in OWN_FAILURES)
        if lacking > MISSING_SHARE * len(self._rows):
            estimate = Estimate(math.nan, math.nan, math.nan, n)
        return replace(_figure(name, "%", estimate, states, why, bounds), makers=self._judged_by())

    def _mean_score(self, name: str) -> Figure:
        states, why = self._states(self._method)
        scored = [row for row in self._rows if row[f"{self._method}_state"] == "scored"]
        values = [row[f"{self._method}_score"] for row in scored]
        absent = self._size - len(values)
        bounds = (math.nan, math.nan)
        if self._size:
            bounds = tuple((sum(values) + step * absent) / self._size for step in SCALE)
        figure = _figure(name, "1-5", _within(mean(values), *SCALE), states, why, bounds)
        return replace(figure, makers=self._judged_by())

    def _error_rates(self) -> list[Figure]:
        if self._method == "published":
            return self._error_rate(PUBLISHED_RATE, "published_error_rate", "published_recogniser_id")
        return [figure for name in ERROR_RATES for figure in self._error_rate(name, name, "recogniser_id")]

    def _error_rate(self, metric: str, column: str, recogniser: str) -> list[Figure]:
        measured = [row for row in self._rows if row[column] is not None]
        counts = [pair for row in self._rows if (pair := json.loads(row["counts"]).get(metric)) is not None]
        if not measured and not counts:
            return []
        failed = sum(row[column] is None and self._has_failed(row) for row in self._rows)
        states = Counter(scored=len(measured), failed=failed, unscored=len(self._rows) - len(measured) - failed)
        makers = self._named(recogniser, measured)
        by_item = _within(_scaled(mean([row[column] for row in measured]), 100), 0.0, math.inf)
        found = [replace(_figure(f"{metric}.mean_of_items", "%", by_item, states, Counter()), makers=makers)]
        errors, length = (math.fsum(column) for column in zip(*counts)) if counts else (0.0, 0.0)
        if length:
            pooled = _figure(f"{metric}.pooled", "%", _alone(100 * errors / length, len(counts)), states, Counter())
            found.append(replace(pooled, makers=makers))
        return found

    def _has_failed(self, row: Row) -> bool:
        crashed = self._method == "published" and row["published_error_state"] == "failed"
        return crashed or bool(row["transcript_state"] == "failed")

    def _quality(self, column: str) -> Figure:
        measured = [row for row in self._rows if row[column] is not None]
        failed = sum(row["quality_state"] == "failed" for row in self._rows)
        states = Counter(scored=len(measured), failed=failed, unscored=len(self._rows) - len(measured) - failed)
        figure = _figure(column, "1-5", _within(mean([row[column] for row in measured]), *SCALE), states, Counter())
        return replace(figure, makers=self._named("quality_id", measured))

    def _brought_figures(self) -> list[Figure]:
        """Means of what was computed elsewhere, each metric of each maker by itself."""
        groups: dict[tuple[str, str], list[float]] = defaultdict(list)
        for row in self._brought:
            if row["metric"] not in QUALITY and row["value"] is not None:
                groups[row["metric"], row["maker"]].append(row["value"])
        found = []
        for (metric, maker), values in groups.items():
            states = Counter(scored=len(values), unscored=len(self._rows) - len(values))
            figure = _figure(f"outside.{metric}", "", mean(values), states, Counter())
            found.append(replace(figure, makers={maker: len(values)}))
        return found

    def _timing(self) -> list[Figure]:
        timed = [
            (row["generation_s"], row["duration_s"]) for row in self._rows if row["generation_s"] and row["duration_s"]
        ]
        if not timed:
            return []
        states = Counter(scored=len(timed), unscored=len(self._rows) - len(timed))
        generation_s, duration_s = (math.fsum(column) for column in zip(*timed))
        as_table = _alone(generation_s / duration_s, len(timed))
        as_equation = mean([duration / generation for generation, duration in timed])
        return [
            _figure("rtf.total_generation_over_total_duration", "", as_table, states, Counter()),
            _figure("rtf.mean_duration_over_generation", "", as_equation, states, Counter()),
        ]

    def _states(self, prefix: str) -> tuple[Counter[str], Counter[str]]:
        states = Counter(row[f"{prefix}_state"] for row in self._rows)
        why = Counter(row[f"{prefix}_why"] for row in self._rows if row[f"{prefix}_state"] != "scored")
        return states, why

    def _judged_by(self) -> dict[str, int]:
        """The judges that gave the verdicts; the word rules that go before them are the method's own."""
        named = self._named(f"{self._method}_maker_id", self._rows)
        return {label: count for label, count in named.items() if label not in ("published_match", "corrected_match")}

    def _named(self, column: str, rows: Sequence[Row]) -> dict[str, int]:
        return dict(Counter(self._makers[row[column]] for row in rows if row[column] is not None))


def _alone(value: float, n: int) -> Estimate:
    """A value without an interval."""
    return Estimate(value, math.nan, math.nan, n)


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
    counted = {state: count for state, count in states.items() if count}
    return Figure(name, unit, estimate.value, estimate.low, estimate.high, estimate.n, counted, dict(why), *bounds)
