"""Whose results count where several makers did the same: the one chosen last, else whichever is newest."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.makers import maker_labels
from engine.store.origin import next_origin
from engine.store.plans import JOINS, SCOPED, Scope, bound
from engine.store.transaction import transaction

KINDS = ("recogniser", "judge", "quality", "imported")  # of makers between which can be chosen
_OF_IMPORTED = " UNION ".join(
    f"SELECT response_id FROM {table} WHERE maker_id = maker.id" for table in ("transcript", "measurement", "judgement")
)
_ABOUT_IMPORTED = (
    "SELECT group_concat(name, ', ') FROM (SELECT DISTINCT judge AS name FROM judgement WHERE maker_id = maker.id"
    " UNION SELECT DISTINCT metric FROM measurement WHERE maker_id = maker.id)"
)


@dataclass(frozen=True, slots=True)
class Choosable:
    """A maker that could count.

    Attributes:
        about: the judge's id and the rubric's language; of results from elsewhere their judges and metrics; else "".
        results: how many answers it has a result of.
        rank: above 0 where it was chosen, the one chosen last highest.
    """

    id: int
    key: str
    kind: str
    label: str
    about: str
    results: int
    rank: int


def choose(db: sqlite3.Connection, keys: Iterable[str], counts: bool, at: datetime | None = None) -> None:
    """Let these makers count before all others from now on, or no longer; rows are only ever added.

    Call it in the transaction that derives the rows anew (``engine.scoring.counting`` does both).
    """
    with transaction(db):
        for key in keys:
            uid, origin, sequence = next_origin(db)
            db.execute(
                "INSERT INTO maker_choice (uid, origin, origin_seq, maker_key, counts, made_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (uid, origin, sequence, key, int(counts), utc_text(at)),
            )


def ranks(db: sqlite3.Connection) -> dict[str, int]:
    """The makers that were chosen, by key, with a number that is higher the later that was."""
    found: dict[str, int] = {}
    rows = db.execute("SELECT maker_key, counts FROM maker_choice ORDER BY made_at, origin, origin_seq")
    for place, row in enumerate(rows, start=1):
        found.pop(row[0], None)
        if row[1]:
            found[row[0]] = place
    return found


def choosable(db: sqlite3.Connection) -> list[Choosable]:
    """Every recogniser, judge and quality model, and whoever made results that were brought in, the oldest first."""
    labels, chosen = maker_labels(db), ranks(db)
    rows = db.execute(
        f"SELECT maker.id, key, kind, CASE kind WHEN 'imported' THEN ({_ABOUT_IMPORTED}) ELSE"
        " json_extract(settings, '$.judge') END, json_extract(settings, '$.language'),"
        " CASE kind WHEN 'recogniser' THEN (SELECT COUNT(*) FROM transcript WHERE maker_id = maker.id)"
        " WHEN 'judge' THEN (SELECT COUNT(DISTINCT response_id) FROM judgement WHERE maker_id = maker.id)"
        f" WHEN 'imported' THEN (SELECT COUNT(*) FROM ({_OF_IMPORTED}))"
        " ELSE (SELECT COUNT(DISTINCT response_id) FROM measurement WHERE maker_id = maker.id) END"
        " FROM maker WHERE kind IN (SELECT value FROM json_each(?)) ORDER BY maker.id",
        (json.dumps(KINDS),),
    )
    return [
        Choosable(row[0], row[1], row[2], labels[row[0]], " ".join(filter(None, (row[3], row[4]))), row[5],
                  chosen.get(row[1], 0))
        for row in rows
    ]  # fmt: skip


def made_between(db: sqlite3.Connection, since: str, until: str | None) -> list[int]:
    """The makers that wrote a result in a span of time."""
    found = " UNION ".join(
        f"SELECT maker_id FROM {table} WHERE created_at BETWEEN :since AND :until"
        for table in ("transcript", "measurement", "judgement")
    )
    rows = db.execute(f"{found} ORDER BY 1", {"since": since, "until": until or utc_text()})
    return [row[0] for row in rows]


def rivals(db: sqlite3.Connection, made: Iterable[int]) -> list[tuple[Choosable, Choosable]]:
    """For each of some makers the one chosen to count before it that does the same, if there is one; that one first."""
    known, wanted = choosable(db), set(made)
    found = []
    for maker in known:
        before = [o for o in known if (o.kind, o.about) == (maker.kind, maker.about) and o.rank > maker.rank]
        if maker.id in wanted and before:
            found.append((max(before, key=lambda other: other.rank), maker))
    return found


def answers_of_makers(db: sqlite3.Connection, keys: Sequence[str]) -> list[int]:
    """Current answers of which any of these makers has a result."""
    wanted = json.dumps(list(keys))
    made = " UNION ".join(
        f"SELECT response_id FROM {table} WHERE maker_id IN (SELECT id FROM maker WHERE key IN"
        " (SELECT value FROM json_each(:keys)))"
        for table in ("transcript", "measurement", "judgement")
    )
    rows = db.execute(f"SELECT id FROM response WHERE current = 1 AND id IN ({made}) ORDER BY id", {"keys": wanted})
    return [row[0] for row in rows]


def alike(db: sqlite3.Connection, before: int, after: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two makers that do the same, each as the rows to be compared.

    Raises EngineError ``runs.no_such_maker``, and ``runs.other_kinds`` where they do not do the same.
    """
    known = {entry.id: entry for entry in choosable(db)}
    for number in (before, after):
        if number not in known:
            raise EngineError("runs.no_such_maker", maker=number)
    was, now = known[before], known[after]
    if was.kind != now.kind or was.about.split(" ")[0] != now.about.split(" ")[0]:
        raise EngineError("runs.other_kinds", before=was.label, after=now.label)
    return (before,), (after,)


def answers_of_both(db: sqlite3.Connection, before: Sequence[int], after: Sequence[int], scope: Scope) -> list[int]:
    """Current answers of a scope of which makers on both sides have results."""
    sides = [f"response.id IN ({_made_by(side)})" for side in ("before", "after")]
    values = {"before": json.dumps(list(before)), "after": json.dumps(list(after)), **bound(scope)}
    rows = db.execute(f"SELECT response.id{JOINS} WHERE {SCOPED} AND {' AND '.join(sides)} ORDER BY 1", values)
    return [row[0] for row in rows]


def _made_by(side: str) -> str:
    return " UNION ".join(
        f"SELECT response_id FROM {table} WHERE maker_id IN (SELECT value FROM json_each(:{side}))"
        for table in ("transcript", "measurement", "judgement")
    )
