"""Follows a run from outside: its row, what its events tell, and whether its driver lives."""

from __future__ import annotations

import json
import os
import platform
import time
from contextlib import closing
from dataclasses import replace
from typing import Any

from engine.clock import utc_text
from engine.errors import EngineError
from engine.runs.driver import ALIVE, EVENTS, STOP, WORKERS
from engine.runs.pool import WorkerState
from engine.runs.request import request_of
from engine.runs.respond_request import KIND as RESPOND
from engine.runs.scope import looked_up
from engine.runs.told import RunState, Sign, Told
from engine.store.failures import Trouble, troubles
from engine.store.processes import is_running
from engine.store.runs import RunRow, run_of, runs_of
from engine.store.workspace import Workspace

FRESH_S = 3.0  # a sign of life so young needs no other proof
_TAIL, _TAIL_LINES = 64 << 10, 300  # of a worker's log
FAR_S = 30.0  # and one from another machine, whose processes cannot be asked, counts so long


def sign_of(workspace: Workspace, run: RunRow) -> Sign:
    """Whether the driver of ``run`` lives; a run that has ended has none."""
    if run.state != "running":
        return Sign(False, None, run.process_id)
    path = workspace.runs / str(run.id) / ALIVE
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        age_s = max(0.0, time.time() - path.stat().st_mtime)
    except (OSError, ValueError):
        return Sign(is_running(run.process_id) is True, None, run.process_id)
    process, host = told["process"], told["host"]
    runs = is_running(process, told["mark"]) if host == platform.node() else None
    is_alive = age_s < (FRESH_S if runs is not None else FAR_S) if not runs else True
    return Sign(is_alive and runs is not False, age_s, process, host)


def listed_runs(workspace: Workspace) -> list[RunRow]:
    """The runs of a workspace, newest first; one whose driver died says so though nobody has closed its row yet."""
    with closing(workspace.connect()) as db:
        return [_as_it_is(run, sign_of(workspace, run)) for run in runs_of(db)]


def troubles_of(workspace: Workspace, run: RunRow) -> list[Trouble]:
    """What went wrong in ``run``, and which of its answers could not be worked on; the most frequent first.

    What only could not be worked on is unscored, as the run itself counts it.
    """
    with closing(workspace.connect()) as db:
        scope = looked_up(db, request_of(run).scope, workspace.runs)
        found = troubles(db, scope, run.started_at, run.ended_at or utc_text())
    told = _told_of_answers(run)
    return [replace(trouble, state="unscored") if trouble.source in told else trouble for trouble in found]


def _told_of_answers(run: RunRow) -> tuple[str, ...]:
    """The sources of what stood in the way of a run before it began: it counts none of it as failed."""
    if run.kind == RESPOND:
        return ()
    return ("answer",) if "measure" in request_of(run).steps else ("answer", "read")


def worker_words(workspace: Workspace, run_id: int) -> tuple[tuple[int, str], ...]:
    """The last lines that each worker of a run wrote to its log, with the worker's number, counted from 1."""
    found: list[tuple[int, str]] = []
    logs = (workspace.runs / str(run_id)).glob("worker*.log")
    for path in sorted(logs, key=lambda path: (len(path.name), path.name)):
        number = path.stem.rpartition("-")[2]
        try:
            with path.open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                file.seek(max(0, size - _TAIL))
                lines = file.read().decode("utf-8", "backslashreplace").splitlines()
        except OSError:
            continue
        found += [(int(number) if number.isdigit() else 1, line) for line in lines[-_TAIL_LINES:] if line.strip()]
    return tuple(found)


class Follower:
    """Reads one run again and again; each time only what was added to its events. For one thread at a time."""

    def __init__(self, workspace: Workspace, run_id: int) -> None:
        self._workspace, self._run_id = workspace, run_id
        self._path = workspace.runs / str(run_id) / EVENTS
        self._offset = 0
        self._told = Told()

    def read(self) -> RunState:
        """The run as it is now; raises EngineError ``runs.no_such_run``."""
        with closing(self._workspace.connect()) as db:
            run = run_of(db, self._run_id)
        for event in self._new_events():
            self._told.take(event)
        sign = sign_of(self._workspace, run)
        run = _as_it_is(run, sign)
        state = run.state
        if state == "running" and (self._path.parent / STOP).exists():
            state = "stopping"
        return replace(self._told.state(run, state, sign), workers=self._workers())

    def _workers(self) -> tuple[WorkerState, ...]:
        """What each worker did when it was last told; none where there were none yet."""
        try:
            told = json.loads((self._path.parent / WORKERS).read_text(encoding="utf-8"))
            return tuple(WorkerState(**worker) for worker in told)
        except (OSError, ValueError, TypeError):
            return ()

    def _new_events(self) -> list[dict[str, Any]]:
        """The whole lines that were added since; half a line waits for its other half."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                added = file.read()
        except OSError:
            return []
        whole = added[: added.rfind(b"\n") + 1]
        self._offset += len(whole)
        return [json.loads(line) for line in whole.splitlines() if line.strip()]


def _as_it_is(run: RunRow, sign: Sign) -> RunRow:
    if run.state == "running" and not sign.is_alive:
        return replace(run, state="stopped", message=EngineError("runs.driver_died"))
    return run
