"""The tables of playlists, a migration set of their own; a released step is never edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

playlists = Steps("auricle.playlists")

_PLAYLIST = """CREATE TABLE playlist (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,              -- as of every row that a person makes
    origin_seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    made_at TEXT NOT NULL,
    UNIQUE (origin, origin_seq)
)"""
_ENTRY = """CREATE TABLE playlist_entry (
    playlist_id INTEGER NOT NULL REFERENCES playlist(id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    response_id INTEGER NOT NULL REFERENCES response(id),
    start_s REAL,                      -- of a span of the answer; NULL for all of it
    end_s REAL,
    PRIMARY KEY (playlist_id, position)
) WITHOUT ROWID"""


@playlists()
def tables(db: Database) -> None:
    """Named lists of answers and of spans of answers, in order."""
    db.conn.execute(_PLAYLIST)
    db.conn.execute(_ENTRY)
