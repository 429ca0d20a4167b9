"""Reads the wide rows for scoring: plain columns, one list per system and subset."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

COLUMNS = (
    "response_id, system, benchmark, subset, key, category, language, duration_s, generation_s,"
    " faults, mismatch, counts, transcript_state,"
    " recogniser_id, published_recogniser_id, quality_state, quality_id, published_maker_id, corrected_maker_id,"
    " response_state, word_error_rate, character_error_rate, mixed_error_rate, syllable_error_rate,"
    " phoneme_error_rate, published_error_rate, published_error_state,"
    " dnsmos_ovrl, dnsmos_sig, dnsmos_bak, dnsmos_p808, transcript_id,"
    " published_state, published_why, published_verdict, published_score,"
    " corrected_state, corrected_why, corrected_verdict, corrected_score,"
    " published_s2s_state, published_s2s_why, published_s2s_verdict,"
    " corrected_s2s_state, corrected_s2s_why, corrected_s2s_verdict"
)


def scored_rows(db: sqlite3.Connection, system: str | None = None) -> Iterator[sqlite3.Row]:
    """The wide rows in the order system, benchmark, subset, response."""
    yield from db.execute(
        f"SELECT {COLUMNS} FROM audit_row WHERE ? IS NULL OR system = ?"
        " ORDER BY system, benchmark, subset, response_id",
        (system, system),
    )


def summary_rows(db: sqlite3.Connection) -> Iterator[sqlite3.Row]:
    """What a line about each system rests on, a row for each current answer, by system; ``rate`` is what decides."""
    yield from db.execute(
        "SELECT system, response_state, duration_s, silent_share, faults, mismatch, transcript_id, corrected_state,"
        " corrected_verdict, CASE language WHEN 'en' THEN word_error_rate ELSE syllable_error_rate END AS rate"
        " FROM audit_row ORDER BY system, response_id"
    )


def category_sizes(db: sqlite3.Connection) -> dict[tuple[str, str, str], int]:
    """Number of instances by (benchmark, subset, category)."""
    rows = db.execute(
        "SELECT benchmark.name, subset, category, COUNT(*) FROM instance JOIN benchmark ON benchmark.id = benchmark_id"
        " WHERE category IS NOT NULL GROUP BY benchmark.name, subset, category"
    )
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def outside_measurements(db: sqlite3.Connection) -> list[sqlite3.Row]:
    """Numbers that were computed elsewhere, of current answers: system, benchmark, subset, metric, value, maker."""
    return db.execute(
        "SELECT audit_row.system, audit_row.benchmark, audit_row.subset, metric, value, maker.name AS maker"
        " FROM measurement JOIN maker ON maker.id = maker_id AND maker.kind = 'imported'"
        " JOIN audit_row ON audit_row.response_id = measurement.response_id"
        " WHERE maker.name NOT LIKE 'published/%'"
    ).fetchall()


def answered_subsets(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Every (benchmark, subset) that any system answered."""
    rows = db.execute("SELECT DISTINCT benchmark, subset FROM audit_row ORDER BY benchmark, subset")
    return [(row[0], row[1]) for row in rows]


def places_among(db: sqlite3.Connection, response_ids: Sequence[int]) -> set[tuple[str, str, str]]:
    """Every (system, benchmark, subset) that any of these answers belongs to."""
    rows = db.execute(
        "SELECT DISTINCT system, benchmark, subset FROM audit_row"
        " WHERE response_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(response_ids)),),
    )
    return {(row[0], row[1], row[2]) for row in rows}


def system_declarations(db: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """What each system declares of itself, by name."""
    return {
        row[0]: {"kind": row[1], **json.loads(row[2])}
        for row in db.execute("SELECT name, kind, declaration FROM system")
    }
