"""The driver: owns one piece of long work in a workspace, alone writes its results, and says what happens."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TextIO, TypeVar

from filelock import Timeout

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.runs import begin_run, close_orphans, end_run, mark_progress, running_process
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

BATCH_ROWS, BATCH_S = 200, 0.5
Entry = TypeVar("Entry")


@dataclass(slots=True)
class Drive:
    """What a step of a run needs: the store, the run's row and folder, and a voice."""

    workspace: Workspace
    db: sqlite3.Connection
    run_id: int
    folder: Path
    done: int = 0
    failed: int = 0
    _events: list[TextIO] = field(default_factory=list)

    def say(self, event: str, **values: Any) -> None:
        """Append one event to ``events.jsonl`` (and to whoever follows); a follower reads whole lines."""
        line = json.dumps({"event": event, "at": utc_text(), "run": self.run_id, **values}, ensure_ascii=False)
        for stream in list(self._events):
            try:
                print(line, file=stream, flush=True)
            except BrokenPipeError:  # whoever followed has gone; the run goes on
                self._events.remove(stream)

    def mark(self) -> None:
        """Write how far the run is into its row; call it in the transaction that writes the results."""
        mark_progress(self.db, self.run_id, self.done, self.failed)


@contextmanager
def driving(
    workspace: Workspace, kind: str, settings: Mapping[str, Any], follower: TextIO | None = None
) -> Iterator[Drive]:
    """Hold the workspace's driver lock and a run's row while the block works.

    The row ends as ``done``, as ``cancelled`` when the generator around it is closed or interrupted, as ``failed``
    when an error leaves the block. Raises EngineError ``store.driver_running`` while another driver works here.
    """
    lock = workspace.driver_lock()
    db = workspace.connect()
    try:
        lock.acquire()
    except Timeout as error:
        process = running_process(db)
        db.close()
        raise EngineError("store.driver_running", path=str(workspace.folder), process=process) from error
    try:
        close_orphans(db)
        run_id = begin_run(db, kind, settings)
        folder = workspace.runs / str(run_id)
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "events.jsonl").open("a", encoding="utf-8") as events:
            drive = Drive(workspace, db, run_id, folder, _events=[events, *([follower] if follower else [])])
            yield from _to_its_end(drive, kind, settings)
    finally:
        db.close()
        lock.release()


def _to_its_end(drive: Drive, kind: str, settings: Mapping[str, Any]) -> Iterator[Drive]:
    try:
        drive.say("began", kind=kind, settings=dict(settings), process=os.getpid())
        yield drive
    except (GeneratorExit, KeyboardInterrupt):
        _close(drive, "cancelled", None)
        raise
    except EngineError as error:
        _close(drive, "failed", str(error))
        raise
    except BaseException as error:
        _close(drive, "failed", repr(error))
        raise
    else:
        _close(drive, "done", None)


def _close(drive: Drive, state: str, message: str | None) -> None:
    end_run(drive.db, drive.run_id, state, message)
    drive.say("ended", state=state, message=message, done=drive.done, failed=drive.failed)


class Batch(Generic[Entry]):
    """Collects results and writes them together: after ``BATCH_ROWS`` of them, ``BATCH_S`` seconds, and at the end."""

    def __init__(self, db: sqlite3.Connection, write: Callable[[list[Entry]], None]) -> None:
        self._db, self._write = db, write
        self._entries: list[Entry] = []
        self._began = 0.0

    def add(self, entry: Entry) -> None:
        """Take one result; may write the batch."""
        if not self._entries:
            self._began = time.monotonic()
        self._entries.append(entry)
        if len(self._entries) >= BATCH_ROWS or time.monotonic() - self._began >= BATCH_S:
            self.flush()

    def tick(self) -> None:
        """Write the batch if it is old enough; called while nothing new comes."""
        if self._entries and time.monotonic() - self._began >= BATCH_S:
            self.flush()

    def flush(self) -> None:
        """Write what is there in one transaction."""
        if self._entries:
            with transaction(self._db):
                self._write(self._entries)
            self._entries = []
