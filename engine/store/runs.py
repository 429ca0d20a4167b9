"""Runs: one row for each piece of long work, so that a window or a second terminal can follow it."""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.processes import is_running
from engine.store.transaction import transaction

WORK = ("work", "measure", "judge", "reread", "respond")  # the kinds that hold the driver's lock; an import holds none


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as its row has it. ``message`` is why it ended as it did: an error, or text of a bug; "" without.

    ``state`` is what was written: a ``running`` run whose process has died is closed by the next driver.
    """

    id: int
    kind: str
    settings: Mapping[str, Any]
    state: str
    planned: int
    done: int
    failed: int
    message: EngineError | str
    process_id: int | None
    started_at: str
    ended_at: str | None


def begin_run(db: sqlite3.Connection, kind: str, settings: Mapping[str, Any], planned: int = 0) -> int:
    """Add a running run and return its id."""
    with transaction(db):
        cursor = db.execute(
            "INSERT INTO run (uid, kind, settings, state, planned, process_id, started_at) VALUES (?, ?,"
            " ?, 'running', ?, ?, ?)",
            (
                str(uuid.uuid4()),
                kind,
                json.dumps(settings, ensure_ascii=False, sort_keys=True),
                planned,
                os.getpid(),
                utc_text(),
            ),
        )
    return int(cursor.lastrowid or 0)


def mark_progress(db: sqlite3.Connection, run_id: int, done: int, failed: int, planned: int | None = None) -> None:
    """Say how far a run is, and of how much if that is known better now; in the transaction that writes results."""
    db.execute(
        "UPDATE run SET done = ?, failed = ?, planned = COALESCE(?, planned) WHERE id = ?",
        (done, failed, planned, run_id),
    )


def end_run(db: sqlite3.Connection, run_id: int, state: str, message: EngineError | str | None = None) -> None:
    """Close a run as done, cancelled, failed or stopped; an error is kept by its code, to be told in any language."""
    with transaction(db):
        db.execute(
            "UPDATE run SET state = ?, message = ?, ended_at = ? WHERE id = ?",
            (state, _written(message), utc_text(), run_id),
        )


def close_orphans(db: sqlite3.Connection) -> int:
    """Mark runs as stopped whose driver died; call it while holding the driver lock. Returns how many."""
    running = db.execute("SELECT id, kind, process_id FROM run WHERE state = 'running'").fetchall()
    orphans = [row["id"] for row in running if row["kind"] != "import" or is_running(row["process_id"]) is False]
    died = _written(EngineError("runs.driver_died"))
    with transaction(db):
        db.executemany(
            "UPDATE run SET state = 'stopped', message = ?, ended_at = ? WHERE id = ?",
            [(died, utc_text(), run_id) for run_id in orphans],
        )
    return len(orphans)


def running_process(db: sqlite3.Connection) -> int | None:
    """The process of the newest run that says it is running."""
    row = db.execute("SELECT process_id FROM run WHERE state = 'running' ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else row[0]


def runs_of(db: sqlite3.Connection, kinds: tuple[str, ...] = WORK, limit: int = 200) -> list[RunRow]:
    """The newest runs of some kinds, newest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM run WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY id DESC LIMIT ?",
        (json.dumps(kinds), limit),
    )
    return [_run(row) for row in rows]


def run_of(db: sqlite3.Connection, run_id: int) -> RunRow:
    """One run; raises EngineError ``runs.no_such_run``."""
    row = db.execute(f"SELECT {_COLUMNS} FROM run WHERE id = ?", (run_id,)).fetchone()
    if row is None:
        raise EngineError("runs.no_such_run", run=run_id)
    return _run(row)


_COLUMNS = "id, kind, settings, state, planned, done, failed, message, process_id, started_at, ended_at"


def _run(row: sqlite3.Row) -> RunRow:
    return RunRow(
        row["id"],
        row["kind"],
        json.loads(row["settings"]),
        row["state"],
        row["planned"],
        row["done"],
        row["failed"],
        _read(row["message"]),
        row["process_id"],
        row["started_at"],
        row["ended_at"],
    )


def _written(message: EngineError | str | None) -> str | None:
    if isinstance(message, EngineError):
        return json.dumps({"code": message.code, "values": message.values}, ensure_ascii=False, default=str)
    return message


def _read(message: str | None) -> EngineError | str:
    if message is None or not message.startswith('{"code":'):
        return message or ""
    told = json.loads(message)
    return EngineError(told["code"], **told["values"])
