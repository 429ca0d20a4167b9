"""Everything the store holds about one response, as values: what was asked, answered, heard, measured and judged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.errors import EngineError
from engine.metrics.located import HeardWord
from engine.metrics.mismatch import Mismatch
from engine.store.corrections import Correction, corrections_of
from engine.store.evidence import Span, ToldChange, evidence_of, history_of
from engine.store.people_said import NOBODY_SAID, PeopleSaid, people_said

_METHODS = ("published", "corrected")


@dataclass(frozen=True, slots=True)
class MakerTold:
    """What made a result; ``libraries`` are the versions when it first did."""

    id: int
    key: str
    kind: str
    name: str
    code_version: str
    settings: Mapping[str, Any]
    weights_sha256: str | None
    rubric_sha256: str | None
    libraries: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class FloorTold:
    """What a recogniser gets wrong on speech whose words are known."""

    errors: int
    reference_length: int
    clip_count: int

    @property
    def rate(self) -> float:
        """Errors over reference length; lower is better."""
        return self.errors / self.reference_length


@dataclass(frozen=True, slots=True)
class ClipTold:
    """One audio file by content.

    Attributes:
        name: as the benchmark writes it; empty for an answer.
        path: below the workspace's ``audio``, or absolute; None with ``audio_id`` where the file was missing.
        facts: what reading it found; None until it was measured.
    """

    audio_id: int | None
    sha256: str | None
    name: str
    path: str | None
    facts: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the talk that leads up to the question."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The instance: what was asked."""

    id: int
    benchmark: str
    subset: str
    key: str
    question: str
    context: tuple[Turn, ...]
    reference: str | None
    category: str | None
    language: str
    labels: Mapping[str, Any]
    clips: tuple[ClipTold, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """The response itself: ``audio_fault`` says why a file could not be taken, ``is_current`` whether a later answer
    took its place.
    """

    id: int
    uid: str
    state: str
    text: str | None
    repeat: int
    is_current: bool
    error: str | None
    flags: tuple[str, ...]
    timings: Mapping[str, float]
    clip: ClipTold | None
    audio_fault: Mapping[str, Any] | None
    created_at: str
    run_id: int
    run_kind: str
    run_started_at: str


@dataclass(frozen=True, slots=True)
class SystemTold:
    """The system that answered, and what it declares of itself."""

    name: str
    kind: str
    declaration: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TranscriptTold:
    """What one recogniser heard; ``words`` are empty where it was not asked for times."""

    id: int
    maker: MakerTold
    state: str
    text: str | None
    language: str | None
    words: tuple[HeardWord, ...]
    seconds: float | None
    flags: tuple[str, ...]
    error: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class MeasurementTold:
    """One number about the response, or the state that stands in its place."""

    id: int
    maker: MakerTold
    metric: str
    state: str
    value: float | None
    errors: float | None
    reference_length: float | None
    detail: Mapping[str, Any]
    created_at: str

    @property
    def transcript_maker(self) -> str | None:
        """The key of the recogniser whose transcript it is derived from."""
        return self.maker.settings.get("transcript_maker")


@dataclass(frozen=True, slots=True)
class JudgementTold:
    """One opinion of a judge or a word rule, or the state that stands in its place."""

    id: int
    maker: MakerTold
    judge: str
    repeat: int
    state: str
    verdict: str | None
    score: float | None
    reason: str
    raw_reply: str | None
    flags: tuple[str, ...]
    error: str | None
    tokens_in: int | None
    tokens_out: int | None
    cost: float | None
    seconds: float | None
    created_at: str


@dataclass(frozen=True, slots=True)
class VerdictTold:
    """What the response is worth under a method, of its text or its speech; ``why`` is a code of ``scoring.why``."""

    state: str
    verdict: str | None
    score: float | None
    why: str | None
    maker_id: int | None


@dataclass(frozen=True, slots=True)
class TagTold:
    """A tag in force, on the whole answer or on a span of it."""

    uid: str
    name: str
    start_s: float | None
    end_s: float | None
    made_at: str


@dataclass(frozen=True, slots=True)
class NoteTold:
    """A note in force, on the whole answer or on a span of it."""

    uid: str
    text: str
    start_s: float | None
    end_s: float | None
    made_at: str


@dataclass(frozen=True)
class ResponseDetail:
    """One response with all that is known of it; the newest of each kind comes last.

    Attributes:
        verdicts: by method and subject (``text``, ``speech``); empty where the response has no derived row.
        recognisers: the recogniser whose transcript each method reads, by method; None without one.
        quality_maker_id: whose speech quality counts.
        floors: of every recogniser here, by maker, language and metric.
        changes: all that people said, took back and gave back, the oldest first.
        people: what was said of it by those who rated it.
        corrections: what people heard, those that were taken back too; the last one that stands holds.
    """

    asked: Asked
    answered: Answered
    system: SystemTold
    transcripts: tuple[TranscriptTold, ...]
    measurements: tuple[MeasurementTold, ...]
    judgements: tuple[JudgementTold, ...]
    verdicts: Mapping[tuple[str, str], VerdictTold]
    recognisers: Mapping[str, int | None]
    quality_maker_id: int | None
    derived: Mapping[str, Any]
    floors: Mapping[tuple[int, str, str], FloorTold]
    tags: tuple[TagTold, ...]
    notes: tuple[NoteTold, ...]
    people: PeopleSaid = NOBODY_SAID
    corrections: tuple[Correction, ...] = ()
    changes: tuple[ToldChange, ...] = ()

    def transcript(self, method: str) -> TranscriptTold | None:
        """The transcript that a method reads; None where nothing was recognised."""
        wanted = self.recognisers.get(method)
        return next((t for t in self.transcripts if t.maker.id == wanted and t.state == "scored"), None)

    def measurement(self, metric: str, method: str) -> MeasurementTold | None:
        """The newest measurement of ``metric`` that rests on the transcript a method reads."""
        read = self.transcript(method)
        found = [m for m in self.measurements if m.metric == metric and read and m.transcript_maker == read.maker.key]
        return found[-1] if found else None

    @property
    def first_sound_s(self) -> float | None:
        """Seconds to the first sound: the first audio and the silence it begins with; None where one is not known."""
        first_audio_s = self.answered.timings.get("first_audio_s")
        facts = (self.answered.clip.facts if self.answered.clip else None) or {}
        start_s = facts.get("sound_start_s")
        return None if first_audio_s is None or start_s is None else first_audio_s + start_s

    @cached_property
    def mismatches(self) -> tuple[Mismatch, ...]:
        """The passages where speech and text part, by the transcript of the corrected method."""
        stored = self.measurement("mismatch", "corrected")
        found = stored.detail.get("found", ()) if stored else ()
        return tuple(Mismatch(m["kind"], m["start"], m["end"], m["count"], m["text"]) for m in found)

    def maker(self, maker_id: int | None) -> MakerTold | None:
        """A maker by its row, as far as it made anything here."""
        made: Sequence[Any] = (*self.judgements, *self.measurements, *self.transcripts)
        return next((entry.maker for entry in made if entry.maker.id == maker_id), None)


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
