"""What a run would have to do, counted before it begins; nothing is written, nobody is asked, no model is loaded."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace

from engine.judges.budget import Estimate, estimate
from engine.judges.declaration import load_judges
from engine.runs.driver import PHASES
from engine.runs.error_rates import RULES_VERSION
from engine.runs.judge_plan import JudgeOptions, judge_item, lacking_verdicts
from engine.runs.matching import RULES, rule_maker
from engine.runs.measure import QUALITY_METRICS, quality_maker
from engine.runs.request import WorkRequest
from engine.runs.scope import looked_up
from engine.runs.serving import asked_of
from engine.scoring.rules import matched_subsets
from engine.store.makers import find_maker
from engine.store.plans import (
    Scope,
    count_clips_without_facts,
    count_clips_without_measurement,
    count_clips_without_transcript,
    count_without_rates,
    recognisers_like,
)
from engine.store.unjudged import (
    Lacking,
    answers_without_judgement,
    count_waiting_for_a_judge,
    count_without_judgement,
)
from engine.store.workspace import Workspace

_SAMPLE = 40  # prompts of each judge whose tokens are counted; the rest are taken to be alike
_RUNS_BACK = 20


@dataclass(frozen=True, slots=True)
class WorkPlan:
    """What there is to do: audio files to read, recognise and measure, transcripts to compare, answers to judge.

    ``rates`` counts the transcripts that are there and those that will be. ``words`` are compared by rules; ``calls``
    go to the endpoint: a judge that follows another one is counted where the other's verdict calls for it already.
    ``unasked`` answers need a judge and none is named. ``seconds`` by phase (``recognise.recognise``, ``judge.ask``,
    …) as fast as the last run that did it; a phase that no run did is not among them.
    """

    read: int = 0
    recognise: int = 0
    quality: int = 0
    rates: int = 0
    words: int = 0
    calls: Estimate = field(default_factory=lambda: Estimate(0, 0, 0, None))
    calls_by_judge: Mapping[str, int] = field(default_factory=dict)
    unasked: int = 0
    seconds: Mapping[str, float] = field(default_factory=dict)
    chosen: int | None = None  # how many answers a filter or a choice of ids names; None where the scope has none

    @property
    def items(self) -> dict[str, int]:
        """How much each phase has to do, phases without any left out."""
        counts = {
            "read": self.read,
            "recognise.recognise": self.recognise,
            "measure.quality": self.quality,
            "measure.rates": self.rates,
            "judge.words": self.words,
            "judge.ask": self.calls.calls,
        }
        return {phase: count for phase, count in counts.items() if count}

    @property
    def total_s(self) -> float | None:
        """How long all of it took the last time; None where something of it was never done here."""
        if any(phase not in self.seconds for phase in self.items):
            return None
        return sum(self.seconds.values())


def plan_work(workspace: Workspace, request: WorkRequest) -> WorkPlan:
    """The plan of ``request`` as the workspace is now; well under a second for a hundred thousand answers."""
    with closing(workspace.connect()) as db:
        request = replace(request, scope=looked_up(db, request.scope, workspace.runs))
        plan = _measuring(db, request) if "measure" in request.steps else WorkPlan()
        if "judge" in request.steps:
            plan = _judging(db, request.scope, request.judging, plan)
    speeds = speeds_of(workspace)
    seconds = {phase: count / speeds[phase] for phase, count in plan.items.items() if phase in speeds}
    chosen = request.scope.chosen
    return replace(plan, seconds=seconds, chosen=None if chosen is None else chosen.count)


def speeds_of(workspace: Workspace) -> dict[str, float]:
    """Items a second of each phase (``step.phase``, and ``read``) in the last run that did some."""
    found: dict[str, float] = {}
    folders = [folder for folder in workspace.runs.glob("*") if folder.name.isdigit()]
    for folder in sorted(folders, key=lambda folder: -int(folder.name))[:_RUNS_BACK]:
        try:
            phases = json.loads((folder / PHASES).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        for phase in phases:
            name = "read" if phase["name"] == "read" else f"{phase['step']}.{phase['name']}"
            if phase["done"] and phase["seconds"] > 0:
                found.setdefault(name, phase["done"] / phase["seconds"])
    return found


def _measuring(db: sqlite3.Connection, request: WorkRequest) -> WorkPlan:
    scope, options = request.scope, request.measuring
    recognise = quality = 0
    if options.recognise:
        spec = options.recogniser
        recogniser = recognisers_like(db, spec.backend, asked_of(spec))
        recognise = count_clips_without_transcript(db, scope, recogniser)
    if options.quality:
        maker = find_maker(db, quality_maker())
        quality = count_clips_without_measurement(db, scope, maker, QUALITY_METRICS[0])
    rates = count_without_rates(db, scope, RULES_VERSION, "mismatch") + recognise
    return WorkPlan(count_clips_without_facts(db, scope), recognise, quality, rates)


def _judging(db: sqlite3.Connection, scope: Scope, options: JudgeOptions, plan: WorkPlan) -> WorkPlan:
    words = max(
        count_without_judgement(
            db, scope, Lacking(find_maker(db, rule_maker(rule)), rule, tuple(matched_subsets()), any_state=True)
        )
        for rule in RULES
    )
    if options.endpoint is None:
        return replace(plan, words=words, unasked=count_waiting_for_a_judge(db, scope))
    by_judge: dict[str, int] = defaultdict(int)
    estimates = []
    for repeat in options.repeats:
        for conditional in (False, True):
            for (judge, language), lacking in lacking_verdicts(db, options, conditional, repeat).items():
                found = _estimated(db, scope, options, judge, language, lacking)
                by_judge[judge] += found.calls
                estimates.append(found)
    return replace(
        plan,
        words=words,
        calls=_sum(estimates, options),
        calls_by_judge={judge: number for judge, number in by_judge.items() if number},
    )


def _estimated(
    db: sqlite3.Connection, scope: Scope, options: JudgeOptions, judge: str, language: str, lacking: Lacking
) -> Estimate:
    """The calls of one judge in one language, exactly; their tokens from the first few prompts."""
    calls = count_without_judgement(db, scope, lacking)
    if not calls:
        return Estimate(0, 0, 0, None)
    judges = load_judges()
    answers = answers_without_judgement(db, scope, lacking, limit=_SAMPLE)
    few = estimate([judge_item(judges[judge], language, answer) for answer in answers], judges)
    tokens_in, tokens_out = (round(calls * count / few.calls) for count in (few.tokens_in, few.tokens_out))
    cost = options.price.of(tokens_in, tokens_out) if options.price else None
    return Estimate(calls, tokens_in, tokens_out, cost)


def _sum(estimates: Iterable[Estimate], options: JudgeOptions) -> Estimate:
    parts = list(estimates)
    calls, tokens_in, tokens_out = (
        sum(getattr(part, name) for part in parts) for name in ("calls", "tokens_in", "tokens_out")
    )
    price = options.price
    cost = price.of(tokens_in, tokens_out) if price else None
    return Estimate(calls, tokens_in, tokens_out, cost, price.currency if price else "")
