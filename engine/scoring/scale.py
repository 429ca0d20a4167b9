"""How far a judge's scores go, for showing them as 4/5."""

from __future__ import annotations

from functools import cache

from engine.judges.declaration import load_judge
from engine.scoring.rules import rule_of


@cache
def highest_score(benchmark: str, subset: str) -> int | None:
    """The highest step of the scale on which a subset is scored; None where no judge gives scores."""
    rule = rule_of(benchmark, subset)
    scale = load_judge(rule.judge).scale if rule is not None else ()
    return max(scale, default=None)
