"""What raters disagreed about, and a new blind study in which one more person decides it; nothing given is changed."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from engine.errors import EngineError
from engine.rating.rated import answer_of, is_on, is_preference, of_pair, of_protocol
from engine.rating.values import Protocol, Scale
from engine.store.rating_rows import ABOUT_ANSWERS, RatingRow, rating_rows
from engine.store.selections import ADJUDICATION
from engine.store.standings import Value
from engine.store.studies import (
    AssignmentRow,
    NewAssignment,
    NewSession,
    NewStudy,
    StudyRow,
    add_study,
    assignments_of,
    protocol_declaration,
    sessions_of,
    studies_of,
    study_of,
)
from engine.store.transaction import transaction
from engine.store.workspace import Workspace
from engine.strings import text

STAGE = ADJUDICATION


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One answer that raters see differently on one scale.

    Attributes:
        gap: between the highest and the lowest value; of named steps, how many different ones less one.
        values: (rater, value), each rater's last; of a comparison, how much better the first system by name is.
        assignment_uid: of one of the assignments, which names the answer and what it was compared with.
    """

    response_id: int
    scale: str
    gap: int
    values: tuple[tuple[str, Value], ...]
    assignment_uid: str


def disagreements(rows: Iterable[RatingRow], protocol: Protocol, min_gap: int = 2) -> tuple[Disagreement, ...]:
    """Where two raters lie ``min_gap`` steps or more apart on the protocol's main scale, the widest first.

    Of choices any difference counts. Comparisons are held against each other whichever answer was heard first. Hidden
    repeats count for their rater once, the last; gold and traps do not count.

    Raises EngineError ``exchange.needs_two`` where fewer than two raters rated under the protocol.
    """
    scale = protocol.main
    ours = [row for row in of_protocol(rows, protocol) if row.kind in ABOUT_ANSWERS and is_on(scale, row)]
    if len({row.rater_uid for row in ours}) < 2:
        raise EngineError("exchange.needs_two")
    given: dict[object, dict[str, RatingRow]] = {}
    for row in sorted(ours, key=lambda row: (row.made_at, row.rating_uid)):
        given.setdefault(answer_of(row), {})[row.rater_uid] = row
    needed = 1 if scale.kind == "choice" else min_gap
    found = []
    for by_rater in given.values():
        latest = list(by_rater.values())
        values = [_value(row, scale) for row in latest]
        if (gap := _gap(values)) >= needed:
            told = tuple(sorted((row.rater, value) for row, value in zip(latest, values, strict=True)))
            found.append(Disagreement(latest[0].response_id, scale.id, gap, told, latest[0].assignment_uid))
    return tuple(sorted(found, key=lambda one: (-one.gap, one.response_id)))


def adjudicate(
    workspace: Workspace,
    study_id: int,
    rater_id: int,
    *,
    min_gap: int = 2,
    seed: int = 0,
    title: str = "",
    again: bool = False,
) -> int:
    """Open a study of what the raters of ``study_id`` disagree about, for ``rater_id``; its number.

    It is blind: new letters, an order of its own, nothing of what others said. Items were picked for what raters
    said of them, so they have no probability and cannot correct a score; their stage is ``STAGE``. What was
    given stays as it is.

    Args:
        title: else that of the study, with what this one is in the language of its first protocol.
        again: though the rater has an open study of the same items.

    Raises EngineError ``exchange.adjudicated`` (an open one is there), ``exchange.no_disagreement``,
    ``exchange.needs_two``, ``rating.no_such_study``.
    """
    with closing(workspace.connect(durable=True)) as db:
        study = study_of(db, study_id)
        sessions = sessions_of(db, study_id=study_id)
        rows = {early: rating_rows(db, study_id, before_reveal=early) for early in (False, True)}
        drawn = {row.assignment_uid: row for row in rows[False]}
        placed = {row.uid: row for one in sessions for row in assignments_of(workspace, db, one.id)}
        passes: list[NewSession] = []
        chosen = random.Random(seed)
        for protocol_id in dict.fromkeys(one.protocol_id for one in sorted(sessions, key=lambda one: one.number)):
            protocol = Protocol.of(protocol_declaration(db, protocol_id))
            found = _found(rows[protocol.reveals == "after_commit"], protocol, min_gap)
            items = [(placed[one.assignment_uid], drawn[one.assignment_uid]) for one in found]
            chosen.shuffle(items)
            if items:
                assignments = _assignments(items, protocol, chosen)
                passes.append(NewSession(rater_id, protocol_id, len(passes) + 1, assignments))
        if not passes:
            raise EngineError("exchange.no_disagreement", gap=min_gap)
        design = {"adjudicates": study.uid, "min_gap": min_gap, "fixes": study.design.get("fixes", {})}
        if not again:
            _refuse_twin(workspace, db, study, passes)
        named = title or text("exchange.adjudication", sessions[0].language, title=study.title)
        with transaction(db):
            new = NewStudy(named, seed, "manual", STAGE, design, None, passes)
            return add_study(db, new)


def _refuse_twin(workspace: Workspace, db: sqlite3.Connection, of: StudyRow, passes: Sequence[NewSession]) -> None:
    """Raises EngineError ``exchange.adjudicated`` where the rater has all of this before them already."""
    wanted = {(one.protocol_id, _items(one.assignments)) for one in passes}
    for study in studies_of(db):
        is_open = study.rated + study.skipped < study.planned
        if study.design.get("adjudicates") != of.uid or not is_open:
            continue
        theirs = sessions_of(db, study_id=study.id, rater_id=passes[0].rater_id)
        if {(one.protocol_id, _items(assignments_of(workspace, db, one.id))) for one in theirs} == wanted:
            raise EngineError("exchange.adjudicated", number=study.id, title=study.title)


def _items(rows: Iterable[NewAssignment | AssignmentRow]) -> frozenset[frozenset[int | None]]:
    return frozenset(frozenset((row.response_id, row.other_response_id)) for row in rows)


def _found(rows: Sequence[RatingRow], protocol: Protocol, min_gap: int) -> tuple[Disagreement, ...]:
    if len({row.rater_uid for row in rows}) < 2:
        raise EngineError("exchange.needs_two")
    try:
        return disagreements(rows, protocol, min_gap)
    except EngineError:  # of this pass only one rater has rated yet
        return ()


def _value(row: RatingRow, scale: Scale) -> Value:
    """What was given; of a comparison, how much better the system that comes first by name is."""
    assert row.value is not None
    return of_pair(row) if row.other_system is not None and is_preference(scale) else row.value


def _gap(values: Sequence[Value]) -> int:
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    if len(numbers) < len(values):
        return len(set(values)) - 1
    return round(max(numbers) - min(numbers))


def _assignments(
    items: Sequence[tuple[AssignmentRow, RatingRow]], protocol: Protocol, chosen: random.Random
) -> list[NewAssignment]:
    letters: dict[int, list[str]] = {}
    made = []
    for row, drawn in items:
        free = letters.setdefault(row.instance_id, chosen.sample("ABCDEFGHJKLMNPQRSTUVWXYZ"[:8], 8))
        letter = free.pop()
        other = None if row.other_response_id is None else free.pop()
        made.append(
            NewAssignment(
                "rated",
                row.response_id,
                letter,
                protocol.perceived,
                protocol.dimension,
                "manual",
                None,
                drawn.stratum,
                drawn.split,
                STAGE,
                other_response_id=row.other_response_id,
                other_letter=other,
            )
        )
    return made
