"""The core tables, grown by named steps; a released step is never edited."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from engine.store.other_script import OTHER_SCRIPT
from engine.store.refusal import REFUSAL
from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x41555249  # "AURI"
USER_VERSION = 1  # of the file's lay-out as a whole; the steps below have names of their own

core = Steps("auricle.core")

_TABLES = """
CREATE TABLE installation (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    origin TEXT NOT NULL,              -- UUID of this workspace's writer; rows made by people carry it
    next_seq INTEGER NOT NULL DEFAULT 1,
    derivation TEXT,                   -- version of the code that made the wide rows; 'rebuilding' meanwhile
    created_at TEXT NOT NULL
);
CREATE TABLE audio (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,       -- of the file's bytes
    byte_count INTEGER NOT NULL,
    kept TEXT NOT NULL CHECK (kept IN ('link', 'copy', 'reference')),
    path TEXT NOT NULL,                -- below audio/, or absolute for a reference
    modified_ns INTEGER,               -- of a reference when it was taken
    facts TEXT                         -- JSON of AudioFacts, NULL until measured
);
CREATE TABLE benchmark (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    folder TEXT,
    imported_at TEXT NOT NULL
);
CREATE TABLE instance (
    id INTEGER PRIMARY KEY,
    benchmark_id INTEGER NOT NULL REFERENCES benchmark(id),
    subset TEXT NOT NULL,
    key TEXT NOT NULL,                 -- the Qid
    position INTEGER NOT NULL,
    question TEXT NOT NULL,
    reference TEXT,
    category TEXT,
    language TEXT NOT NULL,
    context TEXT,                      -- JSON [{"role", "text"}], NULL without
    labels TEXT NOT NULL,              -- JSON of every other key of the record
    record_sha256 TEXT NOT NULL,
    UNIQUE (benchmark_id, subset, key)
);
CREATE TABLE instance_audio (
    instance_id INTEGER NOT NULL REFERENCES instance(id),
    part INTEGER NOT NULL,
    name TEXT NOT NULL,                -- as the benchmark writes it
    audio_id INTEGER REFERENCES audio(id),  -- NULL where the file is missing
    PRIMARY KEY (instance_id, part)
) WITHOUT ROWID;
CREATE TABLE system (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    declaration TEXT NOT NULL DEFAULT '{}',
    created_at TEXT NOT NULL
);
CREATE TABLE run (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    settings TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'done', 'cancelled', 'failed', 'stopped')),
    planned INTEGER NOT NULL DEFAULT 0,
    done INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    message TEXT,
    process_id INTEGER,
    started_at TEXT NOT NULL,
    ended_at TEXT
);
CREATE TABLE response (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    run_id INTEGER NOT NULL REFERENCES run(id),
    instance_id INTEGER NOT NULL REFERENCES instance(id),
    system_id INTEGER NOT NULL REFERENCES system(id),
    repeat INTEGER NOT NULL DEFAULT 0,
    current INTEGER NOT NULL DEFAULT 1,  -- 0 once a later import or run answered again
    state TEXT NOT NULL CHECK (state IN ('answered', 'no_answer', 'failed')),
    text TEXT,
    audio_id INTEGER REFERENCES audio(id),
    audio_fault TEXT,                  -- JSON {code, values} where the file could not be read
    timings TEXT NOT NULL DEFAULT '{}',
    flags TEXT NOT NULL DEFAULT '[]',
    error TEXT,
    content_sha256 TEXT NOT NULL,      -- of text, audio and state: an equal one is not stored again
    created_at TEXT NOT NULL
);
CREATE UNIQUE INDEX response_current ON response (system_id, instance_id, repeat) WHERE current = 1;
CREATE INDEX response_superseded ON response (id) WHERE current = 0;
CREATE INDEX response_instance ON response (instance_id);
CREATE INDEX response_audio ON response (audio_id);
CREATE TABLE maker (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,          -- hash of all that tells one maker from another
    kind TEXT NOT NULL,                -- recogniser, metric, quality, rule, judge, imported
    name TEXT NOT NULL,
    code_version TEXT NOT NULL,
    settings TEXT NOT NULL,            -- JSON, keys sorted
    weights_sha256 TEXT,
    rubric_sha256 TEXT,
    libraries TEXT NOT NULL,           -- JSON of versions when first used; told, not part of the key
    created_at TEXT NOT NULL
);
CREATE TABLE maker_floor (
    maker_id INTEGER NOT NULL REFERENCES maker(id),
    language TEXT NOT NULL,
    metric TEXT NOT NULL,
    errors INTEGER NOT NULL,
    reference_length INTEGER NOT NULL,
    clip_count INTEGER NOT NULL,
    source TEXT NOT NULL,              -- which known speech, with its hash
    measured_at TEXT NOT NULL,
    PRIMARY KEY (maker_id, language, metric)
) WITHOUT ROWID;
CREATE TABLE transcript (
    id INTEGER PRIMARY KEY,
    response_id INTEGER NOT NULL REFERENCES response(id),
    maker_id INTEGER NOT NULL REFERENCES maker(id),
    audio_id INTEGER REFERENCES audio(id),
    state TEXT NOT NULL CHECK (state IN ('scored', 'failed')),
    text TEXT,
    language TEXT,
    words TEXT,                        -- JSON [[text, start_s, end_s, probability]]
    seconds REAL,                      -- that recognising took
    flags TEXT NOT NULL DEFAULT '[]',
    error TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (response_id, maker_id)
);
CREATE INDEX transcript_audio ON transcript (audio_id, maker_id);
CREATE TABLE measurement (
    id INTEGER PRIMARY KEY,
    response_id INTEGER NOT NULL REFERENCES response(id),
    maker_id INTEGER NOT NULL REFERENCES maker(id),
    metric TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('scored', 'failed', 'unscored')),
    value REAL,                        -- NULL: no value (said in detail), never a stand-in
    errors REAL,                       -- numerator and denominator, so that rates can be pooled
    reference_length REAL,
    detail TEXT,
    created_at TEXT NOT NULL,
    UNIQUE (response_id, maker_id, metric)
);
CREATE TABLE judgement (
    id INTEGER PRIMARY KEY,
    response_id INTEGER NOT NULL REFERENCES response(id),
    maker_id INTEGER NOT NULL REFERENCES maker(id),
    judge TEXT NOT NULL,
    repeat INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL CHECK (state IN ('scored', 'unparsable', 'failed', 'unscored')),
    verdict TEXT,
    score REAL,
    reason TEXT NOT NULL DEFAULT '',
    raw_reply TEXT,
    flags TEXT NOT NULL DEFAULT '[]',
    error TEXT,
    tokens_in INTEGER,
    tokens_out INTEGER,
    cost REAL,
    seconds REAL,
    created_at TEXT NOT NULL,
    UNIQUE (response_id, maker_id, judge, repeat)
);
CREATE TABLE note (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    origin_seq INTEGER NOT NULL,
    response_id INTEGER NOT NULL REFERENCES response(id),
    text TEXT NOT NULL,
    undoes TEXT,                       -- uid of the row this one takes back
    made_at TEXT NOT NULL,
    UNIQUE (origin, origin_seq)
);
CREATE TABLE tag (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL,
    origin_seq INTEGER NOT NULL,
    response_id INTEGER NOT NULL REFERENCES response(id),
    name TEXT NOT NULL,
    start_s REAL,
    end_s REAL,
    undoes TEXT,
    made_at TEXT NOT NULL,
    UNIQUE (origin, origin_seq)
);
"""

_APPEND_ONLY = """
CREATE TRIGGER {table}_is_never_changed BEFORE UPDATE ON {table}
BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END;
CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON {table}
BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END;
"""

_AUDIT_ROW = """
CREATE TABLE audit_row (
    response_id INTEGER PRIMARY KEY REFERENCES response(id),
    system TEXT NOT NULL, benchmark TEXT NOT NULL, subset TEXT NOT NULL, key TEXT NOT NULL,
    category TEXT, language TEXT NOT NULL, repeat INTEGER NOT NULL,
    question TEXT NOT NULL, text TEXT, transcript TEXT, transcript_id INTEGER,
    response_state TEXT NOT NULL, faults TEXT NOT NULL DEFAULT '',
    duration_s REAL, sample_rate_hz INTEGER, peak_dbfs REAL, silent_share REAL, clipped_share REAL,
    generation_s REAL, first_token_s REAL, first_audio_s REAL,
    rtf_generation_over_duration REAL, rtf_duration_over_generation REAL,
    word_error_rate REAL, character_error_rate REAL, mixed_error_rate REAL,
    syllable_error_rate REAL, phoneme_error_rate REAL, published_error_rate REAL, published_error_state TEXT,
    counts TEXT NOT NULL DEFAULT '{}',  -- JSON {metric: [errors, reference length]} of the rates shown here
    transcript_state TEXT, recogniser_id INTEGER, published_recogniser_id INTEGER,
    mismatch TEXT NOT NULL DEFAULT '',
    quality_state TEXT, quality_id INTEGER, dnsmos_ovrl REAL, dnsmos_sig REAL, dnsmos_bak REAL, dnsmos_p808 REAL,
    published_state TEXT NOT NULL, published_why TEXT, published_verdict TEXT, published_score REAL,
    published_maker_id INTEGER,
    corrected_state TEXT NOT NULL, corrected_why TEXT, corrected_verdict TEXT, corrected_score REAL,
    corrected_maker_id INTEGER,
    published_s2s_state TEXT, published_s2s_why TEXT, published_s2s_verdict TEXT,
    corrected_s2s_state TEXT, corrected_s2s_why TEXT, corrected_s2s_verdict TEXT,
    judge_flags TEXT NOT NULL DEFAULT ''
);
CREATE INDEX audit_row_place ON audit_row (system, benchmark, subset);
CREATE VIRTUAL TABLE search USING fts5(
    question, text, transcript, content='', tokenize="unicode61 remove_diacritics 2");
"""

# Counting 168,000 answers without reading their texts: 0.05 s instead of seconds.
_OVERVIEW = """
CREATE INDEX audit_row_overview ON audit_row (
    system, benchmark, subset, duration_s, transcript_state, quality_state, corrected_state, corrected_why);
CREATE INDEX response_spoken ON response (system_id) WHERE current = 1 AND audio_id IS NOT NULL;
CREATE INDEX audio_size ON audio (kept, byte_count);
"""

_AUDIT_ROW_FACTS = """
CREATE INDEX audit_row_facts ON audit_row (
    system, benchmark, subset, key, category, language, repeat, response_state, faults, mismatch, judge_flags,
    duration_s, sample_rate_hz, peak_dbfs, silent_share, clipped_share, generation_s, first_token_s, first_audio_s,
    rtf_generation_over_duration, word_error_rate, character_error_rate, mixed_error_rate, syllable_error_rate,
    phoneme_error_rate, published_error_rate, transcript_id, dnsmos_ovrl, dnsmos_sig, dnsmos_bak, dnsmos_p808,
    published_state, published_why, published_verdict, published_score,
    corrected_state, corrected_why, corrected_verdict, corrected_score,
    published_s2s_state, published_s2s_why, published_s2s_verdict,
    corrected_s2s_state, corrected_s2s_why, corrected_s2s_verdict);
"""


# What people said is looked up by answer, by tag, and by what takes it back; a note may be on a span as a tag may.
_EVIDENCE = """
ALTER TABLE note ADD COLUMN start_s REAL;
ALTER TABLE note ADD COLUMN end_s REAL;
CREATE INDEX tag_response ON tag (response_id);
CREATE INDEX tag_name ON tag (name, response_id) WHERE undoes IS NULL;
CREATE INDEX tag_undoes ON tag (undoes) WHERE undoes IS NOT NULL;
CREATE INDEX note_response ON note (response_id);
CREATE INDEX note_undoes ON note (undoes) WHERE undoes IS NOT NULL;
"""


# What a filter asks for one test at a time: a third of the time that the wider index above takes.
_AUDIT_ROW_TESTS = """
CREATE INDEX audit_row_rates ON audit_row (
    language, syllable_error_rate, word_error_rate, published_error_rate, character_error_rate, mismatch,
    transcript_id);
CREATE INDEX audit_row_verdicts ON audit_row (
    corrected_verdict, corrected_s2s_verdict, published_verdict, published_s2s_verdict, corrected_state,
    published_state, corrected_score, published_score);
CREATE INDEX audit_row_figures ON audit_row (
    duration_s, first_audio_s, rtf_generation_over_duration, silent_share, dnsmos_ovrl, generation_s);
"""


@core()
def tables(db: Database) -> None:
    """The flow from benchmark to judgement, and the rows that people add."""
    _run(db, _TABLES + _APPEND_ONLY.format(table="note") + _APPEND_ONLY.format(table="tag"))


@core()
def audit_row(db: Database) -> None:
    """One derived wide row per response, and the index that finds one and two characters."""
    _run(db, _AUDIT_ROW)


@core()
def overview(db: Database) -> None:
    """What counts answers by state and length, and bytes by how they are kept."""
    _run(db, _OVERVIEW)


@core()
def audit_row_facts(db: Database) -> None:
    """The short columns of the wide rows side by side: a filter over 168,000 answers reads 25 MB instead of 300."""
    _run(db, _AUDIT_ROW_FACTS)


@core()
def audit_row_other_script(db: Database) -> None:
    """Answers in the other script, found without reading 168,000 texts."""
    _run(db, f"CREATE INDEX audit_row_other_script ON audit_row (response_id) WHERE {OTHER_SCRIPT};")


@core()
def evidence(db: Database) -> None:
    """Tags and notes found without reading all of them, and notes on spans."""
    _run(db, _EVIDENCE)


@core()
def audit_row_refusal(db: Database) -> None:
    """Answers that read as a refusal, found without reading 168,000 texts."""
    _run(db, f"CREATE INDEX audit_row_refusal ON audit_row (response_id) WHERE {REFUSAL};")


@core()
def answers_asked(db: Database) -> None:
    """Of an answer that a run asked for: what was asked, as a hash, and how it came about."""
    _run(
        db,
        "ALTER TABLE response ADD COLUMN ask_sha256 TEXT;\n"  # NULL for recorded answers
        "ALTER TABLE response ADD COLUMN made_with TEXT;\n",  # JSON: seed, settings, versions, adapted, error values
    )


@core()
def audit_row_tests(db: Database) -> None:
    """Narrow indexes for the fields that filters ask for most."""
    _run(db, _AUDIT_ROW_TESTS)


def _run(db: Database, script: str) -> None:
    # executescript would commit the step by itself, apart from its name.
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if statement.strip() and sqlite3.complete_statement(statement):
            db.conn.execute(statement)
            statement = ""
