"""Judging a workspace: words first, then a language model for what words do not decide."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TextIO

from engine.judges.ask import Totals, ask_judges
from engine.judges.budget import Budget, Estimate, estimate
from engine.judges.declaration import load_judges
from engine.judges.failed import kept_reason
from engine.judges.prompt import rubric_sha256
from engine.judges.values import Judgement, Notice
from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.driver import Batch, Drive, driving, until_stopped
from engine.runs.judge_plan import (
    JudgeOptions,
    all_items,
    asked_endpoint,
    judge_maker,
    lacking_verdicts,
    planned_items,
)
from engine.runs.matching import match_answers
from engine.runs.scope import brief, keep_chosen, looked_up
from engine.store.makers import Maker, maker_id
from engine.store.plans import Scope, places_of
from engine.store.results import JudgementRow, put_judgements
from engine.store.unjudged import count_without_judgement
from engine.store.workspace import Workspace

_TOLD_RISE = 1.3  # a rise of the calls at once is told when it has come to so much
_LONGEST_REASON = 200  # characters of a reason in an event


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judging run did: answers matched by words, judgements by state, and what still waits for a judge."""

    matched: int
    states: Mapping[str, int]
    waiting: int
    troubles: Mapping[str, int] = field(default_factory=dict)  # why judgements failed, by code


def judge_workspace(
    workspace: Workspace, scope: Scope, options: JudgeOptions, follower: TextIO | None = None
) -> Generator[Progress, None, Judged]:
    """Judge what is not judged yet; closed or killed, what is written stays and the next call goes on from there.

    Raises EngineError ``store.driver_running``, or what stops every further call (a wrong key, model or address).
    """
    with closing(workspace.connect()) as db:
        scope = looked_up(db, scope, workspace.runs)
    told = {"scope": brief(scope).told(), "judging": options.told()}
    with driving(workspace, "judge", told, follower) as drive:
        keep_chosen(scope, drive.folder)
        return (yield from until_stopped(drive, judge(drive, scope, options)))


def judge(drive: Drive, scope: Scope, options: JudgeOptions) -> Generator[Progress, None, Judged]:
    """What :func:`judge_workspace` does, as a part of a run that goes on."""
    matched = yield from match_answers(drive, scope)
    if options.endpoint is None:
        unasked = {item.response_id for item in all_items(drive.db, scope, options, 0)}
        return Judged(matched, {}, len(unasked))
    states: dict[str, int] = defaultdict(int)
    troubles: Counter[str] = Counter()
    budget = options.budget
    # a judge that follows another one comes after it, and repeats are asked apart: each knows what it lacks
    for conditional in (False, True):
        with drive.doing("judge", "follow_up" if conditional else "ask", _planned(drive, scope, options, conditional)):
            for repeat in options.repeats:
                totals = yield from _ask(drive, scope, options, conditional, repeat, budget, troubles)
                budget = _left(budget, totals)
                for state in ("scored", "unparsable", "failed", "unscored"):
                    states[state] += getattr(totals, state)
    return Judged(matched, dict(states), 0, dict(troubles))


def estimate_judging(workspace: Workspace, scope: Scope, options: JudgeOptions) -> Estimate:
    """Calls, tokens and cost of what :func:`judge_workspace` would ask now; nothing is written and nobody is asked.

    A judge that follows another is counted where the other's verdict calls for it already.
    """
    db = workspace.connect()
    try:
        scope = looked_up(db, scope, workspace.runs)
        items = [item for repeat in options.repeats for item in all_items(db, scope, options, repeat)]
        return estimate(items, load_judges(), price=options.price)
    finally:
        db.close()


def _ask(
    drive: Drive,
    scope: Scope,
    options: JudgeOptions,
    conditional: bool,
    repeat: int,
    budget: Budget | None,
    troubles: Counter[str],
) -> Generator[Progress, None, Totals]:
    """Ask one wave of judges, all of them at once, and write what comes."""
    plan = planned_items(drive.db, scope, options, conditional, repeat)
    judges = load_judges()
    makers = {
        (judge, rubric_sha256(judges[judge], language)): judge_maker(judges[judge], language, options)
        for judge, language in plan
    }
    batch: Batch[Judgement] = Batch(drive, lambda judgements: _write(drive, makers, judgements))
    items = [item for entries in plan.values() for item in entries]
    work = ask_judges(
        items, asked_endpoint(options), key=options.key, repeats=(repeat,), budget=budget, price=options.price
    )
    try:
        while True:
            step = next(work)
            if isinstance(step, Judgement):
                _count(drive, step, troubles)
                batch.add(step)
            elif isinstance(step, Notice):
                _tell(drive, step)
            else:
                batch.tick()
                yield replace(step, done=drive.phase.done, total=drive.phase.total, failed=drive.phase.failed)
    except StopIteration as end:
        totals: Totals = end.value
        return totals
    finally:
        work.close()
        batch.flush()


def _planned(drive: Drive, scope: Scope, options: JudgeOptions, conditional: bool) -> int:
    """How many judgements one wave of judges is asked for, all repeats together."""
    return sum(
        count_without_judgement(drive.db, scope, lacking)
        for repeat in options.repeats
        for lacking in lacking_verdicts(drive.db, options, conditional, repeat).values()
    )


def _count(drive: Drive, judgement: Judgement, troubles: Counter[str]) -> None:
    drive.count(state=judgement.state)
    drive.tokens_in += judgement.tokens_in
    drive.tokens_out += judgement.tokens_out
    drive.spent += judgement.cost or 0.0
    if judgement.state in ("failed", "unscored"):
        troubles[judgement.error_code or judgement.state] += 1


def _tell(drive: Drive, notice: Notice) -> None:
    """Note how many calls may run at once now, and say what an endpoint asked for or what lowered it."""
    before, drive.at_once = drive.at_once, notice.at_once
    if notice.kind == "pushed_back":
        drive.say("pushed_back", status=notice.status, wait_s=notice.wait_s, before=before, at_once=notice.at_once)
        drive.told_at_once = notice.at_once
    elif not drive.told_at_once:
        drive.told_at_once = notice.at_once
    elif notice.at_once >= _TOLD_RISE * drive.told_at_once:
        drive.say("limit_raised", before=drive.told_at_once, at_once=notice.at_once)
        drive.told_at_once = notice.at_once


def _left(budget: Budget | None, used: Totals) -> Budget | None:
    """What a budget still allows after ``used``."""
    if budget is None:
        return None
    return Budget(
        money=None if budget.money is None else max(0.0, budget.money - (used.cost or 0.0)),
        tokens=None if budget.tokens is None else max(0, budget.tokens - used.tokens_in - used.tokens_out),
        calls=None if budget.calls is None else max(0, budget.calls - used.calls),
    )


def _write(drive: Drive, makers: Mapping[tuple[str, str], Maker], judgements: Sequence[Judgement]) -> None:
    for key, maker in makers.items():
        mine = [_row(j) for j in judgements if (j.judge, j.rubric_sha256) == key]
        if mine:
            put_judgements(drive.db, maker_id(drive.db, maker), mine)
    rederive(drive, sorted({j.response_id for j in judgements}))
    bad = [j for j in judgements if j.state in ("unparsable", "failed")]
    places = places_of(drive.db, [j.response_id for j in bad])
    for j in bad:
        where = places.get(j.response_id, "")
        drive.say_bad("judged_badly", response=j.response_id, place=where, judge=j.judge, state=j.state,
                      code=j.error_code, values=dict(j.error_values), reason=j.reason[:_LONGEST_REASON])  # fmt: skip


def _row(judgement: Judgement) -> JudgementRow:
    return JudgementRow(
        judgement.response_id,
        judgement.judge,
        judgement.state,
        judgement.verdict,
        judgement.score,
        kept_reason(judgement),
        judgement.raw_reply,
        judgement.flags,
        judgement.error_code,
        judgement.repeat,
        judgement.tokens_in,
        judgement.tokens_out,
        judgement.cost,
        judgement.seconds,
    )
