"""The answers of a system that are worst, by what the wide rows say."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a judge or rule said what it said; ``maker`` is the model's or the rule's name.

    ``words`` and ``error`` are as the store keeps them; ``engine.judges.failed`` words a failure.
    """

    kind: str
    maker: str
    judge: str
    state: str
    verdict: str
    words: str
    error: str | None = None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer with all that is shown of it."""

    response_id: int
    subset: str
    key: str
    language: str
    question: str
    reference: str | None
    text: str | None
    transcript: str | None
    rate: float | None
    mismatch: str
    faults: str
    duration_s: float | None
    dnsmos_ovrl: float | None
    audio_id: int | None
    question_audio_id: int | None
    verdicts: Mapping[str, str | None]
    speech_verdicts: Mapping[str, str | None]
    state: str
    why: str | None
    reasons: tuple[Reason, ...]


def worst_answers(db: sqlite3.Connection, system: str, limit: int) -> list[AnswerRow]:
    """The ``limit`` worst answers of ``system``: wrong, failed, saying something else than their text, or faulty.

    Wrong under the corrected method weighs most, then speech that does not match its text, then faults of the audio,
    then the error rate.
    """
    return _answers(db, "WHERE system = ? ORDER BY badness DESC, response_id LIMIT ?", (system, limit))


def answers_by_id(db: sqlite3.Connection, ids: Sequence[int]) -> list[AnswerRow]:
    """The answers of ``ids`` in that order; ids that are no current answer (any more) are left out."""
    wanted = json.dumps([int(number) for number in ids])
    found = _answers(db, "WHERE audit_row.response_id IN (SELECT value FROM json_each(?))", (wanted,))
    by_id = {row.response_id: row for row in found}
    return [by_id[int(number)] for number in ids if int(number) in by_id]


def _answers(db: sqlite3.Connection, which: str, values: tuple[str | int, ...]) -> list[AnswerRow]:
    rows = db.execute(
        "SELECT audit_row.*, instance.reference, response.audio_id, instance_audio.audio_id AS question_audio_id,"
        " COALESCE(word_error_rate, syllable_error_rate, character_error_rate) AS rate,"
        " 4 * (corrected_verdict IS 'wrong') + 4 * (response_state <> 'answered') + 2 * (mismatch <> '')"
        " + 2 * (faults <> '') + COALESCE(5 - corrected_score, 0)"
        " + MIN(2, COALESCE(word_error_rate, syllable_error_rate, 0)) AS badness"
        " FROM audit_row JOIN response ON response.id = response_id JOIN instance ON instance.id = response.instance_id"
        " LEFT JOIN instance_audio ON instance_audio.instance_id = instance.id AND part = 0"
        f" {which}",
        values,
    ).fetchall()
    reasons = _reasons(db, [row["response_id"] for row in rows])
    return [
        AnswerRow(
            response_id=row["response_id"],
            subset=row["subset"],
            key=row["key"],
            language=row["language"],
            question=row["question"],
            reference=row["reference"],
            text=row["text"],
            transcript=row["transcript"],
            rate=row["rate"],
            mismatch=row["mismatch"],
            faults=row["faults"],
            duration_s=row["duration_s"],
            dnsmos_ovrl=row["dnsmos_ovrl"],
            audio_id=row["audio_id"],
            question_audio_id=row["question_audio_id"],
            verdicts={"published": row["published_verdict"], "corrected": row["corrected_verdict"]},
            speech_verdicts={"published": row["published_s2s_verdict"], "corrected": row["corrected_s2s_verdict"]},
            state=row["corrected_state"],
            why=row["corrected_why"],
            reasons=tuple(reasons.get(row["response_id"], ())),
        )
        for row in rows
    ]


def _reasons(db: sqlite3.Connection, response_ids: list[int]) -> dict[int, list[Reason]]:
    found: dict[int, list[Reason]] = {}
    for row in db.execute(
        "SELECT response_id, maker.kind, maker.name, judge, state, verdict, score, reason, error"
        " FROM judgement JOIN maker ON maker.id = maker_id"
        " WHERE (reason <> '' OR maker.kind <> 'rule')"
        " AND response_id IN (SELECT value FROM json_each(?)) ORDER BY judgement.id",
        (json.dumps(response_ids),),
    ):
        found.setdefault(row[0], []).append(
            Reason(row[1], row[2], row[3], row[4], _given(row[5], row[6]), row[7], row[8])
        )
    return found


def _given(verdict: str | None, score: float | None) -> str:
    """What a judge gave, as one word: its verdict, or the score."""
    if verdict is not None:
        return verdict
    return "" if score is None else f"{score:g}"
