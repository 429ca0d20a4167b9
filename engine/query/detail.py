"""Reads everything the store holds about one response."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from engine.errors import EngineError
from engine.metrics.located import HeardWord
from engine.query.told import (
    Answered,
    Asked,
    ClipTold,
    FloorTold,
    JudgementTold,
    MakerTold,
    MeasurementTold,
    NoteTold,
    ResponseDetail,
    SystemTold,
    TagTold,
    TranscriptTold,
    Turn,
    VerdictTold,
)
from engine.store.corrections import corrections_of
from engine.store.evidence import Span, evidence_of, history_of
from engine.store.people_said import people_said

_METHODS = ("published", "corrected")


def detail_of(db: sqlite3.Connection, response_id: int) -> ResponseDetail:
    """All that is stored about one response; raises EngineError ``query.no_response`` for an id that is not there."""
    row = db.execute(
        "SELECT response.*, instance.id AS asked_id, benchmark.name AS benchmark, subset, key, question, context,"
        " reference, category, language, labels, system.name AS system, system.kind AS system_kind, declaration,"
        " run.kind AS run_kind, run.started_at AS run_started_at, audio.sha256, audio.path, audio.facts FROM response"
        " JOIN instance ON instance.id = instance_id JOIN benchmark ON benchmark.id = benchmark_id"
        " JOIN system ON system.id = system_id JOIN run ON run.id = run_id LEFT JOIN audio ON audio.id = audio_id"
        " WHERE response.id = ?",
        (response_id,),
    ).fetchone()
    if row is None:
        raise EngineError("query.no_response", id=response_id)
    transcripts, measurements, judgements = _results(db, response_id)
    derived = _derived(db, response_id)
    tags, notes = _told(db, response_id)
    return ResponseDetail(
        asked=_asked(db, row),
        answered=_answered(row),
        system=SystemTold(row["system"], row["system_kind"], json.loads(row["declaration"])),
        transcripts=transcripts,
        measurements=measurements,
        judgements=judgements,
        verdicts=_verdicts(derived),
        recognisers={
            "corrected": derived.get("recogniser_id"),
            "published": derived.get("published_recogniser_id"),
        },
        quality_maker_id=derived.get("quality_id"),
        derived=derived,
        floors=_floors(db, {transcript.maker.id for transcript in transcripts}),
        tags=tags,
        notes=notes,
        people=people_said(db, response_id),
        corrections=corrections_of(db, response_id),
        changes=history_of(db, response_id),
    )


def _asked(db: sqlite3.Connection, row: sqlite3.Row) -> Asked:
    clips = db.execute(
        "SELECT audio_id, sha256, name, path, facts FROM instance_audio LEFT JOIN audio ON audio.id = audio_id"
        " WHERE instance_id = ? ORDER BY part",
        (row["asked_id"],),
    )
    context = json.loads(row["context"]) if row["context"] else []
    return Asked(
        row["asked_id"],
        row["benchmark"],
        row["subset"],
        row["key"],
        row["question"],
        tuple(Turn(str(turn.get("role", "")), str(turn.get("text", ""))) for turn in context),
        row["reference"],
        row["category"],
        row["language"],
        json.loads(row["labels"]),
        tuple(ClipTold(clip[0], clip[1], clip[2], clip[3], _mapping(clip[4])) for clip in clips),
    )


def _answered(row: sqlite3.Row) -> Answered:
    clip = (
        None
        if row["audio_id"] is None
        else ClipTold(row["audio_id"], row["sha256"], "", row["path"], _mapping(row["facts"]))
    )
    return Answered(
        row["id"],
        row["uid"],
        row["state"],
        row["text"],
        row["repeat"],
        bool(row["current"]),
        row["error"],
        tuple(json.loads(row["flags"])),
        json.loads(row["timings"]),
        clip,
        _mapping(row["audio_fault"]),
        row["created_at"],
        row["run_id"],
        row["run_kind"],
        row["run_started_at"],
    )


def _results(
    db: sqlite3.Connection, response_id: int
) -> tuple[tuple[TranscriptTold, ...], tuple[MeasurementTold, ...], tuple[JudgementTold, ...]]:
    heard, measured, judged = (
        db.execute(f"SELECT * FROM {table} WHERE response_id = ? ORDER BY id", (response_id,)).fetchall()
        for table in ("transcript", "measurement", "judgement")
    )
    makers = _makers(db, {row["maker_id"] for row in (*heard, *measured, *judged)})
    return (
        tuple(_transcript(row, makers) for row in heard),
        tuple(_measurement(row, makers) for row in measured),
        tuple(_judgement(row, makers) for row in judged),
    )


def _transcript(row: sqlite3.Row, makers: Mapping[int, MakerTold]) -> TranscriptTold:
    words = tuple(HeardWord(word[0], word[1], word[2]) for word in json.loads(row["words"] or "[]"))
    flags = tuple(json.loads(row["flags"]))
    maker = makers[row["maker_id"]]
    told = (row["language"], words, row["seconds"], flags, row["error"], row["created_at"])
    return TranscriptTold(row["id"], maker, row["state"], row["text"], *told)


def _measurement(row: sqlite3.Row, makers: Mapping[int, MakerTold]) -> MeasurementTold:
    return MeasurementTold(
        row["id"],
        makers[row["maker_id"]],
        row["metric"],
        row["state"],
        row["value"],
        row["errors"],
        row["reference_length"],
        _mapping(row["detail"]) or {},
        row["created_at"],
    )


def _judgement(row: sqlite3.Row, makers: Mapping[int, MakerTold]) -> JudgementTold:
    return JudgementTold(
        row["id"],
        makers[row["maker_id"]],
        row["judge"],
        row["repeat"],
        row["state"],
        row["verdict"],
        row["score"],
        row["reason"],
        row["raw_reply"],
        tuple(json.loads(row["flags"])),
        row["error"],
        row["tokens_in"],
        row["tokens_out"],
        row["cost"],
        row["seconds"],
        row["created_at"],
    )


def _makers(db: sqlite3.Connection, ids: Iterable[int]) -> dict[int, MakerTold]:
    rows = db.execute(
        "SELECT id, key, kind, name, code_version, settings, weights_sha256, rubric_sha256, libraries FROM maker"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    return {
        row[0]: MakerTold(
            row[0], row[1], row[2], row[3], row[4], json.loads(row[5]), row[6], row[7], json.loads(row[8])
        )
        for row in rows
    }


def _floors(db: sqlite3.Connection, makers: Iterable[int]) -> dict[tuple[int, str, str], FloorTold]:
    rows = db.execute(
        "SELECT maker_id, language, metric, errors, reference_length, clip_count FROM maker_floor"
        " WHERE maker_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(makers)),),
    )
    return {(row[0], row[1], row[2]): FloorTold(row[3], row[4], row[5]) for row in rows}


def _derived(db: sqlite3.Connection, response_id: int) -> dict[str, Any]:
    row = db.execute("SELECT * FROM audit_row WHERE response_id = ?", (response_id,)).fetchone()
    return {} if row is None else dict(row)


def _verdicts(derived: Mapping[str, Any]) -> dict[tuple[str, str], VerdictTold]:
    if not derived:
        return {}
    verdicts = {}
    for method in _METHODS:
        text = VerdictTold(*(derived[f"{method}_{name}"] for name in ("state", "verdict", "score", "why", "maker_id")))
        verdicts[method, "text"] = text
        state, verdict, why = (derived[f"{method}_s2s_{name}"] for name in ("state", "verdict", "why"))
        if state is not None:
            is_of_text = (state, verdict, why) == (text.state, text.verdict, text.why)
            verdicts[method, "speech"] = VerdictTold(
                state, verdict, text.score if is_of_text else None, why, text.maker_id
            )
    return verdicts


def _told(db: sqlite3.Connection, response_id: int) -> tuple[tuple[TagTold, ...], tuple[NoteTold, ...]]:
    """What people said and did not take back, the oldest first."""
    said = [entry for entry in evidence_of(db, response_id) if entry.stands]
    tags = [TagTold(e.uid, e.text, *_times(e.span), e.made_at) for e in said if e.table == "tag"]
    notes = [NoteTold(e.uid, e.text, *_times(e.span), e.made_at) for e in said if e.table == "note"]
    return tuple(tags), tuple(notes)


def _times(span: Span | None) -> tuple[float | None, float | None]:
    return (None, None) if span is None else (span.start_s, span.end_s)


def _mapping(told: str | None) -> Mapping[str, Any] | None:
    found = json.loads(told) if told else None
    return found if isinstance(found, dict) else None
