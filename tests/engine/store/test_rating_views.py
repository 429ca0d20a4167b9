"""Other programs open the store and read ratings in words: the same that count here, and no system before its time."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from engine.store.rating_rows import rating_rows
from engine.store.sittings import begin_sitting, commit, present, skip, undo, undoable
from engine.store.studies import assignments_of, disclose, sessions_of
from tests.engine.rating.bundle.made import SYSTEMS, owner, study


@pytest.fixture
def rated(tmp_path, finish):
    """A study of which items were rated, rated over, skipped, rated after a skip, taken back and given back."""
    workspace = owner(tmp_path, finish)
    number, _ = study(workspace)
    with closing(workspace.connect(durable=True)) as db:
        for session in sessions_of(db, study_id=number):
            sitting = begin_sitting(db, session.rater_id, device="d", sample_rate_hz=48_000, setup={})
            rows = assignments_of(workspace, db, session.id)
            shown = [present(db, row.id, sitting, {}) for row in rows]
            for place, presentation in enumerate(shown[:8]):
                commit(db, presentation, {"empathy_acoustic": 1 + place % 5, "emotion_heard": "sad"})
            commit(db, shown[0], {"empathy_acoustic": 5})
            skip(db, shown[1], "no sound")
            skip(db, shown[2], "no sound")
            commit(db, shown[2], {"empathy_acoustic": 2})
            commit(db, shown[3], {"emotion_heard": None})
            undo(db, commit(db, shown[4], {"empathy_acoustic": 1}))
            undo(db, undo(db, commit(db, shown[5], {"empathy_acoustic": 3})))
            skip(db, shown[6], "x")
            undo(db, undoable(db, session.id))
    return workspace, number


def read(workspace, query: str) -> list[sqlite3.Row]:
    """As another program reads: a connection of its own that may not write, without any setting."""
    with closing(sqlite3.connect(f"{workspace.database.as_uri()}?mode=ro", uri=True)) as db:
        db.row_factory = sqlite3.Row
        return db.execute(query).fetchall()


def test_what_counts_is_the_same_as_the_program_says(rated):
    workspace, _ = rated
    with closing(workspace.connect()) as db:
        expected = {(row.rating_uid, row.scale, row.value, row.rater, row.instance_key) for row in rating_rows(db)}
        given = {row.rating_uid: row.stands for row in rating_rows(db, with_history=True)}
    found = read(workspace, "SELECT * FROM rating_current")
    assert {(row["rating_uid"], row["scale"], row["value"], row["rater"], row["key"]) for row in found} == expected
    assert {row["rating_uid"]: bool(row["stands"]) for row in read(workspace, "SELECT * FROM rating_given")} == given


def test_no_view_tells_a_system_before_the_letters_are_revealed(rated):
    workspace, number = rated
    query = "SELECT DISTINCT system FROM rating_given"
    assert [row[0] for row in read(workspace, query)] == [None]
    with closing(workspace.connect()) as db:
        disclose(db, number, "to look")
    assert {row[0] for row in read(workspace, query)} == set(SYSTEMS)


def test_progress_is_that_of_the_sessions(rated):
    workspace, number = rated
    with closing(workspace.connect()) as db:
        expected = sorted(
            (one.rater_name, one.planned, one.rated, one.skipped) for one in sessions_of(db, study_id=number)
        )
    found = read(workspace, "SELECT * FROM rating_progress")
    assert sorted((row["rater"], row["planned"], row["rated"], row["skipped"]) for row in found) == expected


def test_every_table_and_view_can_be_read_by_a_program_that_knows_nothing(rated):
    workspace, _ = rated
    names = [row[0] for row in read(workspace, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    assert {"rating_given", "rating_current", "rating_progress"} <= set(names)
    for name in names:
        read(workspace, f'SELECT * FROM "{name}" LIMIT 1')
