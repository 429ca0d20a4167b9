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
Truths = NDArray[np.bool_]

#: What ``Answers.verdicts`` counts in.
VERDICTS = ("unknown", "right", "wrong")
_SPOKEN = "response.audio_id IS NOT NULL AND response.audio_fault IS NULL"


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of one system, one in each place of every column, ordered by instance and repeat.

    Attributes:
        verdicts: places in ``VERDICTS``.
        written: whether there is a text, or what was heard.
        spoken: whether there is a sound that can be played.
        answered: whether the system gave an answer at all.
    """

    response_ids: Numbers
    instance_ids: Numbers
    verdicts: Numbers
    written: Truths
    spoken: Truths
    answered: Truths

    def __len__(self) -> int:
        return len(self.response_ids)

    def at(self, places: Numbers | Truths) -> Answers:
        """Those at certain places."""
        return Answers(
            self.response_ids[places],
            self.instance_ids[places],
            self.verdicts[places],
            self.written[places],
            self.spoken[places],
            self.answered[places],
        )


@dataclass(frozen=True, slots=True)
class PlayedAnswer:
    """How long an answer is: seconds of its sound, None where never measured, and characters of its text."""

    response_id: int
    instance_id: int
    seconds: float | None
    written: int


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


def answers_of_system(
    db: sqlite3.Connection,
    system: str,
    instance_ids: Sequence[int] | None = None,
    method: Literal["published", "corrected"] = "corrected",
) -> Answers:
    """The current answers of ``system`` to certain instances, or to all: 40 ms for 11,000."""
    asked = "" if instance_ids is None else " AND response.instance_id IN (SELECT value FROM json_each(:ids))"
    table = "audit_row INDEXED BY audit_row_facts" if instance_ids is None else "audit_row"
    rows = db.execute(
        "SELECT response.id, response.instance_id,"
        f" CASE audit_row.{method}_verdict WHEN 'right' THEN 1 WHEN 'wrong' THEN 2 ELSE 0 END,"
        " CASE WHEN response.text <> '' THEN 1 ELSE COALESCE(audit_row.transcript, '') <> '' END,"
        f" {_SPOKEN}, response.state = 'answered'"
        f" FROM {table} JOIN response ON response.id = audit_row.response_id"
        f" WHERE audit_row.system = :system AND response.current = 1{asked}"
        " ORDER BY response.instance_id, response.repeat",
        {"system": system, "ids": _ids(instance_ids)},
    ).fetchall()
    columns = list(zip(*rows)) or [()] * 6
    numbers = [np.array(column, np.int64) for column in columns[:3]]
    truths = [np.array(column, np.bool_) for column in columns[3:]]
    return Answers(numbers[0], numbers[1], numbers[2], truths[0], truths[1], truths[2])


def played_answers(db: sqlite3.Connection, response_ids: Sequence[int]) -> tuple[PlayedAnswer, ...]:
    """The answers of those ids that are there, older ones and trap clips too."""
    rows = db.execute(
        "SELECT response.id, response.instance_id,"
        " COALESCE(audit_row.duration_s, json_extract(audio.facts, '$.duration_s')),"
        " length(COALESCE(NULLIF(response.text, ''), audit_row.transcript, ''))"
        " FROM json_each(?) AS wanted JOIN response ON response.id = wanted.value"
        " LEFT JOIN audit_row ON audit_row.response_id = response.id LEFT JOIN audio ON audio.id = response.audio_id",
        (_ids(response_ids),),
    )
    return tuple(PlayedAnswer(*row) for row in rows)


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
