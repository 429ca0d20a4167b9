"""The last step of a run: rows derived by today's code, and the headline figures written beside its events."""

from __future__ import annotations

import json
import math
from collections.abc import Generator
from dataclasses import asdict, dataclass
from typing import Any

from engine.progress import Progress
from engine.runs.driver import Drive
from engine.scoring.derive import ensure_derived
from engine.scoring.score import Figure, SubsetScore, scores
from engine.store.plans import Scope
from engine.store.tallies import places_among

SCORES = "scores.json"  # in the run's folder


@dataclass(frozen=True, slots=True)
class Headline:
    """The first figure of a system on a subset, under one method; NaN where it has no value or no bounds."""

    system: str
    benchmark: str
    subset: str
    method: str
    figure: str
    value: float
    n: int
    bound_low: float
    bound_high: float


def score(drive: Drive, scope: Scope) -> Generator[Progress, None, list[Headline]]:
    """Derive what other code derived, and say the headline figures of the scope; they are kept in ``scores.json``."""
    with drive.doing("score", "rows", 0) as phase:
        for step in ensure_derived(drive.db):
            phase.done, phase.total = step.done, step.total
            yield step
    with drive.doing("score", "figures", 1):
        yield Progress(0, 1, "figures")
        places = None if scope.chosen is None else places_among(drive.db, scope.chosen.ids or ())
        found = [entry for entry in scores(drive.db) if _is_in(scope, places, entry)]
        headlines = [_headline(entry, entry.figures[0]) for entry in found if entry.figures]
        told = [{name: _plain(value) for name, value in asdict(entry).items()} for entry in headlines]
        (drive.folder / SCORES).write_text(json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8")
        drive.say("scores", figures=told)
        drive.count()
        yield Progress(1, 1, "figures")
    return headlines


def _is_in(scope: Scope, places: set[tuple[str, str, str]] | None, entry: SubsetScore) -> bool:
    return (
        (places is None or (entry.system, entry.benchmark, entry.subset) in places)
        and (not scope.systems or entry.system in scope.systems)
        and scope.benchmark in (None, entry.benchmark)
        and (not scope.subsets or entry.subset in scope.subsets)
    )


def _headline(entry: SubsetScore, figure: Figure) -> Headline:
    return Headline(
        entry.system,
        entry.benchmark,
        entry.subset,
        entry.method,
        figure.name,
        figure.value,
        figure.n,
        figure.bound_low,
        figure.bound_high,
    )


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
