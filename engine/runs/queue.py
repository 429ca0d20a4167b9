"""Runs that wait for their turn: one driver works in a workspace at a time, and the next begins when it has ended."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from engine.clock import utc_text
from engine.errors import EngineError
from engine.runs.driver import QUEUE
from engine.runs.launch import Launched, launch, refusal
from engine.runs.request import WorkRequest
from engine.runs.respond_request import KIND as RESPOND
from engine.runs.respond_request import RespondRequest
from engine.store.processes import is_running
from engine.store.runs import WORK, runs_of
from engine.store.workspace import Workspace

_LOCK = "queue.lock"
_WAIT_S = 5.0

Request = WorkRequest | RespondRequest


@dataclass(frozen=True, slots=True)
class Waiting:
    """A run that waits. ``error`` is why it did not begin when its turn came; such a one stays until it is removed."""

    id: str
    kind: str
    told: Mapping[str, Any]
    at: str
    language: str = "en"
    error: EngineError | None = None

    @property
    def request(self) -> Request:
        """What it asks for."""
        return RespondRequest.from_told(self.told) if self.kind == RESPOND else WorkRequest.from_told(self.told)


@dataclass(frozen=True, slots=True)
class _Queue:
    waiting: tuple[Waiting, ...] = ()
    begun: tuple[Waiting, Launched] | None = None  # the last one whose turn came


def waiting_runs(workspace: Workspace) -> tuple[Waiting, ...]:
    """Those that wait, the next one first."""
    return _read(workspace).waiting


def enqueue(workspace: Workspace, request: Request, language: str = "en") -> str:
    """Let a run wait for its turn; returns its id. Nothing begins by that alone: see :func:`begin_next`."""
    kind = RESPOND if isinstance(request, RespondRequest) else "work"
    told = json.loads(json.dumps(request.told(), default=str))
    made = Waiting(uuid.uuid4().hex, kind, told, utc_text(), language)
    _change(workspace, lambda queue: replace(queue, waiting=(*queue.waiting, made)))
    return made.id


def leave_queue(workspace: Workspace, waiting_id: str) -> None:
    """Let one wait no longer; it does not matter whether it still did."""
    _change(workspace, lambda queue: replace(queue, waiting=tuple(w for w in queue.waiting if w.id != waiting_id)))


def move_up(workspace: Workspace, waiting_id: str) -> None:
    """Let one begin before the one that is before it now."""

    def moved(queue: _Queue) -> _Queue:
        order = list(queue.waiting)
        place = next((place for place, one in enumerate(order) if one.id == waiting_id), 0)
        if place:
            order[place - 1 : place + 1] = order[place], order[place - 1]
        return replace(queue, waiting=tuple(order))

    _change(workspace, moved)


def begin_next(workspace: Workspace) -> Launched | None:
    """Start the next run that waits, apart from this process; None where none does, or another goes on.

    Any number of processes may call it at once: each run begins once. A run whose process was refused stays in the
    queue with its error, and the next one begins.
    """
    if not (workspace.runs / QUEUE).exists():
        return None
    with _locked(workspace):
        queue = _settled(workspace, _read(workspace))
        first = next((one for one in queue.waiting if one.error is None), None)
        if first is None or queue.begun is not None or not _is_free(workspace):
            _write(workspace, queue)
            return None
        launched = launch(workspace, first.request, language=first.language)
        rest = tuple(one for one in queue.waiting if one.id != first.id)
        _write(workspace, _Queue(rest, (first, launched)))
        return launched


def _settled(workspace: Workspace, queue: _Queue) -> _Queue:
    """The queue without the one that begun last, where that has its row or has ended."""
    if queue.begun is None:
        return queue
    one, launched = queue.begun
    with closing(workspace.connect()) as db:
        rows = [run for run in runs_of(db, WORK, limit=20) if run.process_id == launched.process]
    if any(run.started_at >= launched.at for run in rows):
        return replace(queue, begun=None)
    if is_running(launched.process, launched.mark) is not False:
        return queue
    refused = replace(one, error=refusal(launched.log))
    if refused.error is not None and refused.error.code == "store.driver_running":
        return _Queue((replace(one, error=None), *queue.waiting))  # somebody was quicker: its turn comes again
    return _Queue((refused, *queue.waiting))


def _is_free(workspace: Workspace) -> bool:
    """Whether no driver works here."""
    lock = workspace.driver_lock()
    try:
        lock.acquire()
    except (Timeout, OSError):
        return False
    lock.release()
    return True


@contextmanager
def _locked(workspace: Workspace) -> Any:
    lock = FileLock(workspace.runs / _LOCK, timeout=_WAIT_S)
    try:
        with lock:
            yield
    except (OSError, Timeout) as error:
        path = str(workspace.runs / QUEUE)
        raise EngineError(
            "store.cannot_write", path=path, why=getattr(error, "strerror", None) or str(error)
        ) from error


def _change(workspace: Workspace, change: Callable[[_Queue], _Queue]) -> None:
    with _locked(workspace):
        _write(workspace, change(_read(workspace)))


def _read(workspace: Workspace) -> _Queue:
    try:
        told = json.loads((workspace.runs / QUEUE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return _Queue()
    except (OSError, ValueError) as error:
        raise EngineError("runs.queue_damaged", path=str(workspace.runs / QUEUE), why=str(error)) from error
    begun = told.get("begun")
    return _Queue(
        tuple(_waiting(one) for one in told["waiting"]),
        None if begun is None else (_waiting(begun[0]), Launched(**{**begun[1], "log": Path(begun[1]["log"])})),
    )


def _waiting(told: Mapping[str, Any]) -> Waiting:
    error = told["error"]
    return Waiting(**{**told, "error": None if error is None else EngineError(error["code"], **error["values"])})


def _write(workspace: Workspace, queue: _Queue) -> None:
    told = {
        "waiting": [_told(one) for one in queue.waiting],
        "begun": None if queue.begun is None else [_told(queue.begun[0]), asdict(queue.begun[1])],
    }
    path = workspace.runs / QUEUE
    new = path.with_suffix(f".{os.getpid()}.new")
    new.write_text(json.dumps(told, ensure_ascii=False, default=str), encoding="utf-8")
    new.replace(path)


def _told(one: Waiting) -> dict[str, Any]:
    error = None if one.error is None else {"code": one.error.code, "values": one.error.values}
    return {
        "id": one.id, "kind": one.kind, "told": dict(one.told), "at": one.at, "language": one.language, "error": error,
    }  # fmt: skip
