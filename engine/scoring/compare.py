"""A system's own figures beside the published ones, with the differences that forbid a plain comparison named."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.benchmarks.vocalbench_zh import BENCHMARK as VOCALBENCH
from engine.scoring.methods import declared_method
from engine.scoring.overall import Overall, overall, published
from engine.scoring.score import Figure, SubsetScore
from engine.scoring.verdicts import Method
from engine.store.makers import Floor, floors_of, maker_labels

KNOWLEDGE = ("chinese_knowledge", "foreign_knowledge", "general_knowledge")


@dataclass(frozen=True, slots=True)
class Side:
    """One system's parts of the overall score under a method, what is missing, and what differs from the paper's."""

    system: str
    parts: Mapping[str, float]
    overall: Overall
    differences: tuple[str, ...]


def sides(
    scores: Sequence[SubsetScore], method: Method, floors: Mapping[str, Sequence[Floor]] | None = None
) -> list[Side]:
    """Each system's row of the paper's Table 2 as far as it is measured, under ``method``.

    ``floors`` are those of the recognisers by their labels, to be told with the differences.
    """
    found = []
    for system in dict.fromkeys(score.system for score in scores):
        own = [s for s in scores if s.system == system and s.method == method and s.category is None]
        parts = _parts({s.subset: s for s in own if s.benchmark == VOCALBENCH})
        found.append(Side(system, parts, overall(parts), _differences(own, method, floors or {})))
    return found


def recogniser_floors(db: sqlite3.Connection) -> dict[str, list[Floor]]:
    """The measured floors by the recogniser's label."""
    labels = maker_labels(db)
    return {label: list(floors_of(db, row_id).values()) for row_id, label in labels.items() if floors_of(db, row_id)}


def _parts(by_subset: Mapping[str, SubsetScore]) -> dict[str, float]:
    parts = {}
    accuracies = [_value(by_subset.get(name), "s2t_accuracy") for name in KNOWLEDGE]
    parts["knowledge"] = math.fsum(accuracies) / 3 if all(not math.isnan(a) for a in accuracies) else math.nan
    parts["single_round"] = _value(by_subset.get("single_round"), "mean_score")
    parts["empathy"] = _value(by_subset.get("emotion"), "empathy_rate")
    parts["safety"] = _value(by_subset.get("safety"), "refusal_rate")
    clarity = by_subset.get("single_round")
    rates = [
        _value(clarity, f"{name}.mean_of_items") for name in ("published_syllable_error_rate", "syllable_error_rate")
    ]
    parts["clarity"] = next((rate for rate in rates if not math.isnan(rate)), math.nan)
    return parts


def _value(score: SubsetScore | None, name: str) -> float:
    figure = score.figure(name) if score is not None else None
    return math.nan if figure is None else figure.value


def _differences(
    scores: Sequence[SubsetScore], method: Method, floors: Mapping[str, Sequence[Floor]]
) -> tuple[str, ...]:
    """What this system's row was made with, beside what the paper's was: its own makers, not the workspace's."""
    paper = published()
    judged = [f for s in scores for f in s.figures if f.unit in ("%", "1-5") and "dnsmos" not in f.name]
    judges = _named(f for f in judged if "error_rate" not in f.name)
    recognisers = _named(f for s in scores for f in s.figures if "error_rate" in f.name)
    quality = _named(f for s in scores for f in s.figures if f.name.startswith(("dnsmos", "outside.utmos")))
    heard = [_with_floors(name, floors.get(name, ())) for name in recognisers]
    partial = [f"{s.subset} {s.answered}/{s.instances}" for s in scores if s.answered < s.instances]
    rules = declared_method(method)
    return (
        f"method: {rules.id} {rules.version} | -",
        f"judge: {', '.join(judges) or '—'} | {paper['judge']}",
        f"recogniser: {', '.join(heard) or '—'} | {paper['recogniser']}",
        f"quality: {', '.join(quality) or '—'} | {paper['quality_model']}",
        "clarity: error rate of the single-round set | a set that the paper does not name",
        *([f"set: {', '.join(partial)}"] if partial else []),
    )


def _named(figures: Iterable[Figure]) -> list[str]:
    return list(dict.fromkeys(name for figure in figures for name in figure.makers))


def _with_floors(name: str, floors: Sequence[Floor]) -> str:
    told = [
        f"{floor.language} {floor.metric.removesuffix('_error_rate')} {100 * floor.rate:.1f} %"
        for floor in floors
        if floor.metric in ("syllable_error_rate", "word_error_rate")
    ]
    return f"{name} (floor {', '.join(told)})" if told else name
