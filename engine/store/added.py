"""Rows that people add to the rating tables: each with a UUID, this installation's name, and its next number."""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from engine.clock import utc_text
from engine.store.origin import next_origins


def add_row(db: sqlite3.Connection, table: str, values: Mapping[str, object], at: datetime | None = None) -> int:
    """Add one row and return its number in the table; call it in the transaction that it belongs to."""
    add_rows(db, table, [values], at)
    return int(db.execute("SELECT last_insert_rowid()").fetchone()[0])


def add_rows(
    db: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, object]], at: datetime | None = None
) -> list[str]:
    """Add rows that all name the same columns, in order, and return their uids; inside a transaction."""
    origin, first = next_origins(db, len(rows))
    return insert_numbered(db, table, rows, origin, first, utc_text(at))


def insert_numbered(
    db: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, object]], origin: str, first: int, made_at: str
) -> list[str]:
    """Add rows under numbers that were taken for them already, ``first`` and up."""
    if not rows:
        return []
    uids = [str(uuid.uuid4()) for _ in rows]
    columns = list(rows[0])
    places = ", ".join("?" * (4 + len(columns)))
    db.executemany(
        f"INSERT INTO {table} (uid, origin, origin_seq, made_at, {', '.join(columns)}) VALUES ({places})",
        (
            (uid, origin, first + place, made_at, *(row[column] for column in columns))
            for place, (uid, row) in enumerate(zip(uids, rows, strict=True))
        ),
    )
    return uids
