"""Transcripts, measurements and judgements: what machines found, each by its maker and never computed twice."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

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
    """Write transcripts of one maker; what is there with the same content stays untouched."""
    entries = [
        _columns(r, maker) | {"words": _json(r.words) if r.words else None, "flags": json.dumps(r.flags)} for r in rows
    ]
    _upsert(db, "transcript", ("response_id", "maker_id"), ("state", "text", "words", "flags", "error"), entries)


def put_measurements(db: sqlite3.Connection, maker: int, rows: Iterable[MeasurementRow]) -> None:
    """Write measurements of one maker; a new value takes the place of its earlier one."""
    entries = [_columns(r, maker) | {"detail": None if r.detail is None else _json(r.detail)} for r in rows]
    told = ("state", "value", "errors", "reference_length", "detail")
    _upsert(db, "measurement", ("response_id", "maker_id", "metric"), told, entries)


def put_judgements(db: sqlite3.Connection, maker: int, rows: Iterable[JudgementRow]) -> None:
    """Write judgements of one maker; a failed or unparsable one gives way when it is asked again."""
    entries = [_columns(r, maker) | {"flags": json.dumps(r.flags)} for r in rows]
    told = ("state", "verdict", "score", "reason", "raw_reply", "flags", "error")
    _upsert(db, "judgement", ("response_id", "maker_id", "judge", "repeat"), told, entries)


def reuse_measurements(db: sqlite3.Connection, maker: int, metrics: Sequence[str]) -> list[int]:
    """Give answers with the same audio bytes what ``maker`` already measured of them; returns their ids."""
    wanted = json.dumps(list(metrics))
    found = db.execute(
        "SELECT response.id, known.metric, MIN(known.id) FROM response"
        " JOIN response AS other ON other.audio_id = response.audio_id AND other.id <> response.id"
        " JOIN measurement AS known ON known.response_id = other.id AND known.maker_id = :maker"
        "   AND known.state <> 'failed' AND known.metric IN (SELECT value FROM json_each(:metrics))"
        " WHERE response.current = 1 AND NOT EXISTS (SELECT 1 FROM measurement AS own WHERE own.maker_id = :maker"
        "   AND own.response_id = response.id AND own.metric = known.metric)"
        " GROUP BY response.id, known.metric",
        {"maker": maker, "metrics": wanted},
    ).fetchall()
    db.executemany(
        "INSERT INTO measurement (response_id, maker_id, metric, state, value, detail, created_at)"
        " SELECT ?, maker_id, metric, state, value, detail, created_at FROM measurement WHERE id = ?",
        [(row[0], row[2]) for row in found],
    )
    return sorted({row[0] for row in found})


def drop_results(db: sqlite3.Connection, makers: Sequence[int], response_ids: Sequence[int]) -> None:
    """Take away the transcripts and measurements of some makers: those that follow from rows that are still there."""
    values = (json.dumps(list(makers)), json.dumps(list(response_ids)))
    for table in ("measurement", "transcript"):
        db.execute(
            f"DELETE FROM {table} WHERE maker_id IN (SELECT value FROM json_each(?))"
            " AND response_id IN (SELECT value FROM json_each(?))",
            values,
        )


def forget_input(db: sqlite3.Connection, response_ids: Sequence[int]) -> None:
    """Take back verdicts on questions that have changed: word rules are run again, judges asked again.

    A judge's reply stays, marked as given to another question.
    """
    wanted = json.dumps(list(response_ids))
    rules = "SELECT id FROM maker WHERE kind = 'rule'"
    here = "response_id IN (SELECT value FROM json_each(?))"
    db.execute(f"DELETE FROM judgement WHERE {here} AND maker_id IN ({rules})", (wanted,))
    db.execute(
        "UPDATE judgement SET state = 'unscored', verdict = NULL, score = NULL, error = 'question_changed'"
        f" WHERE {here} AND maker_id IN (SELECT id FROM maker WHERE kind = 'judge')",
        (wanted,),
    )


def _columns(row: TranscriptRow | MeasurementRow | JudgementRow, maker: int) -> dict[str, Any]:
    """The columns of a row's table: they are called as its fields are."""
    return {"maker_id": maker, **{field: getattr(row, field) for field in row.__slots__}}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _upsert(
    db: sqlite3.Connection,
    table: str,
    identity: Sequence[str],
    told: Sequence[str],
    entries: Sequence[Mapping[str, Any]],
) -> None:
    """Add rows or change those of the same ``identity`` whose ``told`` columns differ; equal rows keep their time."""
    if not entries:
        return
    columns = [*entries[0], "created_at"]
    changed = ", ".join(f"{column} = excluded.{column}" for column in columns if column not in identity)
    differs = " OR ".join(f"{table}.{column} IS NOT excluded.{column}" for column in told)
    now = utc_text()
    db.executemany(
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join(f':{column}' for column in columns)})"
        f" ON CONFLICT ({', '.join(identity)}) DO UPDATE SET {changed} WHERE {differs}",
        [{**entry, "created_at": now} for entry in entries],
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


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A judge's reply as it came, with how it was read."""

    id: int
    response_id: int
    judge: str
    language: str
    raw_reply: str
    state: str
    verdict: str | None
    score: float | None


def replies(db: sqlite3.Connection) -> list[StoredReply]:
    """Every stored reply of a language model that was read as a verdict or could not be."""
    rows = db.execute(
        "SELECT judgement.id, response_id, judge, json_extract(maker.settings, '$.language'), raw_reply, state,"
        " verdict, score FROM judgement JOIN maker ON maker.id = maker_id"
        " WHERE maker.kind = 'judge' AND raw_reply IS NOT NULL AND state IN ('scored', 'unparsable')"
    )
    return [StoredReply(*row) for row in rows]


class Read(Protocol):
    """How a reply is read: what ``replace_reading`` needs of it."""

    @property
    def state(self) -> str: ...  # noqa: D102
    @property
    def verdict(self) -> str | None: ...  # noqa: D102
    @property
    def score(self) -> float | None: ...  # noqa: D102
    @property
    def reason(self) -> str: ...  # noqa: D102
    @property
    def why(self) -> str | None: ...  # noqa: D102


def replace_reading(db: sqlite3.Connection, judgement: int, reading: Read) -> None:
    """Change how a stored reply is read; the reply itself stays."""
    db.execute(
        "UPDATE judgement SET state = ?, verdict = ?, score = ?, reason = ?, error = ? WHERE id = ?",
        (reading.state, reading.verdict, reading.score, reading.reason, reading.why, judgement),
    )
