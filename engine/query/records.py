"""Whole answers as records for other programs: everything a row of the table stands for, with who made each figure."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.store.evidence import Evidence, Span, evidence_of
from engine.store.workspace import Workspace

TIMINGS = ("first_token_s", "first_audio_s", "generation_s", "duration_s")
_MEASURED = (
    "sample_rate_hz", "peak_dbfs", "silent_share", "clipped_share",
    "rtf_generation_over_duration", "rtf_duration_over_generation",
)  # fmt: skip
_RATES = (
    "word_error_rate", "character_error_rate", "mixed_error_rate", "syllable_error_rate", "phoneme_error_rate",
    "published_error_rate",
)  # fmt: skip
_QUALITY = ("dnsmos_ovrl", "dnsmos_sig", "dnsmos_bak", "dnsmos_p808")
_JUDGED = tuple(
    f"{method}_{name}"
    for method in ("published", "corrected")
    for name in ("state", "why", "verdict", "score", "s2s_state", "s2s_why", "s2s_verdict")
)
_MAKERS = {
    "recogniser": "recogniser_id",
    "published_recogniser": "published_recogniser_id",
    "quality_maker": "quality_id",
    "published_maker": "published_maker_id",
    "corrected_maker": "corrected_maker_id",
}


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One answer.

    Attributes:
        plain: text, numbers and lists of words by name, in the order of columns. ``subset``, ``key``, ``text``,
            ``audio``, ``transcript``, ``error`` and the timings are named as an import of answers reads them.
        makers: who made the figures: name, key, and what else tells one maker from another.
        clip: the audio's row, or None.
        said: the tags and notes that stand.
    """

    id: int
    plain: Mapping[str, Any]
    context: Sequence[Mapping[str, Any]]
    labels: Mapping[str, Any]
    makers: Mapping[str, Mapping[str, Any]]
    clip: int | None
    said: tuple[Evidence, ...]

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags that stand, each once."""
        return tuple(dict.fromkeys(said.text for said in self.said if said.table == "tag"))

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes that stand."""
        return tuple(said.text for said in self.said if said.table == "note")

    @property
    def spans(self) -> tuple[tuple[Span, tuple[str, ...]], ...]:
        """The spans that were tagged, in time, each with its tags."""
        found: dict[Span, list[str]] = {}
        for said in self.said:
            if said.span is not None and said.table == "tag":
                found.setdefault(said.span, []).append(said.text)
        return tuple((span, tuple(found[span])) for span in sorted(found, key=lambda span: (span.start_s, span.end_s)))


def records_of(db: sqlite3.Connection, workspace: Workspace, ids: Sequence[int]) -> list[AnswerRecord]:
    """The answers of ``ids`` in that order; ids that are no current answer (any more) are left out."""
    wanted = json.dumps([int(number) for number in ids])
    rows = {
        row["response_id"]: row
        for row in db.execute(
            "SELECT audit_row.*, response.uid, response.error, response.timings, response.audio_id,"
            " response.created_at, instance.reference, instance.context, instance.labels, audio.path, audio.sha256"
            " FROM json_each(?) JOIN audit_row ON audit_row.response_id = json_each.value"
            " JOIN response ON response.id = audit_row.response_id JOIN instance ON instance.id = response.instance_id"
            " LEFT JOIN audio ON audio.id = response.audio_id",
            (wanted,),
        )
    }
    makers = _makers(db, {row[column] for row in rows.values() for column in _MAKERS.values()})
    talked_of = {
        row[0]
        for table in ("tag", "note")
        for row in db.execute(
            f"SELECT response_id FROM {table} WHERE response_id IN (SELECT value FROM json_each(?))", (wanted,)
        )
    }
    return [
        _record(workspace, rows[number], makers, evidence_of(db, number) if number in talked_of else ())
        for number in map(int, ids)
        if number in rows
    ]


def ids_of_uids(db: sqlite3.Connection, uids: Sequence[str]) -> dict[str, int]:
    """The current answers that have these uids, by uid."""
    rows = db.execute(
        "SELECT uid, id FROM response WHERE current = 1 AND uid IN (SELECT value FROM json_each(?))",
        (json.dumps(list(uids)),),
    )
    return {row[0]: row[1] for row in rows}


def _record(
    workspace: Workspace, row: sqlite3.Row, makers: Mapping[int, Mapping[str, Any]], said: Sequence[Evidence]
) -> AnswerRecord:
    timings = json.loads(row["timings"])
    named = {name: makers[row[column]] for name, column in _MAKERS.items() if row[column] in makers}
    path = None if row["path"] is None else workspace.audio / Path(row["path"])
    plain = {
        **{name: row[name] for name in ("system", "benchmark", "subset", "key", "repeat", "language", "category")},
        **{name: row[name] for name in ("question", "reference", "text")},
        "answer_state": row["response_state"],
        "error": row["error"],
        "audio": None if path is None else str(path),
        "audio_sha256": row["sha256"],
        "length_s": row["duration_s"],
        **{name: row[name] for name in _MEASURED},
        "faults": row["faults"].split(),
        **{name: timings.get(name) for name in TIMINGS},
        "transcript": row["transcript"],
        **{name: row[name] for name in _RATES},
        "mismatch": row["mismatch"].split(),
        **{name: row[name] for name in _QUALITY},
        **{name: row[name] for name in _JUDGED},
        "judge_flags": row["judge_flags"].split(),
        "uid": row["uid"],
        "answered_at": row["created_at"],
    }
    return AnswerRecord(
        row["response_id"],
        plain,
        json.loads(row["context"]) if row["context"] else [],
        json.loads(row["labels"]),
        named,
        row["audio_id"],
        tuple(entry for entry in said if entry.stands),
    )


def _makers(db: sqlite3.Connection, ids: set[int | None]) -> dict[int, dict[str, Any]]:
    rows = db.execute(
        "SELECT id, kind, name, key, code_version, weights_sha256, rubric_sha256, settings FROM maker"
        " WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps([number for number in ids if number is not None]),),
    )
    return {
        row["id"]: {
            **{name: row[name] for name in ("kind", "name", "key", "code_version", "weights_sha256", "rubric_sha256")},
            "settings": json.loads(row["settings"]),
        }
        for row in rows
    }
