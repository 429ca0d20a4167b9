"""What went wrong in a run or lies in the way of one: each kind of trouble with the answers it befell."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from engine.store.plans import JOINS, SCOPED, Scope, bound

SOURCES = ("judge", "recognise", "quality", "read", "answer")


@dataclass(frozen=True, slots=True)
class Trouble:
    """One kind of trouble: where it arose (one of ``SOURCES``), its code, and the answers it befell, oldest first.

    ``state`` is failed, unparsable or unscored; ``place`` is the first answer's ``subset/key``.
    """

    source: str
    state: str
    code: str
    place: str
    response_ids: tuple[int, ...]


def troubles(db: sqlite3.Connection, scope: Scope, since: str, until: str) -> list[Trouble]:
    """The troubles of results written between two times, and of the answers themselves; the most frequent first."""
    values = {**bound(scope), "since": since, "until": until}
    found: dict[tuple[str, str, str], list[tuple[int, str]]] = defaultdict(list)
    for source, query in _QUERIES.items():
        for state, code, response, place in db.execute(query, values):
            found[source, state, code].append((response, place))
    made = [Trouble(*kind, hits[0][1], tuple(dict.fromkeys(hit[0] for hit in hits))) for kind, hits in found.items()]
    return sorted(made, key=lambda trouble: -len(trouble.response_ids))


def _select(state: str, code: str, table: str, where: str) -> str:
    return (
        f"SELECT {state}, {code}, response.id, subset || '/' || instance.key{JOINS} {table}"
        f" WHERE {SCOPED} AND {where} ORDER BY response.id"
    )


_WRITTEN = "{0}.created_at BETWEEN :since AND :until"
_QUERIES: Mapping[str, str] = {
    "judge": _select(
        "judgement.state",
        "COALESCE(judgement.error, 'judges.no_verdict')",
        "JOIN judgement ON judgement.response_id = response.id",
        "(judgement.state IN ('failed', 'unparsable') OR judgement.error = 'judges.budget_spent') AND "
        + _WRITTEN.format("judgement"),
    ),
    "recognise": _select(
        "'failed'",
        "COALESCE(transcript.error, '')",
        "JOIN transcript ON transcript.response_id = response.id",
        "transcript.state = 'failed' AND " + _WRITTEN.format("transcript"),
    ),
    "quality": _select(
        "'failed'",
        "COALESCE(json_extract(measurement.detail, '$.error'), '')",
        "JOIN measurement ON measurement.response_id = response.id",
        "measurement.state = 'failed' AND metric = 'dnsmos_ovrl' AND " + _WRITTEN.format("measurement"),
    ),
    "read": _select(
        "'failed'",
        "json_extract(audio.facts, '$.unreadable')",
        "JOIN audio ON audio.id = response.audio_id",
        "json_extract(audio.facts, '$.unreadable') IS NOT NULL",
    ),
    "answer": _select(
        "CASE WHEN response.state = 'no_answer' THEN 'unscored' ELSE 'failed' END",
        "CASE WHEN response.ask_sha256 IS NOT NULL THEN COALESCE(response.error, 'no_audio')"
        " WHEN response.state <> 'answered' THEN response.state ELSE 'no_audio' END",
        "",
        "(response.state <> 'answered' OR response.audio_id IS NULL AND response.ask_sha256 IS NULL)",
    ),
}
