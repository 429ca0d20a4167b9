"""The tables of people's ratings, a migration set of their own; a released step is never edited.

A **study** is what an owner sets up: protocols, items, raters, order. A **session** is one rater's pass through it
under one protocol. An **assignment** is one thing to rate in a session, in its place; it names the answer, or two of
them that are compared. A **presentation** is one time it stood before the rater, what was **heard** of it, and the
**ratings** and **remarks** given there. A **sitting** is the time a rater spent without leaving: where, on what device.

What somebody did in one go (the fields of an item, a note) is an **act**: its rows carry the number of the first of
them. The **turn** of a row counts what was done to its assignment as far as this store knew: it orders what was said of
one assignment, whatever a clock did, and also where two installations added to it. A row that takes back names what it
takes back; one that gives back names the row that took back (see ``evidence``).
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

ratings = Steps("auricle.rating")

#: Tables whose rows are only ever added.
PEOPLES_ROWS = ("rater", "study", "session", "assignment", "sitting", "presentation", "heard", "rating", "remark",
                "disclosure")  # fmt: skip

_TABLES = """
CREATE TABLE rater (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL DEFAULT '',      -- zh or en: what the rating screen speaks; '' is the window's
    is_owner INTEGER NOT NULL DEFAULT 0,
    UNIQUE (origin, origin_seq)
);
CREATE TABLE protocol (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,                     -- resources/protocols/<name>.toml
    version INTEGER NOT NULL,
    language TEXT NOT NULL,                 -- in which it was put to the rater
    sha256 TEXT NOT NULL,                   -- of all that a rater is shown and of all rules, in that language
    declaration TEXT NOT NULL,              -- JSON: the whole of it, so that what was asked can be read years later
    UNIQUE (sha256, language)
);
CREATE TABLE study (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    title TEXT NOT NULL,
    seed INTEGER NOT NULL,
    selection TEXT NOT NULL CHECK (selection IN ('random', 'stratified', 'active', 'manual')),
    stage TEXT NOT NULL DEFAULT 'estimation',  -- estimation, diagnosis, adjudication, ...
    design TEXT NOT NULL,                   -- JSON: query, systems, strata, items, overlap, passes, sizes shown, fixes
    leaks TEXT,                             -- JSON: what the blind-leak check found before it was opened
    UNIQUE (origin, origin_seq)
);
CREATE TABLE session (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    study_id INTEGER NOT NULL REFERENCES study(id),
    rater_id INTEGER NOT NULL REFERENCES rater(id),
    protocol_id INTEGER NOT NULL REFERENCES protocol(id),
    pass INTEGER NOT NULL,                  -- 1 is the first; one protocol a pass
    UNIQUE (study_id, rater_id, pass),
    UNIQUE (origin, origin_seq)
);
CREATE TABLE assignment (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    session_id INTEGER NOT NULL REFERENCES session(id),
    position INTEGER NOT NULL,              -- 1 is put before the rater first
    kind TEXT NOT NULL CHECK (kind IN ('rated', 'training', 'gold', 'trap', 'repeat')),
    response_id INTEGER NOT NULL REFERENCES response(id),
    letter TEXT NOT NULL,                   -- what the rater sees in place of a system's name; chosen per item
    other_response_id INTEGER REFERENCES response(id),  -- of a comparison: what is heard second
    other_letter TEXT,
    expected TEXT,                          -- JSON {scale: value} of training, gold and trap items
    repeat_of TEXT,                         -- uid of the assignment that a hidden repeat repeats
    perceived TEXT NOT NULL CHECK (perceived IN ('text', 'audio', 'both')),
    dimension TEXT NOT NULL,                -- what is rated, e.g. empathy_acoustic
    blind INTEGER NOT NULL DEFAULT 1,
    selection TEXT NOT NULL CHECK (selection IN ('random', 'stratified', 'active', 'manual')),
    pi REAL,                                -- inclusion probability of the item; NULL where it was picked by hand
    stratum TEXT NOT NULL DEFAULT '',
    split TEXT NOT NULL CHECK (split IN ('dev', 'test')),  -- by a hash of the instance: all systems' answers share it
    stage TEXT NOT NULL,
    UNIQUE (session_id, position),
    UNIQUE (origin, origin_seq)
);
CREATE INDEX assignment_response ON assignment (response_id);
CREATE TABLE sitting (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    rater_id INTEGER NOT NULL REFERENCES rater(id),
    device TEXT NOT NULL DEFAULT '',        -- its name as the system gives it
    sample_rate_hz INTEGER,
    app_version TEXT NOT NULL,
    setup TEXT NOT NULL DEFAULT '{}',       -- JSON: level and left/right of the setup check, were they right
    UNIQUE (origin, origin_seq)
);
CREATE TABLE presentation (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    assignment_id INTEGER NOT NULL REFERENCES assignment(id),
    sitting_id INTEGER NOT NULL REFERENCES sitting(id),
    gains TEXT NOT NULL DEFAULT '{}',       -- JSON: dB and trimmed seconds applied to each clip on playback
    UNIQUE (origin, origin_seq)
);
CREATE INDEX presentation_assignment ON presentation (assignment_id);
CREATE TABLE heard (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    presentation_id INTEGER NOT NULL REFERENCES presentation(id),
    clip TEXT NOT NULL CHECK (clip IN ('question', 'answer', 'other')),
    spans TEXT NOT NULL,                    -- JSON [[start_s, end_s, speed], ...]: frames that reached the device
    voiced_share REAL,                      -- of the clip's speech that had been heard by then, 0 to 1
    underruns INTEGER NOT NULL DEFAULT 0,
    UNIQUE (origin, origin_seq)
);
CREATE INDEX heard_presentation ON heard (presentation_id);
CREATE TABLE rating (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    presentation_id INTEGER NOT NULL REFERENCES presentation(id),
    scale TEXT NOT NULL,                    -- a field of the protocol
    value,                                  -- a step of it, number or word; NULL: left open again, or a row that undoes
    active_s REAL,                          -- seconds the rater spent on it, pauses left out
    is_before_reveal INTEGER NOT NULL DEFAULT 1,  -- given before the protocol showed the transcript
    undoes TEXT,                            -- uid of the row that it takes back, or gives back by taking back that one
    act INTEGER NOT NULL,                   -- origin_seq of the first row of what was done in one go
    turn INTEGER NOT NULL,                  -- 1 more than the highest that was known of the assignment
    UNIQUE (origin, origin_seq)
);
CREATE INDEX rating_presentation ON rating (presentation_id);
CREATE INDEX rating_undoes ON rating (undoes) WHERE undoes IS NOT NULL;
CREATE TABLE remark (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    presentation_id INTEGER NOT NULL REFERENCES presentation(id),
    kind TEXT NOT NULL CHECK (kind IN ('skip', 'flag', 'note', 'span_tag')),
    text TEXT NOT NULL DEFAULT '',          -- the reason of a skip, the words of a note, the name of a tag
    clip TEXT CHECK (clip IN ('question', 'answer', 'other')),
    start_s REAL, end_s REAL,
    holds INTEGER NOT NULL DEFAULT 1,       -- 0: a flag, a tag on a span, a skip is no longer so
    undoes TEXT,
    act INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    UNIQUE (origin, origin_seq)
);
CREATE INDEX remark_presentation ON remark (presentation_id);
CREATE INDEX remark_undoes ON remark (undoes) WHERE undoes IS NOT NULL;
CREATE TABLE disclosure (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE, origin TEXT NOT NULL, origin_seq INTEGER NOT NULL, made_at TEXT NOT NULL,
    study_id INTEGER NOT NULL REFERENCES study(id),
    reason TEXT NOT NULL,                   -- why the owner had the letters resolved
    UNIQUE (origin, origin_seq)
);
CREATE TABLE assignment_state (             -- derived from ratings and remarks in the transaction that adds them
    assignment_id INTEGER PRIMARY KEY REFERENCES assignment(id),
    session_id INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('rated', 'skipped'))  -- no row: open
);
CREATE INDEX assignment_state_session ON assignment_state (session_id, state);
"""

_ONLY_ADDED = """
CREATE TRIGGER {table}_is_never_changed BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END;
CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END;
"""


@ratings()
def tables(db: Database) -> None:
    """Raters, protocols, studies, sessions, what was put before a rater, heard, and rated."""
    statement = ""
    for line in (_TABLES + "".join(_ONLY_ADDED.format(table=table) for table in PEOPLES_ROWS)).splitlines(True):
        statement += line
        if statement.strip() and sqlite3.complete_statement(statement):
            db.conn.execute(statement)  # executescript would commit the step apart from its name
            statement = ""
