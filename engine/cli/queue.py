"""``auricle queue``: the runs that wait for their turn; sooner, not at all, or now."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, Any

import typer

from engine.cli.console import (
    ExclusiveOption,
    JsonOption,
    WorkspaceOption,
    column,
    language,
    open_or_stop,
    print_json,
    print_table,
    said,
)
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.runs.queue import Request, Waiting
    from engine.store.workspace import Workspace

app = typer.Typer(help="List the runs that wait, begin the next, move or remove one.", no_args_is_help=True)
PlaceArgument = Annotated[int, typer.Argument(metavar="PLACE", help="Its place in the list, counted from 1.")]
LaterOption = Annotated[bool, typer.Option("--later", help="Let it wait for its turn behind what goes on.")]


@app.command("list")
def list_(as_json: JsonOption = False, workspace: WorkspaceOption = None, exclusive: ExclusiveOption = False) -> None:
    """The runs that wait, the next one first."""
    from engine.runs.queue import waiting_runs

    found = waiting_runs(open_or_stop(workspace, exclusive=exclusive))
    if as_json:
        print_json([_told(one) for one in found])
        return
    rows = [(str(place), one.kind, about(one.request), _why(one)) for place, one in enumerate(found, start=1)]
    print_table(said("queue_title"), [column(name) for name in ("number", "kind", "about", "state")], rows, words=4)


@app.command()
def begin(workspace: WorkspaceOption = None, exclusive: ExclusiveOption = False) -> None:
    """Begin the next run, apart from this terminal, where no other goes on; the rest follow by themselves."""
    from engine.runs.queue import begin_next

    opened = open_or_stop(workspace, exclusive=exclusive)
    launched = begin_next(opened)
    print(said("queue_begun", process=launched.process) if launched is not None else _why_none(opened))


@app.command()
def sooner(place: PlaceArgument, workspace: WorkspaceOption = None, exclusive: ExclusiveOption = False) -> None:
    """Let one begin before the one that is before it now."""
    from engine.runs.queue import move_up

    opened = open_or_stop(workspace, exclusive=exclusive)
    move_up(opened, _at(opened, place))


@app.command()
def leave(place: PlaceArgument, workspace: WorkspaceOption = None, exclusive: ExclusiveOption = False) -> None:
    """Let one wait no longer."""
    from engine.runs.queue import leave_queue

    opened = open_or_stop(workspace, exclusive=exclusive)
    leave_queue(opened, _at(opened, place))


def put_in_queue(opened: Workspace, request: Request) -> None:
    """Let a run wait for its turn, which is now where nothing else goes on; says which."""
    from engine.runs.queue import begin_next, enqueue, waiting_runs

    enqueue(opened, request, language())
    launched = begin_next(opened)
    print(said("queued", count=len(waiting_runs(opened))))
    if launched is not None:
        print(said("queue_begun", process=launched.process))


def about(request: Request) -> str:
    """What a run is about, in a few words."""
    told: dict[str, Any] = request.told()
    scope = told.get("scope") or {}
    names = [*scope.get("systems", ()), *filter(None, [scope.get("benchmark")]), *scope.get("subsets", ())]
    return ", ".join([*told.get("steps", ()), *names])


def _why_none(opened: Workspace) -> str:
    """Why no run has begun: none waits, all that wait were refused, or which other goes on."""
    from engine.runs.queue import waiting_runs
    from engine.store.runs import runs_of

    waiting = waiting_runs(opened)
    if not waiting:
        return said("queue_empty")
    if all(one.error is not None for one in waiting):
        return said("queue_refused")
    with closing(opened.connect()) as db:
        running = next((run for run in runs_of(db) if run.state == "running"), None)
    if running is None:
        return said("queue_busy")
    return said("queue_busy_with", run=running.id, kind=running.kind, process=running.process_id or "—")


def _at(opened: Workspace, place: int) -> str:
    from engine.runs.queue import waiting_runs

    found = waiting_runs(opened)
    if not 1 <= place <= len(found):
        raise EngineError("runs.not_waiting", place=place, count=len(found))
    return found[place - 1].id


def _why(one: Waiting) -> str:
    return said("queue_waits") if one.error is None else one.error.sentence(language())


def _told(one: Waiting) -> dict[str, Any]:
    error = None if one.error is None else {"code": one.error.code, "values": one.error.values}
    return {"kind": one.kind, "at": one.at, "about": about(one.request), "request": one.told, "error": error}
