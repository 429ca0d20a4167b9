"""The rule by which a subset's verdict is formed, from its declaration; light, for the window asks at its start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from engine.benchmarks.declaration import declared_subsets

VOCALBENCH = "vocalbench_zh"  # by name: the room that imports it takes its time to load


@dataclass(frozen=True, slots=True)
class Rule:
    """How a subset's verdict is formed: the judge it needs, and whether matching the answer's words goes first."""

    judge: str
    kind: Literal["accuracy", "score", "refusal", "empathy"]
    match_first: bool = False


_KIND_OF_HEADLINE: Mapping[str, Literal["accuracy", "score", "refusal", "empathy"]] = {
    "accuracy": "accuracy",
    "mean_score": "score",
    "refusal_rate": "refusal",
    "emotional_empathy_rate": "empathy",
}


@cache
def rule_of(benchmark: str, subset: str) -> Rule | None:
    """The rule of a declared subset, or None where no judge is declared for it yet."""
    if benchmark != VOCALBENCH:
        return None
    declared = declared_subsets(benchmark).get(subset)
    if declared is None or not declared.judges or declared.headline not in _KIND_OF_HEADLINE:
        return None
    judge = declared.judges[0].id
    return Rule(judge, _KIND_OF_HEADLINE[declared.headline], match_first=judge == "knowledge")


@cache
def matched_subsets() -> tuple[str, ...]:
    """``benchmark/subset`` of those whose answers are matched by words before a judge is asked."""
    rules = {name: rule_of(VOCALBENCH, name) for name in declared_subsets(VOCALBENCH)}
    return tuple(f"{VOCALBENCH}/{name}" for name, rule in rules.items() if rule is not None and rule.match_first)


@cache
def judges_by_subset() -> Mapping[str, tuple[str, ...]]:
    """The subsets (``benchmark/subset``) that each declared judge is asked about."""
    asked: dict[str, list[str]] = {}
    for subset in declared_subsets(VOCALBENCH).values():
        for use in subset.judges:
            asked.setdefault(use.id, []).append(subset.id)
    return {judge: tuple(subsets) for judge, subsets in asked.items()}
