"""Runs: one row for each piece of long work, so that a window or a second terminal can follow it."""

from __future__ import annotations

import json
import os
import sqlite3
import uuid
from collections.abc import Mapping
from typing import Any

from engine.clock import utc_text
from engine.store.transaction import transaction


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


def mark_progress(db: sqlite3.Connection, run_id: int, done: int, failed: int) -> None:
    """Say how far a run is; call it in the transaction that writes the results."""
    db.execute("UPDATE run SET done = ?, failed = ? WHERE id = ?", (done, failed, run_id))


def end_run(db: sqlite3.Connection, run_id: int, state: str, message: str | None = None) -> None:
    """Close a run as done, cancelled, failed or stopped."""
    with transaction(db):
        db.execute(
            "UPDATE run SET state = ?, message = ?, ended_at = ? WHERE id = ?", (state, message, utc_text(), run_id)
        )


def close_orphans(db: sqlite3.Connection) -> int:
    """Mark runs as stopped whose driver died; call it while holding the driver lock. Returns how many."""
    running = db.execute("SELECT id, kind, process_id FROM run WHERE state = 'running'").fetchall()
    orphans = [row["id"] for row in running if row["kind"] != "import" or not _is_alive(row["process_id"])]
    with transaction(db):
        db.executemany(
            "UPDATE run SET state = 'stopped', message = 'the driver ended before the run did', ended_at = ?"
            " WHERE id = ?",
            [(utc_text(), run_id) for run_id in orphans],
        )
    return len(orphans)


def _is_alive(process_id: int | None) -> bool:
    """Whether a process of that number runs on this machine; an import holds no lock that would tell."""
    if process_id is None:
        return False
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def running_process(db: sqlite3.Connection) -> int | None:
    """The process of the newest run that says it is running."""
    row = db.execute("SELECT process_id FROM run WHERE state = 'running' ORDER BY id DESC LIMIT 1").fetchone()
    return None if row is None else row[0]
