"""Letters and the systems behind them: sealed until the owner has them resolved, which is a row of its own."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from engine.errors import EngineError
from engine.store.added import add_row
from engine.store.human_rows import settle_study
from engine.store.transaction import transaction


@dataclass(frozen=True, slots=True)
class LetterRow:
    """Which system stood behind a letter of one assignment."""

    assignment_uid: str
    letter: str
    system: str


def disclose(db: sqlite3.Connection, study_id: int, reason: str) -> None:
    """Let a study's letters be resolved from now on, and write down why; each time is one more row.

    Raises EngineError ``rating.reason_empty``.
    """
    kept = reason.encode("utf-8", "replace").decode().strip()
    if not kept:
        raise EngineError("rating.reason_empty")
    with transaction(db):
        add_row(db, "disclosure", {"study_id": study_id, "reason": kept})
        settle_study(db, study_id)


def letters_of(db: sqlite3.Connection, study_id: int) -> tuple[LetterRow, ...]:
    """Every letter of a study with its system, in the order of sessions and positions.

    Raises EngineError ``rating.sealed`` until ``disclose`` was called, but for ratings that a table brought with names.
    """
    if db.execute(f"SELECT 1 FROM study WHERE id = ? AND {_IS_OPEN}", (study_id,)).fetchone() is None:
        raise EngineError("rating.sealed")
    rows = db.execute(
        "SELECT assignment.uid, letter, system.name, other_letter, other_system.name FROM assignment"
        " JOIN session ON session.id = session_id JOIN response ON response.id = response_id"
        " JOIN system ON system.id = response.system_id LEFT JOIN response AS other ON other.id = other_response_id"
        " LEFT JOIN system AS other_system ON other_system.id = other.system_id"
        " WHERE session.study_id = ? ORDER BY session.uid, position",
        (study_id,),
    )
    found = []
    for uid, letter, system, other_letter, other_system in rows:
        found.append(LetterRow(uid, letter, system))
        if other_letter is not None and other_system is not None:
            found.append(LetterRow(uid, other_letter, other_system))
    return tuple(found)


_IS_OPEN = (
    "(EXISTS (SELECT 1 FROM disclosure WHERE study_id = study.id) OR json_type(design, '$.imported') IS NOT NULL)"
)
