"""What a study put before its raters, and what became of each: so that what is missing can be counted."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from engine.store.selections import pi_of, selection_of


@dataclass(frozen=True, slots=True)
class PlannedRating:
    """One assignment with the system behind it; ``state`` is rated, skipped or open."""

    rater_uid: str
    rater: str
    protocol: str
    protocol_version: int
    assignment_uid: str
    kind: str
    instance_id: int
    system: str
    other_system: str | None
    selection: str
    pi: float | None
    state: str


_PLANNED = f"""
SELECT rater.uid, rater.name, protocol.name, protocol.version, assignment.uid, assignment.kind, response.instance_id,
    system.name, other_system.name, {selection_of("assignment")}, {pi_of()}, COALESCE(assignment_state.state, 'open')
FROM assignment JOIN session ON session.id = assignment.session_id JOIN rater ON rater.id = rater_id
    JOIN protocol ON protocol.id = protocol_id JOIN response ON response.id = response_id
    JOIN system ON system.id = response.system_id LEFT JOIN response AS other ON other.id = other_response_id
    LEFT JOIN system AS other_system ON other_system.id = other.system_id
    LEFT JOIN assignment_state ON assignment_state.assignment_id = assignment.id
WHERE study_id = ? ORDER BY session.id, position
"""


def planned_ratings(db: sqlite3.Connection, study_id: int) -> tuple[PlannedRating, ...]:
    """Every assignment of a study, training, gold, traps and hidden repeats among them, by session and position."""
    return tuple(PlannedRating(*row) for row in db.execute(_PLANNED, (study_id,)))
