"""The derived wide row per response: what it is made from, and writing it together with the search index."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.store.choices import ranks
from engine.store.search import replace_in_index

CHUNK = 2000
_PLAIN = ("id", "system", "benchmark", "subset", "key", "category", "language", "repeat", "question", "text", "state")


@dataclass(frozen=True, slots=True)
class MakerFacts:
    """The maker of a result, as far as choosing between results needs it; ``rank`` is above 0 where it was chosen."""

    id: int
    key: str
    kind: str
    name: str
    code_version: str
    settings: Mapping[str, Any]
    rank: int = 0

    @property
    def is_published_file(self) -> bool:
        """Whether it stands for a file that the published scripts wrote."""
        return self.kind == "imported" and self.name.startswith("published/")


@dataclass(frozen=True, slots=True)
class TranscriptFacts:
    """One transcript of a response; the newest has the highest id."""

    id: int
    maker: MakerFacts
    state: str
    text: str | None
    error: str | None


@dataclass(frozen=True, slots=True)
class MeasurementFacts:
    """One measurement of a response."""

    id: int
    maker: MakerFacts
    metric: str
    state: str
    value: float | None
    errors: float | None
    reference_length: float | None
    mismatch_kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgementFacts:
    """One judgement of a response."""

    id: int
    maker: MakerFacts
    judge: str
    repeat: int
    state: str
    verdict: str | None
    score: float | None
    flags: tuple[str, ...]
    error: str | None


@dataclass(frozen=True, slots=True)
class ResponseFacts:
    """All that the store holds about one response and that its row is derived from."""

    id: int
    system: str
    benchmark: str
    subset: str
    key: str
    category: str | None
    language: str
    repeat: int
    question: str
    text: str | None
    state: str
    has_audio: bool
    audio: Mapping[str, Any] | None
    timings: Mapping[str, float]
    flags: tuple[str, ...]
    transcripts: Sequence[TranscriptFacts] = field(default_factory=list)
    measurements: Sequence[MeasurementFacts] = field(default_factory=list)
    judgements: Sequence[JudgementFacts] = field(default_factory=list)


def current_response_ids(db: sqlite3.Connection) -> list[int]:
    """Every response that is the current answer of its system to its instance."""
    return [row[0] for row in db.execute("SELECT id FROM response WHERE current = 1 ORDER BY id")]


def facts_of(db: sqlite3.Connection, response_ids: Sequence[int]) -> list[ResponseFacts]:
    """What is known of each response, in one pass per table; ids that are no current response are left out."""
    wanted, makers = json.dumps(list(response_ids)), _makers(db)
    transcripts = _transcripts(db, wanted, makers)
    measurements = _measurements(db, wanted, makers)
    judgements = _judgements(db, wanted, makers)
    rows = db.execute(
        "SELECT response.id, system.name AS system, benchmark.name AS benchmark, subset, key, category,"
        " language, repeat,"
        " question, text, response.state, audio_id, audio.facts, timings, flags FROM response"
        " JOIN instance ON instance.id = instance_id JOIN benchmark ON benchmark.id = benchmark_id"
        " JOIN system ON system.id = system_id LEFT JOIN audio ON audio.id = audio_id"
        " WHERE current = 1 AND response.id IN (SELECT value FROM json_each(?)) ORDER BY response.id",
        (wanted,),
    )
    return [
        ResponseFacts(
            **{column: row[column] for column in _PLAIN},
            has_audio=row[11] is not None,
            audio=json.loads(row[12]) if row[12] else None,
            timings=json.loads(row[13]),
            flags=tuple(json.loads(row[14])),
            transcripts=transcripts[row[0]],
            measurements=measurements[row[0]],
            judgements=judgements[row[0]],
        )
        for row in rows
    ]


def columns_of(db: sqlite3.Connection, response_ids: Sequence[int], columns: Sequence[str]) -> list[dict[str, Any]]:
    """Some columns of the wide rows of ``response_ids``; those without a row are left out."""
    rows = db.execute(
        f"SELECT {', '.join(columns)} FROM audit_row WHERE response_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(response_ids)),),
    )
    return [dict(row) for row in rows]


def write_rows(db: sqlite3.Connection, response_ids: Sequence[int], rows: Iterable[Mapping[str, Any]]) -> None:
    """Replace the wide rows of ``response_ids`` by ``rows`` and bring the search index along; inside a transaction."""
    wanted = json.dumps(list(response_ids))
    old = [
        (row[0], (row[1], row[2], row[3]))
        for row in db.execute(
            "SELECT response_id, question, text, transcript FROM audit_row"
            " WHERE response_id IN (SELECT value FROM json_each(?))",
            (wanted,),
        )
    ]
    fresh = list(rows)
    new = [(row["response_id"], (row["question"], row["text"], row["transcript"])) for row in fresh]
    unchanged = set(old) & set(new)
    replace_in_index(db, (e for e in old if e not in unchanged), (e for e in new if e not in unchanged))
    db.execute("DELETE FROM audit_row WHERE response_id IN (SELECT value FROM json_each(?))", (wanted,))
    if fresh:
        columns = list(fresh[0])
        places = ", ".join(f":{column}" for column in columns)
        db.executemany(f"INSERT INTO audit_row ({', '.join(columns)}) VALUES ({places})", fresh)


def clear_rows(db: sqlite3.Connection) -> None:
    """Empty the wide rows and the index, before both are built anew; inside a transaction."""
    db.execute("DELETE FROM audit_row")
    db.execute("INSERT INTO search (search) VALUES ('delete-all')")


def forget_superseded(db: sqlite3.Connection) -> list[int]:
    """Ids that still have a wide row but are no longer the current answer."""
    rows = db.execute(
        "SELECT response_id FROM audit_row JOIN response ON response.id = response_id WHERE response.current = 0"
    )
    return [row[0] for row in rows]


def _transcripts(
    db: sqlite3.Connection, wanted: str, makers: Mapping[int, MakerFacts]
) -> dict[int, list[TranscriptFacts]]:
    """By response, the oldest first; ``wanted`` here and below is a JSON list of responses."""
    found: dict[int, list[TranscriptFacts]] = defaultdict(list)
    for row in db.execute(
        "SELECT response_id, id, maker_id, state, text, error FROM transcript"
        " WHERE response_id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (wanted,),
    ):
        found[row[0]].append(TranscriptFacts(row[1], makers[row[2]], row[3], row[4], row[5]))
    return found


def _measurements(
    db: sqlite3.Connection, wanted: str, makers: Mapping[int, MakerFacts]
) -> dict[int, list[MeasurementFacts]]:
    found: dict[int, list[MeasurementFacts]] = defaultdict(list)
    for row in db.execute(
        "SELECT response_id, id, maker_id, metric, state, value, errors, reference_length,"
        " CASE WHEN metric = 'mismatch' THEN detail END FROM measurement"
        " WHERE response_id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (wanted,),
    ):
        kinds = tuple(entry["kind"] for entry in json.loads(row[8])["found"]) if row[8] else ()
        found[row[0]].append(MeasurementFacts(row[1], makers[row[2]], row[3], row[4], row[5], row[6], row[7], kinds))
    return found


def _judgements(
    db: sqlite3.Connection, wanted: str, makers: Mapping[int, MakerFacts]
) -> dict[int, list[JudgementFacts]]:
    found: dict[int, list[JudgementFacts]] = defaultdict(list)
    for row in db.execute(
        "SELECT response_id, id, maker_id, judge, repeat, state, verdict, score, flags, error FROM judgement"
        " WHERE response_id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (wanted,),
    ):
        flags = tuple(json.loads(row[8]))
        found[row[0]].append(
            JudgementFacts(row[1], makers[row[2]], row[3], row[4], row[5], row[6], row[7], flags, row[9])
        )
    return found


def _makers(db: sqlite3.Connection) -> dict[int, MakerFacts]:
    rows = db.execute("SELECT id, key, kind, name, code_version, settings FROM maker")
    chosen = ranks(db)
    return {
        row[0]: MakerFacts(row[0], row[1], row[2], row[3], row[4], json.loads(row[5]), chosen.get(row[1], 0))
        for row in rows
    }
