"""Playlists: named, ordered lists of answers and of spans of answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.evidence import Span
from engine.store.origin import next_origin
from engine.store.tags import tag_name
from engine.store.transaction import transaction


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer, or a span of one."""

    response_id: int
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Playlist:
    """A playlist and how many entries it has."""

    id: int
    name: str
    count: int
    made_at: str


def playlists_of(db: sqlite3.Connection) -> tuple[Playlist, ...]:
    """All playlists, the newest first."""
    rows = db.execute(
        "SELECT id, name, (SELECT COUNT(*) FROM playlist_entry WHERE playlist_id = playlist.id), made_at"
        " FROM playlist ORDER BY made_at DESC, id DESC"
    )
    return tuple(Playlist(*row) for row in rows)


def entries_of(db: sqlite3.Connection, playlist_id: int) -> tuple[Entry, ...]:
    """What is in a playlist, in order."""
    rows = db.execute(
        "SELECT response_id, start_s, end_s FROM playlist_entry WHERE playlist_id = ? ORDER BY position", (playlist_id,)
    )
    return tuple(Entry(row[0], None if row[1] is None else Span(row[1], row[2])) for row in rows)


def make_playlist(
    db: sqlite3.Connection, name: str, entries: Iterable[Entry] = (), at: datetime | None = None
) -> Playlist:
    """A new playlist with these entries; a name that is taken gets a number behind it.

    Raises what ``tag_name`` raises: a name keeps to the same rules as a tag.
    """
    wanted = tag_name(name)
    made_at = utc_text(at)
    with transaction(db):
        free = _free_name(db, wanted)
        cursor = db.execute(
            "INSERT INTO playlist (uid, origin, origin_seq, name, made_at) VALUES (?, ?, ?, ?, ?)",
            (*next_origin(db), free, made_at),
        )
        made = int(cursor.lastrowid or 0)
        count = _append(db, made, entries)
    return Playlist(made, free, count, made_at)


def add_entries(db: sqlite3.Connection, playlist_id: int, entries: Iterable[Entry]) -> int:
    """Put entries at the end, those that are in it already left out; how many were added.

    Raises EngineError ``store.no_playlist``.
    """
    with transaction(db):
        _must_exist(db, playlist_id)
        known = set(entries_of(db, playlist_id))
        return _append(db, playlist_id, [entry for entry in dict.fromkeys(entries) if entry not in known])


def rename_playlist(db: sqlite3.Connection, playlist_id: int, name: str) -> str:
    """Give it another name, with a number behind it where that is taken; the name it has now.

    Raises EngineError ``store.no_playlist``, and what ``tag_name`` raises.
    """
    wanted = tag_name(name)
    with transaction(db):
        _must_exist(db, playlist_id)
        free = _free_name(db, wanted, but=playlist_id)
        db.execute("UPDATE playlist SET name = ? WHERE id = ?", (free, playlist_id))
    return free


def remove_playlist(db: sqlite3.Connection, playlist_id: int) -> None:
    """Forget a playlist; the answers in it stay as they are."""
    with transaction(db):
        db.execute("DELETE FROM playlist WHERE id = ?", (playlist_id,))


def _append(db: sqlite3.Connection, playlist_id: int, entries: Iterable[Entry]) -> int:
    first = db.execute(
        "SELECT ifnull(MAX(position) + 1, 0) FROM playlist_entry WHERE playlist_id = ?", (playlist_id,)
    ).fetchone()[0]
    rows = [
        (playlist_id, first + place, entry.response_id)
        + ((None, None) if entry.span is None else (entry.span.start_s, entry.span.end_s))
        for place, entry in enumerate(entries)
    ]
    db.executemany(
        "INSERT INTO playlist_entry (playlist_id, position, response_id, start_s, end_s) VALUES (?, ?, ?, ?, ?)", rows
    )
    return len(rows)


def _free_name(db: sqlite3.Connection, wanted: str, but: int = 0) -> str:
    taken = {row[0] for row in db.execute("SELECT name FROM playlist WHERE id <> ?", (but,))}
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted} {number}", number + 1
    return name


def _must_exist(db: sqlite3.Connection, playlist_id: int) -> None:
    if db.execute("SELECT 1 FROM playlist WHERE id = ?", (playlist_id,)).fetchone() is None:
        raise EngineError("store.no_playlist")
