"""What carries people's ratings out of a store: plain values, uids in place of row numbers, JSON as its text."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from engine.store.packing import MADE, Row, columns_of, values_of
from engine.store.transaction import one_state

RATER = (*MADE, "name", "language", "is_owner")
PROTOCOL = ("name", "version", "language", "sha256", "declaration")
STUDY = (*MADE, "title", "seed", "selection", "stage", "design", "leaks")
DISCLOSURE = (*MADE, "reason")
SESSION = (*MADE, "pass")
ASSIGNMENT = (*MADE, "position", "kind", "letter", "other_letter", "expected", "repeat_of", "perceived", "dimension",
              "blind", "selection", "pi", "stratum", "split", "stage")  # fmt: skip
SITTING = (*MADE, "device", "sample_rate_hz", "app_version", "setup")
PRESENTATION = (*MADE, "gains")
#: What is told of a presentation.
SAID = {
    "heard": (*MADE, "clip", "spans", "voiced_share", "underruns"),
    "rating": (*MADE, "scale", "value", "active_s", "is_before_reveal", "undoes", "act", "turn"),
    "remark": (*MADE, "kind", "text", "clip", "start_s", "end_s", "holds", "undoes", "act", "turn"),
}


def ratings_out(db: sqlite3.Connection, *, study_uid: str) -> dict[str, Any]:
    """What was said in this store under a study: its sittings, and its presentations with all that was heard and said.

    Plain JSON values by uids: no answer, no system. ``ratings_in`` takes it. Of an unknown study nothing.
    """
    with one_state(db):
        studies = [row[0] for row in db.execute("SELECT id FROM study WHERE uid = ?", (study_uid,))]
        told = {"sittings": list(sittings_for(db, studies)), "presentations": list(presentations_for(db, studies))}
    return {"study": study_uid, **told}


def studies_within(db: sqlite3.Connection, ids: Collection[int]) -> list[int]:
    """The studies of which every answer is among ``ids``: one that is half there could not be read."""
    packed = json.dumps(list(ids))
    rows = db.execute(
        "SELECT id FROM study WHERE NOT EXISTS (SELECT 1 FROM session JOIN assignment ON session_id = session.id"
        " WHERE study_id = study.id AND (response_id NOT IN (SELECT value FROM json_each(:ids)) OR"
        " (other_response_id IS NOT NULL AND other_response_id NOT IN (SELECT value FROM json_each(:ids)))))"
        " ORDER BY id",
        {"ids": packed},
    )
    return [row[0] for row in rows]


def raters_for(db: sqlite3.Connection, studies: Sequence[int]) -> Iterator[Row]:
    """The raters of studies."""
    rows = db.execute(f"SELECT * FROM rater WHERE id IN (SELECT rater_id FROM {_SESSIONS}) ORDER BY id", _ids(studies))
    yield from (values_of(row, RATER) for row in rows)


def protocols_for(db: sqlite3.Connection, studies: Sequence[int]) -> Iterator[Row]:
    """The protocols of studies, each as it was put."""
    rows = db.execute(
        f"SELECT * FROM protocol WHERE id IN (SELECT protocol_id FROM {_SESSIONS}) ORDER BY id", _ids(studies)
    )
    yield from (values_of(row, PROTOCOL) for row in rows)


def studies_for(db: sqlite3.Connection, studies: Sequence[int]) -> Iterator[Row]:
    """Studies, with whether and why their letters were resolved."""
    for row in db.execute(f"SELECT * FROM study WHERE id IN {_GIVEN} ORDER BY id", _ids(studies)).fetchall():
        disclosures = db.execute("SELECT * FROM disclosure WHERE study_id = ? ORDER BY id", (row["id"],))
        yield {**values_of(row, STUDY), "disclosures": [values_of(entry, DISCLOSURE) for entry in disclosures]}


def sessions_for(db: sqlite3.Connection, studies: Sequence[int]) -> Iterator[Row]:
    """The sessions of studies, each with its assignments in order."""
    rows = db.execute(
        f"SELECT session.*, study.uid AS study, rater.uid AS rater, sha256, protocol.language FROM {_SESSIONS}"
        " JOIN study ON study.id = study_id JOIN rater ON rater.id = rater_id"
        " JOIN protocol ON protocol.id = protocol_id ORDER BY session.id",
        _ids(studies),
    )
    for row in rows.fetchall():
        assignments = db.execute(
            f"SELECT {columns_of('assignment', ASSIGNMENT)}, response.uid AS response, other.uid AS other_response"
            " FROM assignment JOIN response ON response.id = response_id LEFT JOIN response AS other"
            " ON other.id = other_response_id WHERE session_id = ? ORDER BY assignment.position",
            (row["id"],),
        )
        place = {"study": row["study"], "rater": row["rater"], "protocol": [row["sha256"], row["language"]]}
        yield values_of(row, SESSION) | place | {"assignments": [dict(entry) for entry in assignments]}


def sittings_for(db: sqlite3.Connection, studies: Sequence[int]) -> Iterator[Row]:
    """The sittings at which something of these studies stood before a rater."""
    rows = db.execute(
        f"SELECT {columns_of('sitting', SITTING)}, rater.uid AS rater FROM sitting JOIN rater ON rater.id = rater_id"
        f" WHERE sitting.id IN (SELECT sitting_id FROM {_SESSIONS} JOIN assignment ON session_id = session.id"
        " JOIN presentation ON assignment_id = assignment.id) ORDER BY sitting.id",
        _ids(studies),
    )
    yield from (dict(row) for row in rows)


def presentations_for(db: sqlite3.Connection, studies: Sequence[int]) -> Iterator[Row]:
    """The presentations of studies, each with what was heard and said in it."""
    for (session,) in db.execute(f"SELECT session.id FROM {_SESSIONS} ORDER BY session.id", _ids(studies)).fetchall():
        told = {table: _said(db, table, session) for table in SAID}
        rows = db.execute(
            f"SELECT presentation.id AS row, {columns_of('presentation', PRESENTATION)}, assignment.uid AS assignment,"
            " sitting.uid AS sitting FROM assignment JOIN presentation ON assignment_id = assignment.id"
            " JOIN sitting ON sitting.id = sitting_id WHERE session_id = ? ORDER BY presentation.id",
            (session,),
        )
        for row in rows.fetchall():
            place = {"assignment": row["assignment"], "sitting": row["sitting"]}
            said = {table: found.get(row["row"], []) for table, found in told.items()}
            yield values_of(row, PRESENTATION) | place | said


_GIVEN = "(SELECT value FROM json_each(:studies))"
_SESSIONS = f"(SELECT * FROM session WHERE study_id IN {_GIVEN}) AS session"


def _ids(studies: Sequence[int]) -> Mapping[str, str]:
    return {"studies": json.dumps(list(studies))}


def _said(db: sqlite3.Connection, table: str, session_id: int) -> dict[int, list[Row]]:
    rows = db.execute(
        f"SELECT presentation_id, {columns_of(table, SAID[table])} FROM assignment"
        f" JOIN presentation ON assignment_id = assignment.id JOIN {table} ON presentation_id = presentation.id"
        f" WHERE session_id = ? ORDER BY {table}.id",
        (session_id,),
    )
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["presentation_id"], []).append(values_of(row, SAID[table]))
    return found
