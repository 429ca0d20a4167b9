"""The items that a study can draw from: instances that every wanted system answered in a form that can be rated."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.errors import EngineError
from engine.query.fields import Method
from engine.query.grammar import parse
from engine.query.rows import sorted_ids
from engine.query.selection import Selection
from engine.rating.values import Protocol
from engine.store.answers import instances_answered_by
from engine.store.frame import (
    VERDICTS,
    Answers,
    AskedInstance,
    Numbers,
    answers_of_system,
    asked_instances,
    systems_answering,
)

_FEW = 2000  # instances that are looked for one by one; more are picked out of all
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

    def without(self, instance_ids: Sequence[int]) -> Frame:
        """The same as if these instances had not been asked for."""
        kept = ~np.isin(self.instance_ids, list(instance_ids))
        return replace(
            self,
            instance_ids=self.instance_ids[kept],
            responses=self.responses[kept],
            verdicts=self.verdicts[kept],
            found=self.found - int((~kept).sum()),
        )


def read_frame(
    db: sqlite3.Connection,
    chosen: Selection,
    systems: Sequence[str],
    needs: Needs,
    method: Method = "corrected",
) -> Generator[None, None, Frame]:
    """The instances of which an answer is among ``chosen``, with the answers of all ``systems``; a step per system.

    Of several answers of a system to an instance it is the first. Without ``systems``, all that have an answer among
    ``chosen``. Raises EngineError ``rating.unknown_system``.
    """
    ids = _response_ids(db, chosen, method)
    there = systems_answering(db)
    for name in systems:
        if name not in there:
            raise EngineError("rating.unknown_system", system=name, known=list(there))
    wanted = tuple(dict.fromkeys(systems)) or (there if ids is None else systems_answering(db, ids))
    asked = None if ids is None else np.array(sorted(instances_answered_by(db, ids)), np.int64)
    few = asked.tolist() if asked is not None and len(asked) <= _FEW else None
    columns = []
    for name in wanted:
        yield
        answers = answers_of_system(db, name, few, method)
        columns.append(answers if asked is None else answers.at(np.isin(answers.instance_ids, asked)))
    yield
    return _frame(db, wanted, columns, asked, needs)


def _response_ids(db: sqlite3.Connection, chosen: Selection, method: Method) -> list[int] | None:
    """The answers that a selection names; None stands for all."""
    if chosen.query.strip():
        return [int(number) for number in sorted_ids(db, parse(chosen.query), (), method, among=chosen.ids or None)]
    return list(chosen.ids) or None


def _frame(
    db: sqlite3.Connection, systems: tuple[str, ...], columns: Sequence[Answers], asked: Numbers | None, needs: Needs
) -> Frame:
    every = np.unique(np.concatenate([np.empty(0, np.int64), *(column.instance_ids for column in columns)]))
    instance_ids = every if asked is None else asked
    firsts = [column.at(np.unique(column.instance_ids, return_index=True)[1]) for column in columns]
    instances = asked_instances(db, instance_ids.tolist())
    unheard = np.array([not instances[number].sounds for number in instance_ids.tolist()], np.bool_)
    shape = (len(instance_ids), len(systems))
    responses, verdicts = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    written, spoken, answered = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    for at, column in enumerate(firsts):
        rows = np.searchsorted(instance_ids, column.instance_ids)
        responses[rows, at], verdicts[rows, at] = column.response_ids, column.verdicts
        written[rows, at], spoken[rows, at], answered[rows, at] = column.written, column.spoken, column.answered
    reasons = (
        ~answered.all(axis=1),
        ~spoken.all(axis=1) & needs.sound,
        ~written.all(axis=1) & needs.text,
        unheard & needs.question_sound,
    )
    why = np.select(reasons, range(1, len(reasons) + 1), 0)
    kept = why == 0
    left_out = {name: int(count) for place, name in enumerate(REASONS, 1) if (count := (why == place).sum())}
    return Frame(systems, instance_ids[kept], responses[kept], verdicts[kept], instances, len(instance_ids), left_out)


def verdict_names(frame: Frame) -> list[str]:
    """What the judges said of each item: ``right`` or ``wrong`` where of all answers, ``divided``, else ``unknown``.

    ``unknown`` as soon as one answer has no verdict.
    """
    unknown = (frame.verdicts == VERDICTS.index("unknown")).any(axis=1)
    wrong = (frame.verdicts == VERDICTS.index("wrong")).sum(axis=1)
    width = frame.verdicts.shape[1]
    place = np.select([unknown, wrong == 0, wrong == width], [0, 1, 2], 3)
    return [("unknown", "right", "wrong", "divided")[index] for index in place.tolist()]
