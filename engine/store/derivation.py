"""Which code derived the rows that are kept beside the results, and whether it is the code of now.

Light: it is asked whenever a workspace is opened, and what derives is seldom needed.
"""

from __future__ import annotations

import sqlite3

ROWS_VERSION = "1"  # of verdicts, choices and columns: raise it whenever a row may come out otherwise
VOTES_VERSION = "1"  # of what people's ratings come to: raise it whenever a row of them may come out otherwise


def is_derived(db: sqlite3.Connection) -> bool:
    """Whether all derived rows stand as the code of now would derive them."""
    return are_rows_of_now(db) and are_votes_of_now(db)


def are_rows_of_now(db: sqlite3.Connection) -> bool:
    """Whether the wide rows are whole and derived by this code, or nothing was derived yet."""
    return derivation_of(db) in (ROWS_VERSION, None)


def are_votes_of_now(db: sqlite3.Connection) -> bool:
    """Whether the rows of people's votes are derived by this code, or no study was revealed."""
    row = db.execute("SELECT version FROM human_derivation").fetchone()
    if row is not None and row[0] == VOTES_VERSION:
        return True
    return db.execute("SELECT 1 FROM disclosure LIMIT 1").fetchone() is None


def derivation_of(db: sqlite3.Connection) -> str | None:
    """The version of the code that derived the rows, ``rebuilding`` while they are not whole, None before any."""
    row = db.execute("SELECT derivation FROM installation").fetchone()
    return None if row is None else row[0]


def mark_derivation(db: sqlite3.Connection, version: str) -> None:
    """Say which code derived the rows, or that they are not whole."""
    db.execute("UPDATE installation SET derivation = ?", (version,))
