"""Reads the wide rows for scoring: plain columns, one list per system and subset."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

COLUMNS = (
    "response_id, system, benchmark, subset, key, category, language, duration_s, generation_s, faults, mismatch,"
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


def error_counts(db: sqlite3.Connection, system: str, benchmark: str, subset: str, metric: str) -> tuple[float, float]:
    """Errors and reference length summed over the measurements that the wide rows show; (0, 0) without any.

    The newest measurement of the transcript that a row shows is the one that counts, as in ``scoring.derive``.
    """
    row = db.execute(
        "SELECT SUM(errors), SUM(reference_length) FROM ("
        " SELECT measurement.errors, measurement.reference_length, MAX(measurement.id) FROM audit_row"
        " JOIN transcript ON transcript.id = audit_row.transcript_id"
        " JOIN maker AS heard ON heard.id = transcript.maker_id"
        " JOIN measurement ON measurement.response_id = audit_row.response_id AND measurement.metric = ?"
        " JOIN maker ON maker.id = measurement.maker_id"
        " AND json_extract(maker.settings, '$.transcript_maker') = heard.key"
        " WHERE audit_row.system = ? AND audit_row.benchmark = ? AND audit_row.subset = ? GROUP BY"
        " audit_row.response_id)",
        (metric, system, benchmark, subset),
    ).fetchone()
    return float(row[0] or 0), float(row[1] or 0)


def system_declarations(db: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """What each system declares of itself, by name."""
    return {
        row[0]: {"kind": row[1], **json.loads(row[2])}
        for row in db.execute("SELECT name, kind, declaration FROM system")
    }
