"""Notes: what people write about answers and about spans of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from engine.errors import EngineError
from engine.store.evidence import Act, Span, say

LONGEST_NOTE = 20_000


def add_note(
    db: sqlite3.Connection,
    response_ids: Iterable[int],
    text: str,
    span: Span | None = None,
    at: datetime | None = None,
) -> Act:
    """Write a note on each answer, or on a span of it, in one transaction; blanks at the end go, lines stay.

    Raises EngineError ``store.note_empty`` and ``store.note_long``.
    """
    kept = text.encode("utf-8", "replace").decode().rstrip()
    if not kept.strip():
        raise EngineError("store.note_empty")
    if len(kept) > LONGEST_NOTE:
        raise EngineError("store.note_long", most=LONGEST_NOTE)
    return say(db, "note", response_ids, kept, span, at)
