"""A plan is stored whole, with its order, letters and fixes, before anything plays; and read back as it was."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from engine.query.selection import Selection
from engine.rating.create import create_study, creating_study, plan_study
from engine.rating.design import Known
from engine.rating.leaks.values import ClipFix
from engine.rating.values import Protocol
from engine.store.frame import response_uids
from engine.store.studies import assignments_of, protocol_declaration, sessions_of, studies_of, study_of
from tests.engine.rating.asked import SYSTEMS, answers_of, asked, designed

BOTH = ("empathy_semantic", "empathy_acoustic")


@pytest.fixture
def planned(workspace, tmp_path, finish):
    """Plan over a workspace of 24 questions, three systems and two raters."""
    asked(workspace, tmp_path / "sounds")

    def plan(*protocols, **more):
        return finish(plan_study(workspace, designed(workspace, *(protocols or BOTH), **{"items": 12, **more})))

    return plan


@pytest.fixture
def db(workspace):
    with closing(workspace.connect()) as connection:
        yield connection


def test_a_stored_study_is_the_plan(planned, workspace, db):
    gold = tuple(
        Known(BOTH[1], number, {BOTH[1]: 2}) for number in list(answers_of(workspace, SYSTEMS[0]).values())[:3]
    )
    plan = planned(overlap=4, gold=gold, seed=11)
    study = create_study(workspace, plan, {"guess_rate": 0.4})
    row = study_of(db, study)
    assert (row.title, row.seed, row.selection, row.stage) == ("winter", 11, "random", "estimation")
    assert (row.planned, row.rated, row.leaks) == (plan.counts.presentations, 0, {"guess_rate": 0.4})
    sessions = sessions_of(db, study_id=study)
    assert len(sessions) == len(plan.sessions) == 4
    for session in sessions:
        wanted = next(p for p in plan.sessions if (p.rater_id, p.number) == (session.rater_id, session.number))
        assert (session.protocol_name, session.protocol_sha256) == (wanted.protocol.id, wanted.protocol.sha256)
        assert Protocol.of(protocol_declaration(db, session.protocol_id)) == wanted.protocol
        stored = assignments_of(workspace, db, session.id)
        assert [(e.kind, e.response_id, e.letter, e.expected) for e in stored] == [
            (e.kind, e.response_id, e.letter, e.expected) for e in wanted.assignments
        ]
        assert [entry.position for entry in stored] == list(range(1, len(stored) + 1))
        rows = db.execute(
            "SELECT selection, pi, stratum, split, stage, dimension, blind, perceived, uid, repeat_of FROM assignment"
            " WHERE session_id = ? ORDER BY position",
            (session.id,),
        ).fetchall()
        assert [tuple(row)[:8] for row in rows] == [
            (e.selection, e.pi, e.stratum, e.split, e.stage, e.dimension, 1, e.perceived) for e in wanted.assignments
        ]
        for place, entry in enumerate(wanted.assignments):
            assert rows[place]["repeat_of"] == (None if entry.repeats is None else rows[entry.repeats]["uid"])


def test_a_stored_comparison_keeps_which_is_heard_first(planned, workspace, db):
    plan = planned("preference")
    study = create_study(workspace, plan)
    for session, wanted in zip(sessions_of(db, study_id=study), plan.sessions, strict=True):
        stored = assignments_of(workspace, db, session.id)
        assert [(e.response_id, e.other_response_id, e.letter, e.other_letter) for e in stored] == [
            (e.response_id, e.other_response_id, e.letter, e.other_letter) for e in wanted.assignments
        ]
        assert all(entry.other is not None for entry in stored)


def test_the_design_tells_what_was_chosen_and_what_was_told_before(planned, workspace, db):
    plan = planned(chosen=Selection("subset:emotion"), systems=SYSTEMS[:2])
    design = study_of(db, create_study(workspace, plan)).design
    assert json.loads(json.dumps(design)) == design
    assert design["protocols"] == list(BOTH)
    assert (design["query"], design["systems"], design["items"]) == ("subset:emotion", list(SYSTEMS[:2]), 12)
    assert (design["overlap"], design["ratings_per_item"], design["language"]) == (0, 1, "zh")
    assert design["counts"]["presentations"] == plan.counts.presentations
    assert design["precision"][0]["half_width"] == plan.precision[0].half_width
    assert {entry["name"] for entry in design["warnings"]} == {entry.name for entry in plan.warnings}
    assert design["strata"] == {"": [12, 24]}


def test_what_is_evened_out_is_stored_for_each_answer_and_met_on_playback(planned, workspace, db):
    plan = planned("naturalness", trim=True)
    study = create_study(workspace, plan)
    design = study_of(db, study).design
    uids = response_uids(db, plan.played_ids)
    assert set(design["fixes"]) == set(uids.values())
    assert design["playback"] == {"trim": True, "gain": "per_clip"}
    for session in sessions_of(db, study_id=study):
        for entry in assignments_of(workspace, db, session.id):
            fix = ClipFix.of(design["fixes"][uids[entry.response_id]])
            assert (entry.answer.skip_s, entry.answer.gain_db, entry.answer.stop_s) == (
                fix.skip_s, fix.gain_db, fix.stop_s,
            )  # fmt: skip
    assert study_of(db, create_study(workspace, planned("naturalness", gain="none"))).design["fixes"] == {}


def test_a_study_is_stored_whole_or_not_at_all(planned, workspace, db):
    plan = planned()
    db.execute(
        "CREATE TRIGGER full BEFORE INSERT ON assignment WHEN NEW.position = 20 BEGIN SELECT RAISE(ABORT, 'full'); END"
    )
    with pytest.raises(sqlite3.Error):
        create_study(workspace, plan)
    for table in ("study", "session", "assignment", "protocol"):
        assert db.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] == 0
    db.execute("DROP TRIGGER full")
    assert study_of(db, create_study(workspace, plan)).planned == plan.counts.presentations


def test_closing_before_the_end_leaves_nothing(planned, workspace, db):
    work = creating_study(workspace, planned("naturalness", trim=True))
    next(work)
    work.close()
    assert studies_of(db) == ()


def test_an_assignment_of_correctness_brings_the_reference(planned, workspace, db):
    study = create_study(workspace, planned("correctness"))
    session = sessions_of(db, study_id=study)[0]
    assert {entry.reference for entry in assignments_of(workspace, db, session.id)} == {"少林"}


def test_nothing_that_a_rater_meets_names_a_system(planned, workspace, db):
    study = create_study(workspace, planned())
    for session in sessions_of(db, study_id=study):
        told = repr(assignments_of(workspace, db, session.id)).casefold()
        assert not [name for name in SYSTEMS if name.casefold() in told]
