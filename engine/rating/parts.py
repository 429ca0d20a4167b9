"""What a plan is made of: the items drawn from the workspace, what is known beside them, and how long all of it is."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.audio.source import opened
from engine.errors import EngineError
from engine.progress import Progress
from engine.query.selection import Selection
from engine.rating.checks import spoken_items
from engine.rating.design import Design
from engine.rating.draw import Drawn, draw
from engine.rating.frame import REASONS, Frame, Needs, read_frame
from engine.rating.known import known_items
from engine.rating.order import KnownItem
from engine.rating.sizes import UNKNOWN_S, Lengths
from engine.rating.values import Protocol
from engine.store.answers import instances_answered_by
from engine.store.frame import PlayedAnswer, asked_instances, played_answers
from engine.store.workspace import Workspace

_FILES = 100  # whose headers are read between two steps, some 20 ms
_ANSWERS = 20_000


@dataclass(frozen=True, slots=True)
class Parts:
    """What a plan is made of: ``known`` by protocol and kind, ``spoken`` what trap clips are made of, by protocol."""

    protocols: tuple[Protocol, ...]
    frame: Frame
    drawn: Drawn
    known: Mapping[tuple[str, str], tuple[KnownItem, ...]]
    spoken: Mapping[str, tuple[KnownItem, ...]]

    @property
    def played(self) -> list[int]:
        """Every answer that may be put before somebody, each once."""
        items = [*self.drawn.items, *(entry.item for known in self.known.values() for entry in known)]
        return sorted({number for item in items for number in item.responses})


def drawn_parts(
    db: sqlite3.Connection, design: Design, protocols: tuple[Protocol, ...], total: int
) -> Generator[Progress, None, Parts]:
    """The items of ``design``, and what is known beside them; ``total`` is of the plan's steps.

    Raises EngineError ``rating.no_item``, ``none_rateable``, ``two_systems``, ``unknown_system`` and what filters and
    known answers raise.
    """
    frame = yield from _frame(db, design, design.chosen, design.systems, protocols, total)
    beside = None
    if design.selection == "manual" and design.added_random:
        beside = yield from _frame(db, design, Selection(design.frame), frame.systems, protocols, total)
    if any(protocol.compares for protocol in protocols) and len(frame.systems) < 2:
        raise EngineError("rating.two_systems")
    if design.against and design.against not in frame.systems:
        raise EngineError("rating.unknown_system", system=design.against, known=list(frame.systems))
    drawn = draw(design, frame, beside)
    if not drawn.items:
        if frame.left_out:
            raise EngineError("rating.none_rateable", **{reason: frame.left_out.get(reason, 0) for reason in REASONS})
        raise EngineError("rating.no_item")
    known = known_items(db, design, protocols)
    spoken = {protocol.id: spoken_items(design, protocol, drawn, frame.systems) for protocol in protocols}
    return Parts(protocols, frame, drawn, known, spoken)


def _frame(
    db: sqlite3.Connection,
    design: Design,
    chosen: Selection,
    systems: Sequence[str],
    protocols: Sequence[Protocol],
    total: int,
) -> Generator[Progress, None, Frame]:
    steps = read_frame(db, chosen, systems, Needs.of(protocols), design.method)
    while True:
        yield Progress(0, total)
        try:
            next(steps)
        except StopIteration as end:
            found: Frame = end.value
            return found.without(list(instances_answered_by(db, design.without))) if design.without else found


def lengths_of(
    workspace: Workspace, db: sqlite3.Connection, ids: Sequence[int], total: int
) -> Generator[Progress, None, Lengths]:
    """How long all that is played takes; questions that were never measured are looked up in their files' headers."""
    answers: list[PlayedAnswer] = []
    for start in range(0, len(ids), _ANSWERS):
        yield Progress(1, total)
        answers += played_answers(db, ids[start : start + _ANSWERS])
    questions: dict[int, float] = {}
    for done, asked in enumerate(asked_instances(db, sorted({answer.instance_id for answer in answers})).values()):
        if done % _FILES == 0:
            yield Progress(2, total)
        if asked.seconds is not None or asked.sounds:
            read = (_header_seconds(workspace.audio / path) for path in asked.sounds)
            questions[asked.id] = sum(read) if asked.seconds is None else asked.seconds
    return Lengths(
        {answer.response_id: answer.seconds for answer in answers if answer.seconds is not None},
        {answer.response_id: answer.written for answer in answers},
        {answer.response_id: answer.instance_id for answer in answers},
        questions,
    )


def _header_seconds(path: Path) -> float:
    try:
        with opened(path) as source:
            return source.expected_frames / source.sample_rate_hz
    except EngineError:
        return UNKNOWN_S
