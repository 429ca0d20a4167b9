"""Takes in what ``rating_packing`` carries out: each row once, in any order; a presentation whole or not at all.

Every function but ``ratings_in`` runs inside a transaction of the caller's. What is here and says otherwise stays.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from engine.store.human_rows import settle_said, settle_study
from engine.store.merging import Refused, Taken, count_on
from engine.store.packing import Row
from engine.store.rating_packing import (
    ASSIGNMENT,
    DISCLOSURE,
    PRESENTATION,
    PROTOCOL,
    RATER,
    SAID,
    SESSION,
    SITTING,
    STUDY,
)
from engine.store.standings import settle
from engine.store.transaction import transaction

_WRONG = (KeyError, TypeError, ValueError, AttributeError, OverflowError, sqlite3.IntegrityError,
          sqlite3.InterfaceError, sqlite3.ProgrammingError)  # fmt: skip
_JSON = {"declaration", "design", "leaks", "expected", "setup", "gains", "spans"}
_NUMBERED = {"origin_seq", "act", "turn"}
_WHOLE = {"underruns", "is_before_reveal", "holds", "sample_rate_hz", "is_owner", "version", "seed", "pass", "position",
          "blind"}  # fmt: skip
_REAL = {"voiced_share", "active_s", "start_s", "end_s", "pi"}
_MOST = 1 << 53  # beyond it the next number might not be one that can be given


def ratings_in(db: sqlite3.Connection, told: Mapping[str, Any]) -> Taken:
    """Take in what ``ratings_out`` told of another store, in one transaction; again and in any order is harmless.

    A presentation of an assignment that is not here, of another rater's, or that says what cannot be, is refused with
    all that was said in it and stands in ``refused``; what is here and says otherwise stays and is a conflict.
    """
    taken = Taken()
    with transaction(db):
        for row in _listed(told, "sittings"):
            _or_refuse(db, "sitting", row, taken, put_sitting)
        for row in _listed(told, "presentations"):
            _or_refuse(db, "presentation", row, taken, put_presentation)
        count_on(db)
    return taken


def put_raters(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> None:
    """Raters by uid."""
    for row in rows:
        _put(db, "rater", RATER, row, {}, taken)


def put_protocols(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> None:
    """Protocols by the hash of what a rater is shown."""
    for row in rows:
        values = _values(row, PROTOCOL)
        if _protocol(db, [row["sha256"], row["language"]]) is None:
            _insert(db, "protocol", values)
            taken.added["protocol"] += 1


def put_studies(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> None:
    """Studies by uid, with their disclosures."""
    for row in rows:
        number, before = _put(db, "study", STUDY, row, {}, taken), taken.added["disclosure"]
        for disclosure in row["disclosures"] if number is not None else ():
            _put(db, "disclosure", DISCLOSURE, disclosure, {"study_id": number}, taken)
        if number is not None and taken.added["disclosure"] > before:
            settle_study(db, number)


def put_session(db: sqlite3.Connection, row: Row, taken: Taken, answers: Mapping[str, int]) -> None:
    """A session with its assignments; one whose answers were not all taken in is left out, and that is told.

    Args:
        answers: the rows of answers by the uid that the pack knows them by.
    """
    named = [entry[name] for entry in row["assignments"] for name in ("response", "other_response")]
    if any(uid is not None and uid not in answers for uid in named):
        taken.clash("session", row["uid"])
        return
    place = {"study_id": _id(db, "study", row["study"]), "rater_id": _id(db, "rater", row["rater"])}
    number = _put(db, "session", SESSION, row, place | {"protocol_id": _protocol(db, row["protocol"])}, taken)
    for entry in row["assignments"] if number is not None else ():
        other = entry["other_response"]
        shown = {"response_id": answers[entry["response"]], "other_response_id": answers.get(other)}
        _put(db, "assignment", ASSIGNMENT, entry, {"session_id": number}, taken, once=shown)


def put_sitting(db: sqlite3.Connection, row: Row, taken: Taken) -> None:
    """A sitting; refused where its rater is not here."""
    rater = _id(db, "rater", row["rater"])
    if rater is None:
        taken.refused.append(Refused("sitting", row["uid"], "unknown"))
        return
    _put(db, "sitting", SITTING, row, {"rater_id": rater}, taken)


def put_presentation(db: sqlite3.Connection, row: Row, taken: Taken) -> None:
    """A presentation with all that was heard and said in it; refused as a whole where it cannot be about what is here.

    Raises ValueError and sqlite3's errors for what cannot be; then nothing of it may stay.
    """
    place = _place(db, row["assignment"], row["sitting"])
    if isinstance(place, str):
        taken.refused.append(Refused("presentation", row["uid"], place))
        return
    before = taken.added.total()
    number = _put(db, "presentation", PRESENTATION, row, place, taken)
    if number is None:
        return
    for table, columns in SAID.items():
        _refuse_strangers(db, table, number, row[table])
        for said in row[table]:
            _put(db, table, columns, said, {"presentation_id": number}, taken)
    if taken.added.total() > before:
        settle(db, [place["assignment_id"]])
        settle_said(db, place["assignment_id"])


def _or_refuse(db: sqlite3.Connection, table: str, row: Any, taken: Taken, put: Any) -> None:
    """Take a row in, or undo what was begun of it and say that it is refused."""
    added, conflicts = taken.added.copy(), dict(taken.conflicts)
    db.execute("SAVEPOINT one_row")
    try:
        put(db, row, taken)
    except _WRONG:
        db.execute("ROLLBACK TO one_row")
        taken.added, taken.conflicts = added, conflicts
        uid = row.get("uid") if isinstance(row, Mapping) else None
        taken.refused.append(Refused(table, str(uid)[:64], "unreadable"))
    finally:
        db.execute("RELEASE one_row")


def _place(db: sqlite3.Connection, assignment: Any, sitting: Any) -> dict[str, int] | str:
    """The rows that a presentation hangs on, or why it cannot be taken in."""
    told = db.execute(
        "SELECT assignment.id, rater_id FROM assignment JOIN session ON session.id = session_id"
        " WHERE assignment.uid = ?",
        (assignment,),
    ).fetchone()
    sat = db.execute("SELECT id, rater_id FROM sitting WHERE uid = ?", (sitting,)).fetchone()
    if told is None or sat is None:
        return "unknown"
    if told["rater_id"] != sat["rater_id"]:
        return "other_rater"
    return {"assignment_id": told["id"], "sitting_id": sat["id"]}


def _refuse_strangers(db: sqlite3.Connection, table: str, presentation: int, rows: Sequence[Row]) -> None:
    """A row takes back only what was said in its own presentation: nobody takes back what another one said."""
    own = {row["uid"] for row in rows}
    own |= {row[0] for row in db.execute(f"SELECT uid FROM {table} WHERE presentation_id = ?", (presentation,))}
    if any(row.get("undoes") is not None and row["undoes"] not in own for row in rows):
        raise ValueError("a row undoes what was said elsewhere")


def _put(
    db: sqlite3.Connection,
    table: str,
    columns: Sequence[str],
    row: Row,
    place: Mapping[str, int | None],
    taken: Taken,
    once: Mapping[str, int | None] | None = None,
) -> int | None:
    """The row of the store that says what ``row`` says, added where it is new; None where another stands in its place.

    Args:
        once: columns that are only set, never compared: an answer may have got another row here since.
    """
    values = {**_values(row, columns), **place}
    known = db.execute(
        f"SELECT * FROM {table} WHERE uid = :uid OR (origin = :origin AND origin_seq = :origin_seq)", values
    ).fetchall()
    if not known:
        taken.added[table] += 1
        return _insert(db, table, {**values, **(once or {})})
    if len(known) > 1 or any(known[0][column] != value for column, value in values.items()):
        taken.clash(table, row["uid"])
        return None
    return int(known[0]["id"])


def _values(row: Row, columns: Sequence[str]) -> Row:
    return {column: _checked(column, row[column]) for column in columns}


def _checked(column: str, value: Any) -> Any:
    """The value, if it is of the kind that what reads the store trusts it to be; ValueError otherwise."""
    if value is None:
        return None
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    whole = number and isinstance(value, int)
    if column in _NUMBERED:
        fits = whole and 0 < value < _MOST
    elif column in _WHOLE or column in _REAL:
        fits = whole if column in _WHOLE else number
    else:
        fits = isinstance(value, str) or (column == "value" and number)
    if not fits:
        raise ValueError(column)
    if column in _JSON:
        json.loads(value)
    if column == "made_at":
        datetime.fromisoformat(value)
    return value


def _listed(told: Mapping[str, Any], name: str) -> list[Any]:
    rows = told.get(name)
    return rows if isinstance(rows, list) else []


def _id(db: sqlite3.Connection, table: str, uid: str) -> int | None:
    row = db.execute(f"SELECT id FROM {table} WHERE uid = ?", (uid,)).fetchone()
    return None if row is None else int(row[0])


def _protocol(db: sqlite3.Connection, named: Sequence[str]) -> int | None:
    row = db.execute("SELECT id FROM protocol WHERE sha256 = ? AND language = ?", tuple(named)).fetchone()
    return None if row is None else int(row[0])


def _insert(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    places = ", ".join(f":{column}" for column in values)
    cursor = db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", values)
    return int(cursor.lastrowid or 0)
