"""The tables of corrections, a migration set of their own; a released step is never edited."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

corrections = Steps("auricle.corrections")

_CORRECTION = """CREATE TABLE correction (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,              -- as of every row that a person makes
    origin_seq INTEGER NOT NULL,
    response_id INTEGER NOT NULL REFERENCES response(id),
    audio_sha256 TEXT NOT NULL,        -- of the sound that was listened to: whatever has it says this text
    text TEXT NOT NULL,                -- '' where nothing is said
    undoes TEXT,                       -- uid of the row this one takes back, or gives back
    made_at TEXT NOT NULL,
    UNIQUE (origin, origin_seq)
)"""
_CHOICE = """CREATE TABLE maker_choice (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    origin_seq INTEGER NOT NULL,
    maker_key TEXT NOT NULL,           -- of a maker; its row may come later, with a merge
    counts INTEGER NOT NULL CHECK (counts IN (0, 1)),  -- 1: before all that were not chosen; 0: as the newest again
    made_at TEXT NOT NULL,
    UNIQUE (origin, origin_seq)
)"""
_INDEXES = (
    "CREATE INDEX correction_audio ON correction (audio_sha256)",
    "CREATE INDEX correction_undoes ON correction (undoes) WHERE undoes IS NOT NULL",
    "CREATE INDEX correction_response ON correction (response_id)",
)
_APPEND_ONLY = (
    "CREATE TRIGGER {table}_is_never_changed BEFORE UPDATE ON {table}"
    " BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END",
    "CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table}"
    " BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END",
)


@corrections()
def tables(db: Database) -> None:
    """What a person heard where a recogniser erred, and whose results were chosen to count."""
    for statement in (_CORRECTION, _CHOICE, *_INDEXES):
        db.conn.execute(statement)
    for table in ("correction", "maker_choice"):
        for trigger in _APPEND_ONLY:
            db.conn.execute(trigger.format(table=table))
