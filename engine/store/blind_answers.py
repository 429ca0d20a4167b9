"""Answers that are to be rated, with all that could tell a rater whose they are."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

Word = tuple[str, float, float]


@dataclass(frozen=True, slots=True)
class BlindAnswer:
    """One answer.

    Attributes:
        system_id: only to compare with; nobody is told.
        asked: what was said to the system: question, reference and earlier turns, as one text.
        transcript: what the recogniser heard whose transcript stands in tables; None without. ``words`` are its
            (text, start_s, end_s), empty where it gave no times.
        audio_id: None without audio; ``sha256`` is empty then.
    """

    id: int
    uid: str
    instance_id: int
    system_id: int
    language: str
    asked: str
    text: str | None
    transcript: str | None
    words: tuple[Word, ...]
    audio_id: int | None
    sha256: str


def blind_answers(db: sqlite3.Connection, response_ids: Sequence[int]) -> list[BlindAnswer]:
    """The answers of ``response_ids``, each once, ordered by instance; unknown ids are left out."""
    rows = db.execute(
        "SELECT response.id, response.uid, instance_id, system_id, instance.language, instance.question, reference,"
        " context, response.text, transcript.text, transcript.words, response.audio_id, audio.sha256"
        " FROM response JOIN instance ON instance.id = instance_id LEFT JOIN audio ON audio.id = response.audio_id"
        " LEFT JOIN audit_row ON audit_row.response_id = response.id"
        " LEFT JOIN transcript ON transcript.id = audit_row.transcript_id"
        " WHERE response.id IN (SELECT value FROM json_each(?)) ORDER BY instance_id, response.id",
        (json.dumps([int(number) for number in response_ids]),),
    )
    return [_answer(tuple(row)) for row in rows]


def systems_among(db: sqlite3.Connection, response_ids: Sequence[int]) -> tuple[str, ...]:
    """The names of the systems that the answers are of, sorted."""
    rows = db.execute(
        "SELECT DISTINCT name FROM system JOIN response ON system_id = system.id"
        " WHERE response.id IN (SELECT value FROM json_each(?)) ORDER BY name",
        (json.dumps([int(number) for number in response_ids]),),
    )
    return tuple(row[0] for row in rows)


def _answer(row: tuple[object, ...]) -> BlindAnswer:
    (number, uid, instance, system, language, question, reference, context, text, heard, words, audio, sha256) = row
    turns = json.loads(str(context)) if context else []
    asked = [str(question or ""), str(reference or ""), *(str(turn.get("text") or "") for turn in turns)]
    return BlindAnswer(
        id=int(str(number)),
        uid=str(uid),
        instance_id=int(str(instance)),
        system_id=int(str(system)),
        language=str(language),
        asked="\n".join(asked),
        text=None if text is None else str(text),
        transcript=None if heard is None else str(heard),
        words=tuple((str(word[0]), float(word[1]), float(word[2])) for word in json.loads(str(words))) if words else (),
        audio_id=None if audio is None else int(str(audio)),
        sha256=str(sha256 or ""),
    )
