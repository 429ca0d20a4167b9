"""``auricle work``: measure, judge and score in turn, in one run that whoever started it need not wait for."""

from __future__ import annotations

import sys
from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.asked import DryRunOption, RequestOption, asked_by, refusal_told
from engine.cli.bring import bring_for_recogniser
from engine.cli.console import (
    FINDINGS,
    EventsOption,
    ExclusiveOption,
    WorkspaceOption,
    open_derived,
    said,
    watch,
)
from engine.cli.flips import tell_flips
from engine.cli.judge import found_bad, tell_judged
from engine.cli.measure import tell_measured
from engine.cli.options import JudgeChoice, MeasureChoice, ScopeChoice, with_options
from engine.cli.queue import LaterOption, put_in_queue

if TYPE_CHECKING:
    from engine.runs.request import WorkRequest
    from engine.store.workspace import Workspace


@with_options
def work(
    chosen: ScopeChoice,
    measuring: MeasureChoice,
    judging: JudgeChoice,
    steps: Annotated[
        str, typer.Option("--steps", help="What to do, in this order: measure,judge,score or some of them.")
    ] = "measure,judge,score",
    resume: Annotated[
        int | None, typer.Option("--resume", help="Ask for what this run was asked; what is done stays.")
    ] = None,
    later: LaterOption = False,
    dry_run: DryRunOption = False,
    request: RequestOption = None,
    events: EventsOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Measure, judge and score, one after another; stopped or killed, the same command goes on from there."""
    from engine.runs.request import WorkRequest, request_of
    from engine.runs.work import work_workspace
    from engine.store.runs import run_of

    with refusal_told(request):
        opened = open_derived(workspace, exclusive=exclusive)
        if request is not None:
            asked = _checked(opened, WorkRequest.from_told(asked_by(request)))
        elif resume is not None:
            with closing(opened.connect()) as db:
                asked = _checked(opened, request_of(run_of(db, resume)))
        else:
            wanted = tuple(step.strip() for step in steps.split(",") if step.strip())
            asked = WorkRequest(wanted, chosen.scope(opened, measuring.limit), measuring.options(), judging.options())
        if dry_run:
            _tell_plan(opened, asked)
            return
        if later:
            put_in_queue(opened, asked)
            return
        if "measure" in asked.steps and asked.measuring.recognise:
            bring_for_recogniser(asked.measuring.recogniser, is_elsewhere=bool(asked.measuring.command))
        done = watch(work_workspace(opened, asked, sys.stdout if events else None), "work", quiet=events)
    if done.measured is not None:
        tell_measured(done.measured)
    if done.judged is not None:
        tell_judged(done.judged)
    tell_flips(opened)
    if (done.measured and done.measured.failed) or (done.judged and found_bad(done.judged)):
        raise typer.Exit(FINDINGS)


def _checked(opened: Workspace, asked: WorkRequest) -> WorkRequest:
    from engine.runs.scope import chosen_scope

    scope = asked.scope
    chosen_scope(opened, scope.systems, scope.benchmark, scope.subsets, scope.limit, scope.chosen)
    return asked


def _tell_plan(opened: Workspace, asked: WorkRequest) -> None:
    from engine.runs.plan import plan_work

    plan = plan_work(opened, asked)
    print(said("plan", read=plan.read, recognise=plan.recognise, quality=plan.quality, rates=plan.rates))
    cost = said("estimate_cost", cost=plan.calls.cost, currency=plan.calls.currency) if plan.calls.cost else ""
    print(said("plan_judge", words=plan.words, unasked=plan.unasked))
    calls = plan.calls
    print(said("estimate", calls=calls.calls, tokens_in=calls.tokens_in, tokens_out=calls.tokens_out, cost=cost))
