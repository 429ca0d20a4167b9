"""What is still to be done: each list leaves out what the same maker has done already."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from engine.metrics.located import HeardWord


@dataclass(frozen=True, slots=True)
class Chosen:
    """Certain answers: by a filter under a method, by their ids, or by both.

    A run looks the filter up once, when it begins, and keeps the answers by their ids: what it writes may change what
    the filter finds. ``ids`` None are not looked up yet; ``kept_by`` is the run in whose folder they lie, ``count`` how
    many they are.
    """

    where: str = ""
    method: Literal["published", "corrected"] = "corrected"
    ids: tuple[int, ...] | None = None
    kept_by: int | None = None
    count: int | None = None

    def told(self) -> dict[str, Any]:
        """The choice as JSON."""
        return {**asdict(self), "ids": None if self.ids is None else list(self.ids)}

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> Chosen:
        """The choice that ``told`` gave."""
        ids = told.get("ids")
        return cls(**{**told, "ids": None if ids is None else tuple(ids)})


@dataclass(frozen=True, slots=True)
class Scope:
    """Which responses a run is about; None and () mean all."""

    systems: tuple[str, ...] = ()
    benchmark: str | None = None
    subsets: tuple[str, ...] = ()
    limit: int | None = None  # of clips of each kind
    chosen: Chosen | None = None

    def told(self) -> dict[str, Any]:
        """The scope as a run's settings keep it."""
        return {
            "systems": list(self.systems),
            "benchmark": self.benchmark,
            "subsets": list(self.subsets),
            "limit": self.limit,
            **({"chosen": self.chosen.told()} if self.chosen is not None else {}),
        }

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> Scope:
        """The scope that ``told`` gave."""
        systems, subsets = tuple(told.get("systems") or ()), tuple(told.get("subsets") or ())
        chosen = Chosen.from_told(told["chosen"]) if told.get("chosen") else None
        return cls(systems, told.get("benchmark"), subsets, told.get("limit"), chosen)


ALL = Scope()


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


#: Current responses of a scope, after ``JOINS``; its values are ``bound``, its filter was looked up before.
SCOPED = (
    "current = 1 AND (:systems = '[]' OR system.name IN (SELECT value FROM json_each(:systems)))"
    " AND (:benchmark IS NULL OR benchmark.name = :benchmark)"
    " AND (:subsets = '[]' OR instance.subset IN (SELECT value FROM json_each(:subsets)))"
    " AND (:chosen IS NULL OR response.id IN (SELECT value FROM json_each(:chosen)))"
)
_READABLE = "json_extract(audio.facts, '$.unreadable') IS NULL"
_UNHEARD = (
    "NOT EXISTS (SELECT 1 FROM transcript WHERE transcript.response_id = response.id"
    " AND transcript.maker_id = :maker AND (transcript.state = 'scored' OR transcript.error LIKE 'audio.%'))"
    f" AND {_READABLE}"
)
_UNMEASURED = (
    "NOT EXISTS (SELECT 1 FROM measurement WHERE measurement.response_id = response.id"
    " AND measurement.maker_id = :maker AND metric = :metric AND (measurement.state <> 'failed'"
    "   OR json_extract(measurement.detail, '$.error') LIKE 'audio.%'))"
    f" AND {_READABLE}"
)
JOINS = (
    " FROM response JOIN instance ON instance.id = instance_id JOIN benchmark ON benchmark.id = benchmark_id"
    " JOIN system ON system.id = system_id"
)
# each recogniser with the makers of rates that rest on its transcripts, by today's rules
_PAIRS = (
    "WITH pair AS MATERIALIZED (SELECT heard.id AS heard_id, maker.id AS rates_id FROM maker JOIN maker AS heard"
    "   ON json_extract(maker.settings, '$.transcript_maker') = heard.key WHERE maker.code_version = :version)"
)
_WITHOUT_RATES = (
    " JOIN transcript ON transcript.response_id = response.id AND transcript.state = 'scored'"
    f" JOIN maker AS heard ON heard.id = transcript.maker_id WHERE {SCOPED} AND NOT EXISTS (SELECT 1 FROM pair"
    "   JOIN measurement ON measurement.response_id = response.id AND measurement.maker_id = pair.rates_id"
    "   AND metric = :metric WHERE pair.heard_id = heard.id AND measurement.created_at >= transcript.created_at)"
)


def clips_without_facts(db: sqlite3.Connection, scope: Scope) -> list[Clip]:
    """Audio of answers that was never read, each once; ``response_ids`` are all the answers that have it."""
    return _whole(db, _clips(db, scope, "audio.facts IS NULL", {}, by_language=False))


def clips_without_transcript(db: sqlite3.Connection, scope: Scope, maker: int) -> list[Clip]:
    """Audio of answers that the recogniser ``maker`` has not heard, or failed at for no fault of the file."""
    return _clips(db, scope, _UNHEARD, {"maker": maker})


def clips_without_measurement(db: sqlite3.Connection, scope: Scope, maker: int, metric: str) -> list[Clip]:
    """Audio of answers that ``maker`` has not measured, or failed at for no fault of the file; each file once."""
    return _clips(db, scope, _UNMEASURED, {"maker": maker, "metric": metric}, by_language=False)


def count_clips_without_facts(db: sqlite3.Connection, scope: Scope) -> int:
    """How many files :func:`clips_without_facts` gives."""
    return _count_clips(db, scope, "audio.facts IS NULL", {})


def count_clips_without_transcript(db: sqlite3.Connection, scope: Scope, maker: int | None) -> int:
    """How many files :func:`clips_without_transcript` gives; a recogniser that is new has heard none."""
    return _count_clips(db, scope, _UNHEARD, {"maker": maker})


def count_clips_without_measurement(db: sqlite3.Connection, scope: Scope, maker: int | None, metric: str) -> int:
    """How many files :func:`clips_without_measurement` gives."""
    return _count_clips(db, scope, _UNMEASURED, {"maker": maker, "metric": metric})


def transcripts_without_rates(db: sqlite3.Connection, scope: Scope, code_version: str, metric: str) -> list[Heard]:
    """Transcripts whose newest error rates are missing, older than themselves, or by other rules."""
    rows = db.execute(
        f"{_PAIRS} SELECT response.id, transcript.id, heard.id, heard.key, instance.language, response.text,"
        f" transcript.text{JOINS}{_WITHOUT_RATES} ORDER BY response.id",
        {**bound(scope), "version": code_version, "metric": metric},
    )
    return [Heard(*row) for row in rows]


def heard_by(db: sqlite3.Connection, maker: int, response_ids: Sequence[int]) -> list[Heard]:
    """What one maker heard in these answers, beside what they ought to say."""
    rows = db.execute(
        "SELECT response.id, transcript.id, maker.id, maker.key, instance.language, response.text, transcript.text"
        f"{JOINS} JOIN transcript ON transcript.response_id = response.id AND transcript.state = 'scored'"
        " JOIN maker ON maker.id = transcript.maker_id"
        " WHERE maker.id = ? AND response.id IN (SELECT value FROM json_each(?)) ORDER BY response.id",
        (maker, json.dumps(list(response_ids))),
    )
    return [Heard(*row) for row in rows]


def newest_words(db: sqlite3.Connection, audio_id: int) -> tuple[str, list[HeardWord]]:
    """What the newest recogniser that gave times heard in a sound, and when; nothing where none gave any."""
    row = db.execute(
        "SELECT text, words FROM transcript JOIN maker ON maker.id = maker_id WHERE audio_id = ?"
        " AND maker.kind = 'recogniser' AND state = 'scored' AND words IS NOT NULL ORDER BY transcript.id DESC LIMIT 1",
        (audio_id,),
    ).fetchone()
    return ("", []) if row is None else (row[0] or "", [HeardWord(w[0], w[1], w[2]) for w in json.loads(row[1])])


def count_without_rates(db: sqlite3.Connection, scope: Scope, code_version: str, metric: str) -> int:
    """How many transcripts :func:`transcripts_without_rates` gives."""
    values = {**bound(scope), "version": code_version, "metric": metric}
    return count_of(db, f"{_PAIRS} SELECT COUNT(*){JOINS}{_WITHOUT_RATES}", values)


def bound(scope: Scope) -> dict[str, Any]:
    """The values that ``SCOPED`` wants."""
    return {
        "systems": json.dumps(list(scope.systems)),
        "benchmark": scope.benchmark,
        "subsets": json.dumps(list(scope.subsets)),
        "chosen": None if scope.chosen is None else json.dumps(list(scope.chosen.ids or ())),
    }


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


def places_of(db: sqlite3.Connection, response_ids: Iterable[int]) -> dict[int, str]:
    """Where each response belongs, as ``subset/key``."""
    rows = db.execute(
        "SELECT response.id, subset || '/' || instance.key" + JOINS + " WHERE response.id IN"
        " (SELECT value FROM json_each(?))",
        (json.dumps(list(response_ids)),),
    )
    return {row[0]: row[1] for row in rows}


def full_place(db: sqlite3.Connection, response_id: int) -> tuple[str, str, str]:
    """Whose answer a response is, where it belongs (``subset/key``), and how its audio was called where it came from.

    "" for what is not known, as for the file of an answer that a system gave here.
    """
    row = db.execute(
        f"SELECT system.name, subset || '/' || instance.key, json_extract(made_with, '$.file'){JOINS}"
        " WHERE response.id = ?",
        (response_id,),
    ).fetchone()
    return ("", "", "") if row is None else (row[0], row[1], row[2] or "")


def scope_sizes(db: sqlite3.Connection, scope: Scope = ALL) -> list[tuple[str, str, str, int]]:
    """How many current answers of a scope each system has by (system, benchmark, subset)."""
    rows = db.execute(
        f"SELECT system.name, benchmark.name, subset, COUNT(*){JOINS} WHERE {SCOPED} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
        bound(scope),
    )
    return [(row[0], row[1], row[2], row[3]) for row in rows]


def count_of(db: sqlite3.Connection, query: str, values: Mapping[str, Any]) -> int:
    """The one number that ``query`` gives."""
    return int(db.execute(query, values).fetchone()[0])


def _clips(
    db: sqlite3.Connection, scope: Scope, lacking: str, values: Mapping[str, Any], *, by_language: bool = True
) -> list[Clip]:
    language = "instance.language" if by_language else "''"
    rows = db.execute(
        f"SELECT audio.id, audio.path, {language}, json_group_array(response.id)"
        + JOINS
        + f" JOIN audio ON audio.id = response.audio_id WHERE {SCOPED} AND {lacking}"
        f" GROUP BY audio.id, {language} ORDER BY MIN(response.id)",
        {**bound(scope), **values},
    )
    return [Clip(row[0], row[1], row[2], tuple(json.loads(row[3]))) for row in rows][: scope.limit]


def _count_clips(db: sqlite3.Connection, scope: Scope, lacking: str, values: Mapping[str, Any]) -> int:
    found = count_of(
        db,
        f"SELECT COUNT(DISTINCT audio.id){JOINS} JOIN audio ON audio.id = response.audio_id"
        f" WHERE {SCOPED} AND {lacking}",
        {**bound(scope), **values},
    )
    return found if scope.limit is None else min(found, scope.limit)


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
