"""What may be put before raters: answers of systems to instances, column by column, and the instances they are to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

#: What ``Answers.verdicts`` counts in.
VERDICTS = ("unknown", "right", "wrong")
_SPOKEN = "response.audio_id IS NOT NULL AND response.audio_fault IS NULL"
_WRITTEN = "length(COALESCE(NULLIF(audit_row.text, ''), audit_row.transcript, ''))"


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers, one in each place of every column, ordered by instance, system and repeat.

    Attributes:
        systems: places in ``names``.
        verdicts: places in ``VERDICTS``.
        seconds: length of the sound; NaN where there is none, or it was never measured.
        written: characters of the text, else of what was heard; 0 without either.
        spoken: whether there is a sound that can be played.
        answered: whether the system gave an answer at all.
    """

    names: tuple[str, ...]
    response_ids: Numbers
    instance_ids: Numbers
    systems: Numbers
    verdicts: Numbers
    seconds: Floats
    written: Numbers
    spoken: NDArray[np.bool_]
    answered: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.response_ids)


@dataclass(frozen=True, slots=True)
class AskedInstance:
    """An instance as far as planning needs it; ``seconds`` None where its sound was never measured.

    ``sounds`` are the paths of its audios as the store keeps them, those that are here.
    """

    id: int
    benchmark: str
    subset: str
    key: str
    category: str
    written: int
    seconds: float | None
    sounds: tuple[str, ...]


def answers_for_rating(
    db: sqlite3.Connection,
    systems: Sequence[str],
    response_ids: Sequence[int] | None = None,
    method: Literal["published", "corrected"] = "corrected",
) -> Answers:
    """The current answers of ``systems`` to every instance that one of ``response_ids`` answers; None: to all.

    One pass over the answers: 0.6 s for 168,000.
    """
    names = tuple(dict.fromkeys(systems))
    asked = "" if response_ids is None else (
        " AND response.instance_id IN (SELECT instance_id FROM response"
        " WHERE id IN (SELECT value FROM json_each(:ids)))"
    )  # fmt: skip
    return _answers(db, names, asked, response_ids, method)


def answers_by_id(db: sqlite3.Connection, response_ids: Sequence[int]) -> Answers:
    """The current answers of those ids that are there."""
    names = systems_answering(db, response_ids)
    asked = " AND response.id IN (SELECT value FROM json_each(:ids))"
    return _answers(db, names, asked, response_ids, "corrected")


def _answers(
    db: sqlite3.Connection, names: tuple[str, ...], asked: str, response_ids: Sequence[int] | None, method: str
) -> Answers:
    rows = db.execute(
        "SELECT response.id, response.instance_id, named.key,"
        f" CASE audit_row.{method}_verdict WHEN 'right' THEN 1 WHEN 'wrong' THEN 2 ELSE 0 END,"
        f" audit_row.duration_s, {_WRITTEN}, {_SPOKEN}, response.state = 'answered'"
        " FROM json_each(:names) AS named JOIN system ON system.name = named.value"
        " JOIN audit_row ON audit_row.system = system.name JOIN response ON response.id = audit_row.response_id"
        f" WHERE response.current = 1{asked} ORDER BY response.instance_id, named.key, response.repeat",
        {"names": json.dumps(names), "ids": _ids(response_ids)},
    ).fetchall()
    columns = list(zip(*rows)) or [()] * 8
    ids, instances, systems, verdicts, written = (np.array(columns[at], np.int64) for at in (0, 1, 2, 3, 5))
    seconds = np.array([np.nan if value is None else value for value in columns[4]], np.float64)
    spoken, answered = (np.array(column, np.bool_) for column in columns[6:8])
    return Answers(names, ids, instances, systems, verdicts, seconds, written, spoken, answered)


def _ids(response_ids: Sequence[int] | None) -> str | None:
    return None if response_ids is None else json.dumps([int(number) for number in response_ids])


def systems_answering(db: sqlite3.Connection, response_ids: Sequence[int] | None = None) -> tuple[str, ...]:
    """Whose answers these are, in the order in which the systems came; None: all current answers."""
    among = "" if response_ids is None else " AND id IN (SELECT value FROM json_each(:ids))"
    rows = db.execute(
        "SELECT name FROM system WHERE id IN"
        f" (SELECT DISTINCT system_id FROM response WHERE current = 1{among}) ORDER BY id",
        {"ids": _ids(response_ids)},
    )
    return tuple(str(row[0]) for row in rows)


def asked_instances(db: sqlite3.Connection, instance_ids: Sequence[int]) -> dict[int, AskedInstance]:
    """The instances of those ids that are there, by id."""
    rows = db.execute(
        "SELECT instance.id, benchmark.name, subset, instance.key, COALESCE(category, ''), length(question),"
        " SUM(json_extract(audio.facts, '$.duration_s')), COUNT(audio.id),"
        " COUNT(json_extract(audio.facts, '$.duration_s')), json_group_array(audio.path)"
        " FROM json_each(?) AS wanted JOIN instance ON instance.id = wanted.value"
        " JOIN benchmark ON benchmark.id = benchmark_id"
        " LEFT JOIN instance_audio ON instance_audio.instance_id = instance.id"
        " LEFT JOIN audio ON audio.id = instance_audio.audio_id GROUP BY instance.id",
        (_ids(instance_ids),),
    )
    return {
        row[0]: AskedInstance(
            row[0], row[1], row[2], row[3], row[4], row[5],
            float(row[6]) if row[7] and row[7] == row[8] else None,
            tuple(path for path in json.loads(row[9]) if path is not None),
        )
        for row in rows
    }  # fmt: skip


def response_uids(db: sqlite3.Connection, response_ids: Sequence[int]) -> dict[int, str]:
    """The uid of each answer that is there, by its id."""
    rows = db.execute(
        "SELECT id, uid FROM response WHERE id IN (SELECT value FROM json_each(?))",
        (_ids(response_ids),),
    )
    return {int(row[0]): str(row[1]) for row in rows}
