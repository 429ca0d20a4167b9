"""A system's own figures beside the published ones, with the differences that forbid a plain comparison named."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.scoring.overall import Overall, overall, published, published_rows
from engine.scoring.score import SubsetScore
from engine.store.makers import makers_of

KNOWLEDGE = ("chinese_knowledge", "foreign_knowledge", "general_knowledge")


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a table of ours was made with: judges, recognisers with their floors, quality model, per system."""

    judges: tuple[str, ...]
    recognisers: tuple[str, ...]
    quality: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Side:
    """One system's parts of the overall score under a method, what is missing, and what differs from the paper's."""

    system: str
    parts: Mapping[str, float]
    overall: Overall
    differences: tuple[str, ...]


def sides(scores: Sequence[SubsetScore], method: str, conditions: Conditions) -> list[Side]:
    """Each system's row of the paper's Table 2 as far as it is measured, under ``method``."""
    found = []
    for system in dict.fromkeys(score.system for score in scores):
        own = [s for s in scores if s.system == system and s.method == method and s.category is None]
        parts = _parts({s.subset: s for s in own if s.benchmark == "vocalbench_zh"})
        found.append(Side(system, parts, overall(parts), _differences(own, conditions)))
    return found


def printed_rows() -> list[dict[str, object]]:
    """The paper's own Table 2."""
    return published_rows("overall")


def conditions_of(db: sqlite3.Connection) -> Conditions:
    """What the stored results were made with."""
    told: dict[str, list[str]] = {"judge": [], "recogniser": [], "quality": []}
    for maker in makers_of(db):
        if maker.kind == "judge":
            told["judge"].append(f"{maker.name} (rubric {str(maker.rubric_sha256)[:8]})")
        elif maker.kind == "recogniser":
            told["recogniser"].append(f"{maker.name} {maker.settings.get('weights', '')}".strip())
        elif maker.kind == "quality":
            told["quality"].append(maker.name)
    return Conditions(*(tuple(dict.fromkeys(told[kind])) for kind in ("judge", "recogniser", "quality")))


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


def _differences(scores: Sequence[SubsetScore], conditions: Conditions) -> tuple[str, ...]:
    paper = published()
    judges = ", ".join(conditions.judges) or "—"
    recognisers = ", ".join(conditions.recognisers) or "—"
    quality = ", ".join(conditions.quality) or "—"
    partial = [f"{s.subset} {s.answered}/{s.instances}" for s in scores if s.answered < s.instances]
    return (
        f"judge: {judges} | {paper['judge']}",
        f"recogniser: {recognisers} | {paper['recogniser']}",
        f"quality: {quality} | {paper['quality_model']}",
        *([f"set: {', '.join(partial)}"] if partial else []),
    )
