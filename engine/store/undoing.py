"""Acts of raters, undone and done again: whole, by rows that are added, and found in the store after any restart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.clock import utc_text
from engine.killpoints import point
from engine.store.added import insert_numbered
from engine.store.evidence import standing
from engine.store.human_rows import settle_said
from engine.store.origin import next_origins
from engine.store.standings import settle
from engine.store.transaction import transaction

_TABLES = ("rating", "remark")


@dataclass(frozen=True, slots=True)
class Act:
    """The ratings and remarks that one thing a rater did has added: numbers ``first`` to ``last`` of an installation.

    It is about one assignment, in one presentation of it.
    """

    origin: str
    first: int
    last: int
    assignment_id: int
    presentation_id: int

    @property
    def count(self) -> int:
        """How many rows; 0 where there was nothing to do."""
        return self.last - self.first + 1


def add_act(
    db: sqlite3.Connection,
    presentation_id: int,
    ratings: Sequence[Mapping[str, object]],
    remarks: Sequence[Mapping[str, object]],
    at: datetime | None,
) -> Act:
    """Add the rows of one act and bring what is derived of its assignment up to date; inside a transaction."""
    assignment = int(
        db.execute("SELECT assignment_id FROM presentation WHERE id = ?", (presentation_id,)).fetchone()[0]
    )
    count = len(ratings) + len(remarks)
    origin, first = next_origins(db, count)
    turn = 1 + max(db.execute(_TURN.format(table), (assignment,)).fetchone()[0] for table in _TABLES)
    told = {"presentation_id": presentation_id, "act": first, "turn": turn}
    made_at = utc_text(at)
    insert_numbered(db, "rating", [{**told, **row} for row in ratings], origin, first, made_at)
    point("between_tables")
    insert_numbered(db, "remark", [{**told, **row} for row in remarks], origin, first + len(ratings), made_at)
    settle(db, [assignment])
    settle_said(db, assignment)
    return Act(origin, first, first + count - 1, assignment, presentation_id)


def undo(db: sqlite3.Connection, act: Act, *, at: datetime | None = None) -> Act:
    """Add rows that make things as they were before ``act``; undoing what comes back does ``act`` again.

    What was undone already is left: the act that comes back then has no rows.
    """
    with transaction(db):
        ratings, remarks = (_undoing(db, table, act) for table in _TABLES)
        undone = add_act(db, act.presentation_id, ratings, remarks, at)
    point("act_committed")
    return undone


def undoable(db: sqlite3.Connection, session_id: int) -> Act | None:
    """The newest thing done in this workspace to a session's items that still stands: what an undo takes back."""
    return _newest(db, session_id, {table: standing(table) for table in _TABLES})


def redoable(db: sqlite3.Connection, session_id: int) -> Act | None:
    """The undo to undo next, so that what it took back stands again; None once something else was done after it."""
    undone = _newest(db, session_id, {table: _TOOK_BACK.format(table) for table in _TABLES})
    done = _newest(db, session_id, {table: f"{table}.undoes IS NULL" for table in _TABLES})
    return None if undone is None or (done is not None and done.first > undone.first) else undone


_TURN = (
    "SELECT ifnull(MAX(turn), 0) FROM presentation JOIN {0} ON presentation_id = presentation.id"
    " WHERE assignment_id = ?"
)
_TOOK_BACK = (
    "EXISTS (SELECT 1 FROM {0} AS its WHERE its.uid = {0}.undoes AND its.undoes IS NULL)"
    " AND NOT EXISTS (SELECT 1 FROM {0} AS given WHERE given.undoes = {0}.uid)"
)


def _undoing(db: sqlite3.Connection, table: str, act: Act) -> list[dict[str, object]]:
    """The rows of ``table`` that undo an act: what it said or gave back is taken back, what it took back is given."""
    rows = db.execute(
        f"SELECT {table}.uid, {table}.undoes, its.undoes FROM {table} LEFT JOIN {table} AS its"
        f" ON its.uid = {table}.undoes WHERE {table}.origin = ? AND {table}.origin_seq BETWEEN ? AND ?",
        (act.origin, act.first, act.last),
    ).fetchall()
    said = [uid if target is None else root for uid, target, root in rows if target is None or root is not None]
    taken = [target for _, target, root in rows if target is not None and root is None]
    name = "scale" if table == "rating" else "kind"
    found = db.execute(
        f"SELECT uid, {name} FROM {table} WHERE uid IN (SELECT value FROM json_each(?)) AND {standing(table)}"
        f" UNION ALL SELECT uid, {name} FROM {table} WHERE undoes IN (SELECT value FROM json_each(?))"
        f" AND NOT EXISTS (SELECT 1 FROM {table} AS given WHERE given.undoes = {table}.uid)",
        (json.dumps(said), json.dumps(taken)),
    )
    return [{name: row[1], "undoes": row[0]} for row in found.fetchall()]


def _newest(db: sqlite3.Connection, session_id: int, conditions: Mapping[str, str]) -> Act | None:
    """The newest act of this installation in a session that has a row of which a table's condition holds."""
    found = []
    for table, condition in conditions.items():
        row = db.execute(  # by the session's own rows: by the newest first, a session without any would read them all
            f"SELECT {table}.origin, act, assignment_id, presentation_id FROM assignment"
            f" CROSS JOIN presentation ON assignment_id = assignment.id"
            f" CROSS JOIN {table} ON presentation_id = presentation.id"
            f" WHERE session_id = ? AND {table}.origin = (SELECT origin FROM installation) AND {condition}"
            f" ORDER BY {table}.origin_seq DESC LIMIT 1",
            (session_id,),
        ).fetchone()
        found += [] if row is None else [row]
    return None if not found else _whole(db, max(found, key=lambda row: int(row["act"])))


def _whole(db: sqlite3.Connection, row: sqlite3.Row) -> Act:
    """The act that a row is of, with its last number."""
    highest = " UNION ALL ".join(f"SELECT MAX(origin_seq) FROM {table} WHERE {_OF_ACT}" for table in _TABLES)
    values = {"origin": row["origin"], "act": row["act"], "presentation": row["presentation_id"]}
    last = max(number or 0 for (number,) in db.execute(highest, values))
    return Act(row["origin"], row["act"], last, row["assignment_id"], row["presentation_id"])


_OF_ACT = "presentation_id = :presentation AND +origin = :origin AND act = :act"  # + keeps off the index of all rows
