"""Tags: short words on answers and on spans of them, and which are in use."""

from __future__ import annotations

import json
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.errors import EngineError
from engine.store.evidence import Act, Span, say, standing, take_back
from engine.store.transaction import transaction

LONGEST_TAG = 60


@dataclass(frozen=True, slots=True)
class TagInUse:
    """A tag, and on how many answers it stands."""

    name: str
    count: int


def tag_name(written: str) -> str:
    """``written`` as a tag is kept: one form of each letter, no control characters, no blanks at the ends.

    Raises EngineError ``store.tag_empty`` and ``store.tag_long``.

    >>> tag_name("  tts  loop ")
    'tts loop'
    """
    plain = "".join(" " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter for letter in written)
    name = " ".join(unicodedata.normalize("NFC", plain).encode("utf-8", "replace").decode().split())
    if not any(unicodedata.category(letter) not in ("Cf", "Zs") for letter in name):
        raise EngineError("store.tag_empty")
    if len(name) > LONGEST_TAG:
        raise EngineError("store.tag_long", most=LONGEST_TAG)
    return name


def add_tag(
    db: sqlite3.Connection,
    response_ids: Iterable[int],
    name: str,
    span: Span | None = None,
    at: datetime | None = None,
) -> Act:
    """Put a tag on each answer, or on a span of it, in one transaction; those that have it are passed over.

    Raises what ``tag_name`` raises.
    """
    return say(db, "tag", response_ids, tag_name(name), span, at)


def remove_tag(db: sqlite3.Connection, response_ids: Iterable[int], name: str, at: datetime | None = None) -> Act:
    """Take a tag back from each of these answers that has it, on whatever span; one transaction."""
    with transaction(db):
        uids = db.execute(
            "SELECT uid FROM tag WHERE name = ? AND response_id IN (SELECT value FROM json_each(?))"
            f" AND {standing('tag')}",
            (name, json.dumps([int(number) for number in response_ids])),
        )
        return take_back(db, "tag", [row[0] for row in uids.fetchall()], at)


def tags_in_use(db: sqlite3.Connection) -> tuple[TagInUse, ...]:
    """Every tag that stands somewhere, the most frequent first."""
    rows = db.execute(
        f"SELECT name, COUNT(DISTINCT response_id) FROM tag WHERE {standing('tag')} GROUP BY name ORDER BY 2 DESC, 1"
    )
    return tuple(TagInUse(row[0], row[1]) for row in rows)


def tags_on(db: sqlite3.Connection, response_ids: Sequence[int]) -> tuple[TagInUse, ...]:
    """The tags that stand on any of these answers, and on how many of them."""
    rows = db.execute(
        "SELECT name, COUNT(DISTINCT response_id) FROM tag WHERE response_id IN (SELECT value FROM json_each(?))"
        f" AND {standing('tag')} GROUP BY name ORDER BY 2 DESC, 1",
        (json.dumps([int(number) for number in response_ids]),),
    )
    return tuple(TagInUse(row[0], row[1]) for row in rows)
