"""The items that a study can draw from: instances that every wanted system answered in a form that can be rated."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.query.fields import Method
from engine.query.grammar import parse
from engine.query.rows import sorted_ids
from engine.query.selection import Selection
from engine.rating.values import Protocol
from engine.store.frame import (
    VERDICTS,
    Answers,
    AskedInstance,
    Numbers,
    answers_for_rating,
    asked_instances,
    systems_answering,
)

#: Why an instance cannot be rated, the first that holds.
REASONS = ("no_answer", "no_sound", "no_text", "no_question_sound")


@dataclass(frozen=True, slots=True)
class Needs:
    """What must be there of an item, by all protocols of a study together."""

    sound: bool
    text: bool
    question_sound: bool

    @classmethod
    def of(cls, protocols: Sequence[Protocol]) -> Needs:
        """What ``protocols`` put before a rater."""
        return cls(
            any(protocol.perceived != "text" for protocol in protocols),
            any(protocol.perceived != "audio" for protocol in protocols),
            any(protocol.question == "audio" for protocol in protocols),
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """Items and the answers to them: a row per instance, in the order of their ids, and a column per system.

    Attributes:
        verdicts: places in ``VERDICTS``.
        found: instances that were asked for. left_out: of those, how many cannot be rated, by ``REASONS``.
    """

    systems: tuple[str, ...]
    instance_ids: Numbers
    responses: Numbers
    verdicts: Numbers
    instances: Mapping[int, AskedInstance]
    found: int
    left_out: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.instance_ids)


def read_frame(
    db: sqlite3.Connection,
    chosen: Selection,
    systems: Sequence[str],
    needs: Needs,
    method: Method = "corrected",
) -> Frame:
    """The instances of which an answer is among ``chosen``, with the answers of all ``systems``.

    Of several answers of a system to an instance it is the first. Without ``systems``, all that have an answer among
    ``chosen``. Raises EngineError ``rating.unknown_system``.
    """
    ids = _response_ids(db, chosen, method)
    there = systems_answering(db)
    for name in systems:
        if name not in there:
            raise EngineError("rating.unknown_system", system=name, known=", ".join(there))
    wanted = tuple(dict.fromkeys(systems)) or systems_answering(db, ids)
    return _frame(db, answers_for_rating(db, wanted, ids, method), needs)


def _response_ids(db: sqlite3.Connection, chosen: Selection, method: Method) -> list[int] | None:
    """The answers that a selection names; None stands for all."""
    if chosen.query.strip():
        return [int(number) for number in sorted_ids(db, parse(chosen.query), (), method, among=chosen.ids or None)]
    return list(chosen.ids) or None


def _frame(db: sqlite3.Connection, answers: Answers, needs: Needs) -> Frame:
    instance_ids, rows = np.unique(answers.instance_ids, return_inverse=True)
    size, width = len(instance_ids), len(answers.names)
    _, firsts = np.unique(rows * max(width, 1) + answers.systems, return_index=True)  # the first repeat
    at = (rows[firsts], answers.systems[firsts])

    def table(values: NDArray[np.generic], missing: float) -> NDArray[np.generic]:
        filled = np.full((size, width), missing, values.dtype)
        filled[at] = values[firsts]
        return filled

    instances = asked_instances(db, instance_ids.tolist())
    unheard = np.array([not instances[number].sounds for number in instance_ids.tolist()], np.bool_)
    reasons = (
        ~table(answers.answered, False).all(axis=1),
        ~table(answers.spoken, False).all(axis=1) & needs.sound,
        (table(answers.written, 0) == 0).any(axis=1) & needs.text,
        unheard & needs.question_sound,
    )
    why = np.select(reasons, range(1, len(reasons) + 1), 0) if size else np.zeros(0, np.int64)
    kept = why == 0
    return Frame(
        answers.names,
        instance_ids[kept],
        np.asarray(table(answers.response_ids, 0), np.int64)[kept],
        np.asarray(table(answers.verdicts, 0), np.int64)[kept],
        instances,
        size,
        {name: int(count) for place, name in enumerate(REASONS, 1) if (count := (why == place).sum())},
    )


def verdict_names(frame: Frame) -> list[str]:
    """What the judges said of each item: ``right`` or ``wrong`` where of all answers, ``divided``, else ``unknown``.

    ``unknown`` as soon as one answer has no verdict.
    """
    unknown = (frame.verdicts == VERDICTS.index("unknown")).any(axis=1)
    wrong = (frame.verdicts == VERDICTS.index("wrong")).sum(axis=1)
    width = frame.verdicts.shape[1]
    place = np.select([unknown, wrong == 0, wrong == width], [0, 1, 2], 3)
    return [("unknown", "right", "wrong", "divided")[index] for index in place.tolist()]
