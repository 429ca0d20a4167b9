"""A run as a whole: measure, judge and score in turn, in one driver that survives whoever started it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TextIO

from engine.endpoints.keys import find_key
from engine.errors import EngineError
from engine.killpoints import point
from engine.progress import Progress
from engine.runs.driver import Drive, driving, until_stopped
from engine.runs.judge import Judged, judge
from engine.runs.measure import Measured, measure
from engine.runs.request import WorkRequest
from engine.runs.scope import brief, keep_chosen, looked_up
from engine.runs.scoring import Headline, score
from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Worked:
    """What each step of a run did; None for a step that was not asked for."""

    measured: Measured | None = None
    judged: Judged | None = None
    scored: list[Headline] | None = None


def work_workspace(
    workspace: Workspace, request: WorkRequest, follower: TextIO | None = None
) -> Generator[Progress, None, Worked]:
    """Do the steps of ``request`` one after another; what is done already is not done again.

    Closed, killed or asked to stop, what is written stays and the same request goes on from there. Raises EngineError
    as the steps do; without a key for its judge before anything else, so that nobody waits an hour to hear of it.
    """
    endpoint = request.judging.endpoint
    if "judge" in request.steps and endpoint is not None and request.judging.key is None:
        find_key(endpoint.base_url, endpoint.key_env)
    with closing(workspace.connect()) as db:
        request = replace(request, scope=looked_up(db, request.scope, workspace.runs))
    told = replace(request, scope=brief(request.scope)).told()
    with driving(workspace, "work", told, follower) as drive:
        keep_chosen(request.scope, drive.folder)
        return (yield from until_stopped(drive, _steps(drive, request)))


def _steps(drive: Drive, request: WorkRequest) -> Generator[Progress, None, Worked]:
    measured = judged = scored = None
    if "measure" in request.steps:
        measured = yield from measure(drive, request.scope, request.measuring)
        point("step_measure")
    if "judge" in request.steps:
        judged = yield from judge(drive, request.scope, request.judging)
        point("step_judge")
        if judged.troubles.get("judges.budget_spent"):
            drive.end_message = EngineError("runs.budget_reached", spent=f"{drive.spent:.2f}", budget=_budget(request))
    if "score" in request.steps:
        scored = yield from score(drive, request.scope)
    return Worked(measured, judged, scored)


def _budget(request: WorkRequest) -> str:
    budget = request.judging.budget
    money = budget.money if budget else None
    return "—" if money is None else f"{money:.2f}"
