"""How much a workspace holds, in two figures."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contents:
    """Systems that answered, and their current answers."""

    systems: int
    answers: int


def contents_of(db: sqlite3.Connection) -> Contents:
    """Counts by the wide rows, a few milliseconds at 168,000."""
    row = db.execute("SELECT COUNT(DISTINCT system), COUNT(*) FROM audit_row").fetchone()
    return Contents(row[0], row[1])
