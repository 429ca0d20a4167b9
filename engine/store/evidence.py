"""What people say of answers, as rows that are only ever added: adding them, taking them back, giving them back.

A row that says something stands unless a row takes it back and no row gives that one back. So that this stays one look
deep however often somebody changes their mind, what takes back names the row that said something, and what gives back
names the row that took back.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from engine.clock import utc_text
from engine.store.origin import next_origins
from engine.store.transaction import transaction

Table = Literal["tag", "note"]
Change = Literal["added", "taken_back", "given_back"]
TEXTS: dict[Table, str] = {"tag": "name", "note": "text"}


@dataclass(frozen=True, slots=True)
class Span:
    """Seconds of an answer's audio."""

    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Act:
    """The rows that one thing a person did has added: numbers ``first`` to ``last`` of an installation."""

    table: Table
    origin: str
    first: int
    last: int

    @property
    def count(self) -> int:
        """How many rows; 0 where there was nothing to do."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that was said of an answer.

    Attributes:
        text: the name of a tag, the text of a note.
        is_own: it was said in this workspace; else it came from the installation ``origin``.
        taken_back_at: when it was taken back; None where it stands.
    """

    table: Table
    uid: str
    response_id: int
    text: str
    span: Span | None
    origin: str
    is_own: bool
    made_at: str
    taken_back_at: str | None

    @property
    def stands(self) -> bool:
        """Whether it holds now."""
        return self.taken_back_at is None


@dataclass(frozen=True, slots=True)
class ToldChange:
    """One line of an answer's history: what was said, taken back or given back, and when."""

    change: Change
    table: Table
    text: str
    span: Span | None
    is_own: bool
    made_at: str


def standing(table: str) -> str:
    """The SQL condition that a row of ``table`` says something that holds."""
    return (
        f"{table}.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM {table} AS taken WHERE taken.undoes = {table}.uid"
        f" AND NOT EXISTS (SELECT 1 FROM {table} AS given WHERE given.undoes = taken.uid))"
    )


def say(
    db: sqlite3.Connection,
    table: Table,
    response_ids: Iterable[int],
    text: str,
    span: Span | None = None,
    at: datetime | None = None,
) -> Act:
    """Say ``text`` of each answer, in one transaction; those of which the same stands already are passed over.

    Args:
        at: when it was said, timezone-aware; now by default.
    """
    times = (None, None) if span is None else (span.start_s, span.end_s)
    wanted = json.dumps(list(dict.fromkeys(int(number) for number in response_ids)))
    with transaction(db):
        rows = db.execute(
            f"SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM {table} WHERE response_id = value"
            f" AND {TEXTS[table]} = ? AND start_s IS ? AND end_s IS ? AND {standing(table)})",
            (wanted, text, *times),
        )
        return _add(db, table, [(row[0], text, *times, None) for row in rows.fetchall()], at)


def take_back(db: sqlite3.Connection, table: Table, uids: Sequence[str], at: datetime | None = None) -> Act:
    """Take back what these rows said, as far as it stands; one transaction."""
    with transaction(db):
        found = db.execute(
            f"SELECT response_id, {TEXTS[table]}, start_s, end_s, uid FROM {table}"
            f" WHERE uid IN (SELECT value FROM json_each(?)) AND {standing(table)} ORDER BY id",
            (json.dumps(list(uids)),),
        )
        return _add(db, table, [tuple(row) for row in found.fetchall()], at)


def give_back(db: sqlite3.Connection, table: Table, uids: Sequence[str], at: datetime | None = None) -> Act:
    """Let what these rows said stand again, whoever took it back; one transaction."""
    with transaction(db):
        found = db.execute(
            f"SELECT response_id, {TEXTS[table]}, start_s, end_s, uid FROM {table}"
            f" WHERE undoes IN (SELECT value FROM json_each(?)) AND NOT EXISTS"
            f" (SELECT 1 FROM {table} AS given WHERE given.undoes = {table}.uid) ORDER BY id",
            (json.dumps(list(uids)),),
        )
        return _add(db, table, [tuple(row) for row in found.fetchall()], at)


def undo(db: sqlite3.Connection, act: Act, at: datetime | None = None) -> Act:
    """Add rows that make things as they were before ``act``; undoing what comes back does ``act`` again."""
    with transaction(db):
        rows = db.execute(
            f"SELECT mine.uid, mine.undoes, its.undoes FROM {act.table} AS mine"
            f" LEFT JOIN {act.table} AS its ON its.uid = mine.undoes"
            " WHERE mine.origin = ? AND mine.origin_seq BETWEEN ? AND ?",
            (act.origin, act.first, act.last),
        ).fetchall()
        said = [row[0] for row in rows if row[1] is None]
        given_back = [row[2] for row in rows if row[2] is not None]
        if said or given_back:
            return take_back(db, act.table, [*said, *given_back], at)
        return give_back(db, act.table, [row[1] for row in rows], at)


def evidence_of(db: sqlite3.Connection, response_id: int) -> tuple[Evidence, ...]:
    """All that was said of an answer, tags first, the oldest first, what was taken back too."""
    own = _own_origin(db)
    return tuple(_evidence(table, row, own) for table in TEXTS for row in _said(db, table, response_id))


def history_of(db: sqlite3.Connection, response_id: int) -> tuple[ToldChange, ...]:
    """Every row that people added about an answer, as it happened."""
    own = _own_origin(db)
    found: list[ToldChange] = []
    for table in TEXTS:
        rows = db.execute(
            f"SELECT mine.*, its.undoes AS root FROM {table} AS mine LEFT JOIN {table} AS its ON its.uid = mine.undoes"
            " WHERE mine.response_id = ? ORDER BY mine.id",
            (response_id,),
        )
        for row in rows:
            change: Change = "added" if row["undoes"] is None else "given_back" if row["root"] else "taken_back"
            text = row[TEXTS[table]]
            found.append(ToldChange(change, table, text, _span(row), row["origin"] == own, row["made_at"]))
    return tuple(sorted(found, key=lambda change: change.made_at))


def _add(db: sqlite3.Connection, table: Table, rows: Sequence[tuple[object, ...]], at: datetime | None) -> Act:
    """Rows of response, text, start, end and what they take back; inside a transaction."""
    import uuid  # it looks into the machine when it is imported: not at the window's start

    origin, first = next_origins(db, len(rows))
    made_at = utc_text(at)
    db.executemany(
        f"INSERT INTO {table} (uid, origin, origin_seq, response_id, {TEXTS[table]}, start_s, end_s, undoes, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((str(uuid.uuid4()), origin, first + place, *row, made_at) for place, row in enumerate(rows)),
    )
    return Act(table, origin, first, first + len(rows) - 1)


def _own_origin(db: sqlite3.Connection) -> str:
    return str(db.execute("SELECT origin FROM installation WHERE id = 1").fetchone()[0])


def _said(db: sqlite3.Connection, table: Table, response_id: int) -> list[sqlite3.Row]:
    return db.execute(
        f"SELECT *, (SELECT MAX(taken.made_at) FROM {table} AS taken WHERE taken.undoes = {table}.uid AND NOT EXISTS"
        f" (SELECT 1 FROM {table} AS given WHERE given.undoes = taken.uid)) AS taken_back_at"
        f" FROM {table} WHERE response_id = ? AND undoes IS NULL ORDER BY made_at, origin, origin_seq",
        (response_id,),
    ).fetchall()


def _evidence(table: Table, row: sqlite3.Row, own: str) -> Evidence:
    return Evidence(
        table,
        row["uid"],
        row["response_id"],
        row[TEXTS[table]],
        _span(row),
        row["origin"],
        row["origin"] == own,
        row["made_at"],
        row["taken_back_at"],
    )


def _span(row: sqlite3.Row) -> Span | None:
    return None if row["start_s"] is None else Span(row["start_s"], row["end_s"])
