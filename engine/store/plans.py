"""What is still to be done: each list leaves out what the same maker has done already."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scope:
    """Which responses a run is about; None and () mean all."""

    system: str | None = None
    benchmark: str | None = None
    subsets: tuple[str, ...] = ()
    limit: int | None = None

    def told(self) -> dict[str, Any]:
        """The scope as a run's settings keep it."""
        return {
            "system": self.system,
            "benchmark": self.benchmark,
            "subsets": list(self.subsets),
            "limit": self.limit,
        }


@dataclass(frozen=True, slots=True)
class Clip:
    """One kept audio of responses that need something from it; ``path`` is as the store keeps it."""

    audio_id: int
    path: str
    language: str
    response_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """A transcript beside the text it ought to say."""

    response_id: int
    transcript_id: int
    maker_id: int
    maker_key: str
    language: str
    text: str | None
    transcript: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A response with what a judge is shown."""

    response_id: int
    benchmark: str
    subset: str
    key: str
    language: str
    question: str
    reference: str | None
    category: str | None
    text: str | None
    state: str


_SCOPED = (
    "current = 1 AND (:system IS NULL OR system.name = :system) AND (:benchmark IS NULL OR benchmark.name = :benchmark)"
    " AND (:subsets = '[]' OR instance.subset IN (SELECT value FROM json_each(:subsets)))"
)
_READABLE = "json_extract(audio.facts, '$.unreadable') IS NULL"
_JOINS = (
    " FROM response JOIN instance ON instance.id = instance_id JOIN benchmark ON benchmark.id = benchmark_id"
    " JOIN system ON system.id = system_id"
)


def clips_without_facts(db: sqlite3.Connection, scope: Scope) -> list[Clip]:
    """Audio of answers that was never read, each once; ``response_ids`` are all the answers that have it."""
    return _whole(db, _clips(db, scope, "audio.facts IS NULL", {}, by_language=False))


def clips_without_transcript(db: sqlite3.Connection, scope: Scope, maker: int) -> list[Clip]:
    """Audio of answers that the recogniser ``maker`` has not heard, or failed at for no fault of the file."""
    lacking = (
        "NOT EXISTS (SELECT 1 FROM transcript WHERE transcript.response_id = response.id"
        " AND transcript.maker_id = :maker AND (transcript.state = 'scored' OR transcript.error LIKE 'audio.%'))"
        f" AND {_READABLE}"
    )
    return _clips(db, scope, lacking, {"maker": maker})


def clips_without_measurement(db: sqlite3.Connection, scope: Scope, maker: int, metric: str) -> list[Clip]:
    """Audio of answers that ``maker`` has not measured, or failed at for no fault of the file; each file once."""
    lacking = (
        "NOT EXISTS (SELECT 1 FROM measurement WHERE measurement.response_id = response.id"
        " AND measurement.maker_id = :maker AND metric = :metric AND (measurement.state <> 'failed'"
        "   OR json_extract(measurement.detail, '$.error') LIKE 'audio.%'))"
        f" AND {_READABLE}"
    )
    return _clips(db, scope, lacking, {"maker": maker, "metric": metric}, by_language=False)


def transcripts_without_rates(db: sqlite3.Connection, scope: Scope, code_version: str, metric: str) -> list[Heard]:
    """Transcripts whose newest error rates are missing, older than themselves, or by other rules."""
    rows = db.execute(
        "SELECT response.id, transcript.id, heard.id, heard.key, instance.language, response.text, transcript.text"
        + _JOINS
        + " JOIN transcript ON transcript.response_id = response.id AND transcript.state = 'scored'"
        " JOIN maker AS heard ON heard.id = transcript.maker_id"
        f" WHERE {_SCOPED} AND NOT EXISTS (SELECT 1 FROM measurement JOIN maker ON maker.id = measurement.maker_id"
        "   WHERE measurement.response_id = response.id AND metric = :metric AND maker.code_version = :version"
        "   AND json_extract(maker.settings, '$.transcript_maker') = heard.key"
        "   AND measurement.created_at >= transcript.created_at)"
        " ORDER BY response.id",
        {**_bound(scope), "version": code_version, "metric": metric},
    )
    return [Heard(*row) for row in rows]


def answers_without_judgement(
    db: sqlite3.Connection,
    scope: Scope,
    maker: int | None,
    judge: str,
    subsets: Iterable[str],
    repeat: int = 0,
    *,
    any_state: bool = False,
    unparsable_too: bool = False,
) -> list[Answer]:
    """Answers of ``subsets`` (``benchmark/subset``) without a verdict of ``maker`` that can be trusted to stay.

    A failed or unscored judgement is asked for again, unless ``any_state`` says that any will do; one that could not
    be read only where ``unparsable_too`` asks for it.
    """
    rows = db.execute(
        "SELECT response.id, benchmark.name, subset, key, instance.language, question, reference, category,"
        " response.text, response.state"
        + _JOINS
        + f" WHERE {_SCOPED} AND benchmark.name || '/' || subset IN (SELECT value FROM json_each(:asked))"
        " AND NOT EXISTS (SELECT 1 FROM judgement WHERE judgement.response_id = response.id"
        "   AND judgement.maker_id = :maker AND judge = :judge AND judgement.repeat = :repeat"
        "   AND (:any_state OR judgement.state = 'scored' OR (judgement.state = 'unparsable' AND NOT :again)))"
        " ORDER BY response.id",
        {
            **_bound(scope),
            "asked": json.dumps(list(subsets)),
            "maker": maker,
            "judge": judge,
            "repeat": repeat,
            "any_state": any_state,
            "again": unparsable_too,
        },
    )
    return [Answer(*row) for row in rows]


def decided_by_rules(db: sqlite3.Connection, makers: Iterable[int]) -> set[int]:
    """Responses on which every one of the rules ``makers`` has a verdict, so that no judge needs to be asked."""
    wanted = list(makers)
    rows = db.execute(
        "SELECT response_id FROM judgement WHERE state = 'scored' AND maker_id IN (SELECT value FROM json_each(?))"
        " GROUP BY response_id HAVING COUNT(DISTINCT maker_id) = ?",
        (json.dumps(wanted), len(wanted)),
    )
    return {row[0] for row in rows}


def verdicts_of(db: sqlite3.Connection, maker: int, judge: str) -> dict[int, str | None]:
    """What a maker's judge said of each response, the newest repeat."""
    rows = db.execute(
        "SELECT response_id, verdict FROM judgement WHERE maker_id = ? AND judge = ? AND state ="
        " 'scored' ORDER BY repeat",
        (maker, judge),
    )
    return {row[0]: row[1] for row in rows}


def _clips(
    db: sqlite3.Connection, scope: Scope, lacking: str, values: Mapping[str, Any], *, by_language: bool = True
) -> list[Clip]:
    language = "instance.language" if by_language else "''"
    rows = db.execute(
        f"SELECT audio.id, audio.path, {language}, json_group_array(response.id)"
        + _JOINS
        + f" JOIN audio ON audio.id = response.audio_id WHERE {_SCOPED} AND {lacking}"
        f" GROUP BY audio.id, {language} ORDER BY MIN(response.id)",
        {**_bound(scope), **values},
    )
    return [Clip(row[0], row[1], row[2], tuple(json.loads(row[3]))) for row in rows][: scope.limit]


def _whole(db: sqlite3.Connection, clips: list[Clip]) -> list[Clip]:
    """The same clips with every current answer that has the audio, also those outside the scope."""
    wanted = json.dumps([clip.audio_id for clip in clips])
    rows = db.execute(
        "SELECT audio_id, json_group_array(id) FROM response WHERE current = 1"
        " AND audio_id IN (SELECT value FROM json_each(?)) GROUP BY audio_id",
        (wanted,),
    )
    everyone = {row[0]: tuple(json.loads(row[1])) for row in rows}
    return [Clip(clip.audio_id, clip.path, clip.language, everyone[clip.audio_id]) for clip in clips]


def _bound(scope: Scope) -> dict[str, Any]:
    return {"system": scope.system, "benchmark": scope.benchmark, "subsets": json.dumps(list(scope.subsets))}


def recognisers_like(db: sqlite3.Connection, backend: str, asked: Mapping[str, Any]) -> int | None:
    """The newest recogniser that was asked for in the same words, whose weights need not be loaded to know it."""
    row = db.execute(
        "SELECT id FROM maker WHERE kind = 'recogniser' AND name = ? AND json_extract(settings, '$.asked') = json(?)"
        " ORDER BY id DESC",
        (backend, json.dumps(asked, sort_keys=True)),
    ).fetchone()
    return None if row is None else int(row[0])


def responses_heard_by(db: sqlite3.Connection, maker: int) -> list[int]:
    """Current responses with a transcript of that recogniser."""
    rows = db.execute(
        "SELECT response.id FROM response JOIN transcript ON transcript.response_id = response.id"
        " WHERE current = 1 AND transcript.maker_id = ?",
        (maker,),
    )
    return [row[0] for row in rows]
