"""Copies of the store that are whole, taken while it is in use."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from engine.clock import utc_text
from engine.errors import EngineError

KEPT = 5
BEFORE_MIGRATION = "before-migration"


def back_up(db: sqlite3.Connection, folder: Path, reason: str = "by-hand") -> Path:
    """Write a consistent copy of the store into ``folder`` and return its path.

    Of those made before a migration the oldest beyond ``KEPT`` go; what a person asked for stays.

    SQLite's own backup reads a snapshot, so writers may go on. Only the database is copied: audio lies by content and
    is never changed. Raises EngineError ``store.cannot_write``.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(folder), why=error.strerror or str(error)) from error
    stamp = utc_text().replace(":", "").replace(".", "-")
    path = folder / f"auricle-{stamp}-{reason}.db"
    unfinished = path.with_suffix(".partial")
    copy = sqlite3.connect(unfinished)
    try:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
    os.replace(unfinished, path)
    if reason == BEFORE_MIGRATION:
        for old in sorted(folder.glob(f"auricle-*-{reason}.db"))[:-KEPT]:
            old.unlink()
    return path
