"""Views for whoever opens the store with other programs, a migration set of their own; a step is never edited.

They say in words what the tables say in numbers, and leave systems out until a study's letters were revealed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.store.selections import pi_of, selection_of
from engine.store.steps import Steps

if TYPE_CHECKING:
    from sqlite_utils import Database

views = Steps("auricle.rating_views")

_STANDS = (
    "{0}.undoes IS NULL AND NOT EXISTS (SELECT 1 FROM {0} AS taken WHERE taken.undoes = {0}.uid"
    " AND NOT EXISTS (SELECT 1 FROM {0} AS given WHERE given.undoes = taken.uid))"
)
_LATER = "({0}.turn, {0}.made_at, {0}.origin, {0}.origin_seq) > ({1}.turn, {1}.made_at, {1}.origin, {1}.origin_seq)"
_SEALED = (
    "CASE WHEN NOT blind OR EXISTS (SELECT 1 FROM disclosure WHERE disclosure.study_id = study.id) THEN {0} END AS {1}"
)

_GIVEN = f"""CREATE VIEW rating_given AS
SELECT study.title AS study, rater.name AS rater, protocol.name AS protocol, protocol.version AS protocol_version,
    pass, assignment.position, assignment.kind, benchmark.name AS benchmark, subset, instance.key, letter,
    {_SEALED.format("system.name", "system")}, {_SEALED.format("other_system.name", "other_system")},
    rating.scale, rating.value, rating.is_before_reveal, rating.active_s, device, rating.made_at,
    {_STANDS.format("rating")} AS stands, assignment.selection, pi, stratum, split,
    rating.uid AS rating_uid, assignment.uid AS assignment_uid
FROM rating JOIN presentation ON presentation.id = presentation_id JOIN sitting ON sitting.id = sitting_id
    JOIN assignment ON assignment.id = assignment_id
    JOIN session ON session.id = assignment.session_id JOIN study ON study.id = session.study_id
    JOIN rater ON rater.id = session.rater_id JOIN protocol ON protocol.id = protocol_id
    JOIN response ON response.id = assignment.response_id JOIN instance ON instance.id = response.instance_id
    JOIN benchmark ON benchmark.id = benchmark_id JOIN system ON system.id = response.system_id
    LEFT JOIN response AS other ON other.id = assignment.other_response_id
    LEFT JOIN system AS other_system ON other_system.id = other.system_id
WHERE rating.undoes IS NULL"""

_CURRENT = f"""CREATE VIEW rating_current AS
SELECT rating_given.* FROM rating_given JOIN rating ON rating.uid = rating_uid
    JOIN presentation ON presentation.id = rating.presentation_id
WHERE stands AND rating.value IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM rating AS later JOIN presentation AS shown ON shown.id = later.presentation_id
        WHERE shown.assignment_id = presentation.assignment_id AND later.scale = rating.scale
        AND {_STANDS.format("later").replace("FROM later", "FROM rating")} AND {_LATER.format("later", "rating")})
    AND NOT EXISTS (SELECT 1 FROM remark AS skip JOIN presentation AS shown ON shown.id = skip.presentation_id
        WHERE shown.assignment_id = presentation.assignment_id AND skip.kind = 'skip' AND skip.holds
        AND {_STANDS.format("skip").replace("FROM skip", "FROM remark")} AND {_LATER.format("skip", "rating")})"""

_PROGRESS = """CREATE VIEW rating_progress AS
SELECT study.title AS study, rater.name AS rater, protocol.name AS protocol, pass, COUNT(*) AS planned,
    SUM(ifnull(state = 'rated', 0)) AS rated, SUM(ifnull(state = 'skipped', 0)) AS skipped
FROM assignment JOIN session ON session.id = assignment.session_id JOIN study ON study.id = study_id
    JOIN rater ON rater.id = rater_id JOIN protocol ON protocol.id = protocol_id
    LEFT JOIN assignment_state ON assignment_state.assignment_id = assignment.id
GROUP BY session.id"""


@views()
def ratings_in_words(db: Database) -> None:
    """Ratings as they were given, those that count now, and how far each session is."""
    for statement in (_GIVEN, _CURRENT, _PROGRESS):
        db.conn.execute(statement)


@views()
def what_raters_disagree_about_was_picked(db: Database) -> None:
    """In sessions of disagreements nothing was drawn, so no probability stands in the views."""
    picked = f"{selection_of('assignment')} AS selection, {pi_of()} AS pi"
    for view in ("rating_current", "rating_given"):
        db.conn.execute(f"DROP VIEW {view}")
    for statement in (_GIVEN.replace("assignment.selection, pi", picked), _CURRENT):
        db.conn.execute(statement)
