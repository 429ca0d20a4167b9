"""A study of another installation as one of its raters is given it: the same uids, numbers of this store's own."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.clock import utc_text
from engine.store.origin import next_origins
from engine.store.studies import json_text
from engine.store.transaction import transaction


@dataclass(frozen=True, slots=True)
class GivenAssignment:
    """One thing to rate, with the owner's uid of it; what it was drawn with stayed there."""

    uid: str
    position: int
    kind: str
    response_id: int
    letter: str
    perceived: str
    dimension: str
    other_response_id: int | None = None
    other_letter: str | None = None
    expected: Mapping[str, int | float | str] | None = None


@dataclass(frozen=True, slots=True)
class GivenSession:
    """One pass of the rater, with the owner's uid of it."""

    uid: str
    protocol_id: int
    number: int
    assignments: Sequence[GivenAssignment]


@dataclass(frozen=True, slots=True)
class GivenStudy:
    """What a rater is given of a study: its uid and theirs, a title that tells nothing, and their passes."""

    uid: str
    title: str
    rater_uid: str
    rater_name: str
    rater_language: str
    sessions: Sequence[GivenSession]


def put_given_study(db: sqlite3.Connection, given: GivenStudy, design: Mapping[str, Any]) -> int:
    """Write the study with its rater, sessions and assignments into a store that has none; the number of its row.

    Columns of the design that a rater is not told hold what says nothing: seed 0, no probability, no stratum.
    """
    with transaction(db):
        rater = _put(
            db,
            "rater",
            [{"uid": given.rater_uid, "name": given.rater_name, "language": given.rater_language, "is_owner": 0}],
        )
        told = {"title": given.title, "seed": 0, "selection": "random", "design": json_text(design), "leaks": None}
        study = _put(db, "study", [{"uid": given.uid, **told}])
        for session in given.sessions:
            place = {"study_id": study, "rater_id": rater, "protocol_id": session.protocol_id, "pass": session.number}
            number = _put(db, "session", [{"uid": session.uid, **place}])
            _put(db, "assignment", [_row(number, entry) for entry in session.assignments])
    return study


def _row(session_id: int, given: GivenAssignment) -> dict[str, object]:
    return {
        "uid": given.uid, "session_id": session_id, "position": given.position, "kind": given.kind,
        "response_id": given.response_id, "letter": given.letter, "other_response_id": given.other_response_id,
        "other_letter": given.other_letter,
        "expected": None if given.expected is None else json_text(given.expected), "perceived": given.perceived,
        "dimension": given.dimension, "selection": "random", "pi": None, "split": "test", "stage": "estimation",
    }  # fmt: skip


def _put(db: sqlite3.Connection, table: str, rows: Sequence[Mapping[str, object]]) -> int:
    """Add rows that bring their uids; the number of the last in the table."""
    if not rows:
        return 0
    origin, first = next_origins(db, len(rows))
    made_at = utc_text()
    columns = list(rows[0])
    places = ", ".join("?" * (3 + len(columns)))
    db.executemany(
        f"INSERT INTO {table} (origin, origin_seq, made_at, {', '.join(columns)}) VALUES ({places})",
        [(origin, first + place, made_at, *row.values()) for place, row in enumerate(rows)],
    )
    return int(db.execute(f"SELECT id FROM {table} WHERE uid = ?", (rows[-1]["uid"],)).fetchone()[0])
