"""Raters: the people who rate here, and the owner of this workspace among them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from engine.store.added import add_row
from engine.store.tags import tag_name
from engine.store.transaction import transaction

OWNER = "owner"


@dataclass(frozen=True, slots=True)
class Rater:
    """Somebody who rates; ``language`` is zh or en, or empty for the window's."""

    id: int
    uid: str
    name: str
    language: str
    is_owner: bool


def add_rater(db: sqlite3.Connection, name: str, language: str = "", *, is_owner: bool = False) -> Rater:
    """Add a rater; two of one name get a number behind it, for results tell them apart by name too.

    Raises what ``tag_name`` raises: a name keeps to the same rules as a tag.
    """
    wanted = tag_name(name)
    with transaction(db):
        taken = {row[0] for row in db.execute("SELECT name FROM rater")}
        free, number = wanted, 2
        while free in taken:
            free, number = f"{wanted} {number}", number + 1
        made = add_row(db, "rater", {"name": free, "language": language, "is_owner": int(is_owner)})
        return _rater(db.execute("SELECT * FROM rater WHERE id = ?", (made,)).fetchone())


def raters_of(db: sqlite3.Connection) -> tuple[Rater, ...]:
    """All raters by name, those that came with merged results too."""
    return tuple(_rater(row) for row in db.execute("SELECT * FROM rater ORDER BY name, uid"))


def owner_of(db: sqlite3.Connection) -> Rater:
    """Whoever works in this workspace, as a rater; made when first wanted. Owners of merged ones are raters like all.

    Their name is ``OWNER``; a window shows its own word for it.
    """
    own = "SELECT rater.* FROM rater JOIN installation USING (origin) WHERE is_owner = 1 ORDER BY origin_seq LIMIT 1"
    row = db.execute(own).fetchone()
    if row is not None:
        return _rater(row)
    with transaction(db):
        row = db.execute(own).fetchone()  # two windows may have looked at once
        return _rater(row) if row is not None else add_rater(db, OWNER, is_owner=True)


def _rater(row: sqlite3.Row) -> Rater:
    return Rater(row["id"], row["uid"], row["name"], row["language"], bool(row["is_owner"]))
