"""Transcripts, measurements and judgements: what machines found, each by its maker and never computed twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.clock import utc_text


@dataclass(frozen=True, slots=True)
class TranscriptRow:
    """What a recogniser heard in one response; ``words`` are (text, start_s, end_s, probability)."""

    response_id: int
    audio_id: int | None
    state: str
    text: str | None
    language: str | None = None
    words: Sequence[tuple[str, float, float, float]] = ()
    seconds: float | None = None
    flags: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class MeasurementRow:
    """One number about one response; ``value`` None means that there is no value, which is not 0."""

    response_id: int
    metric: str
    value: float | None
    state: str = "scored"
    errors: float | None = None
    reference_length: float | None = None
    detail: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class JudgementRow:
    """One verdict on one response, or the state that stands in its place."""

    response_id: int
    judge: str
    state: str
    verdict: str | None = None
    score: float | None = None
    reason: str = ""
    raw_reply: str | None = None
    flags: tuple[str, ...] = ()
    error: str | None = None
    repeat: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    seconds: float | None = None


def put_transcripts(db: sqlite3.Connection, maker: int, rows: Iterable[TranscriptRow]) -> None:
    """Write transcripts of one maker; a failed one is replaced when the clip is recognised after all."""
    db.executemany(
        "INSERT OR REPLACE INTO transcript (response_id, maker_id, audio_id, state, text, language,"
        " words, seconds, flags,"
        " error, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                r.response_id,
                maker,
                r.audio_id,
                r.state,
                r.text,
                r.language,
                json.dumps(list(r.words), ensure_ascii=False) if r.words else None,
                r.seconds,
                json.dumps(list(r.flags)),
                r.error,
                utc_text(),
            )
            for r in rows
        ],
    )


def put_measurements(db: sqlite3.Connection, maker: int, rows: Iterable[MeasurementRow]) -> None:
    """Write measurements of one maker, replacing its earlier ones of the same response and metric."""
    db.executemany(
        "INSERT OR REPLACE INTO measurement (response_id, maker_id, metric, state, value, errors,"
        " reference_length, detail,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                r.response_id,
                maker,
                r.metric,
                r.state,
                r.value,
                r.errors,
                r.reference_length,
                None if r.detail is None else json.dumps(r.detail, ensure_ascii=False),
                utc_text(),
            )
            for r in rows
        ],
    )


def put_judgements(db: sqlite3.Connection, maker: int, rows: Iterable[JudgementRow]) -> None:
    """Write judgements of one maker; a failed or unparsable one is replaced when it is asked again."""
    db.executemany(
        "INSERT OR REPLACE INTO judgement (response_id, maker_id, judge, repeat, state, verdict, score,"
        " reason, raw_reply,"
        " flags, error, tokens_in, tokens_out, cost, seconds, created_at) VALUES (?, ?, ?, ?, ?, ?, ?,"
        " ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                r.response_id,
                maker,
                r.judge,
                r.repeat,
                r.state,
                r.verdict,
                r.score,
                r.reason,
                r.raw_reply,
                json.dumps(list(r.flags)),
                r.error,
                r.tokens_in,
                r.tokens_out,
                r.cost,
                r.seconds,
                utc_text(),
            )
            for r in rows
        ],
    )


def reuse_transcripts(db: sqlite3.Connection, maker: int) -> list[int]:
    """Give responses with the same audio bytes the transcript that ``maker`` already made; returns their ids."""
    rows = db.execute(
        "SELECT response.id, MIN(transcript.id) FROM response"
        " JOIN transcript ON transcript.audio_id = response.audio_id AND transcript.maker_id = ? AND"
        " transcript.state = 'scored'"
        " WHERE response.current = 1 AND NOT EXISTS (SELECT 1 FROM transcript AS own"
        "   WHERE own.response_id = response.id AND own.maker_id = ?) GROUP BY response.id",
        (maker, maker),
    ).fetchall()
    db.executemany(
        "INSERT OR REPLACE INTO transcript (response_id, maker_id, audio_id, state, text, language,"
        " words, seconds, flags,"
        " error, created_at) SELECT ?, maker_id, audio_id, state, text, language, words, seconds, flags,"
        " error, created_at"
        " FROM transcript WHERE id = ?",
        [(row[0], row[1]) for row in rows],
    )
    return [row[0] for row in rows]
