"""What raters disagree about is opened anew, blind, and nothing that was given changes."""

from __future__ import annotations

from contextlib import closing

import pytest

from engine.errors import EngineError
from engine.rating.exchange.adjudicate import STAGE, adjudicate, disagreements
from engine.rating.protocols import load_protocol
from engine.store.raters import add_rater
from engine.store.rating_rows import rating_rows
from engine.store.sittings import begin_sitting, commit, present
from engine.store.studies import assignments_of, sessions_of, study_of
from tests.engine.rating.bundle.made import SYSTEMS, owner, study


@pytest.fixture
def split(tmp_path, finish):
    """Two raters: of the six answers they lie 0, 1, 2, 3, 2, 1 apart, by the order of answers."""
    workspace = owner(tmp_path, finish)
    number, _ = study(workspace)
    apart = (0, 1, 2, 3, 2, 1)
    with closing(workspace.connect(durable=True)) as db:
        known: dict[int, int] = {}
        for session in sessions_of(db, study_id=number):
            sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
            for row in assignments_of(workspace, db, session.id):
                if row.kind == "rated":
                    place = known.setdefault(row.response_id, len(known))
                    value = 1 if session.rater_name == "甲" else 1 + apart[place]
                    commit(db, present(db, row.id, sitting, {}), {"empathy_acoustic": value, "emotion_heard": "sad"})
    return workspace, number


def test_the_widest_disagreements_come_first_and_small_ones_not_at_all(split):
    workspace, number = split
    with closing(workspace.connect()) as db:
        rows = rating_rows(db, number)
    found = disagreements(rows, load_protocol("empathy_acoustic", "zh"), 2)
    assert [one.gap for one in found] == [3, 2, 2]
    assert dict(found[0].values) == {"甲": 1, "rater-b": 4}
    assert [one.gap for one in disagreements(rows, load_protocol("empathy_acoustic", "zh"), 3)] == [3]


def test_they_are_opened_as_a_new_blind_study_and_the_old_ratings_stay(split):
    workspace, number = split
    with closing(workspace.connect()) as db:
        judge, before = add_rater(db, "third"), rating_rows(db, number, with_history=True)
    made = adjudicate(workspace, number, judge.id, seed=3)
    with closing(workspace.connect()) as db:
        (session,) = sessions_of(db, study_id=made)
        rows = assignments_of(workspace, db, session.id)
        told = db.execute(
            "SELECT blind, stage, selection, pi, kind FROM assignment WHERE session_id = ?", (session.id,)
        )
        assert {tuple(row) for row in told} == {(1, STAGE, "stratified", 0.5, "rated")}
        assert rating_rows(db, number, with_history=True) == before
        assert study_of(db, made).stage == STAGE
        first = {one.response_id for one in disagreements(before, load_protocol("empathy_acoustic", "zh"), 2)}
    assert {row.response_id for row in rows} == first
    assert (session.rater_name, session.planned, session.rated) == ("third", 3, 0)
    letters = [(row.instance_id, row.letter) for row in rows]
    assert len(set(letters)) == len(letters)


def test_without_disagreement_or_a_second_rater_there_is_nothing_to_open(split, tmp_path, finish):
    workspace, number = split
    with closing(workspace.connect()) as db:
        third = add_rater(db, "third").id
    with pytest.raises(EngineError) as agreed:
        adjudicate(workspace, number, third, min_gap=4)
    other = owner(tmp_path / "other", finish)
    alone, _ = study(other)
    with pytest.raises(EngineError) as single:
        adjudicate(other, alone, 1)
    assert [agreed.value.code, single.value.code] == ["exchange.no_disagreement", "exchange.needs_two"]


def test_a_comparison_is_the_same_whichever_was_heard_first(tmp_path, finish):
    """One rater hears Zebra first, the other yak: "the second is better by 2" then means opposite things."""
    workspace = owner(tmp_path, finish, items=2)
    number, _ = study(workspace, "comparison")
    protocol = load_protocol("comparison", "zh")
    with closing(workspace.connect(durable=True)) as db:
        judge = add_rater(db, "third")
        for session in sessions_of(db, study_id=number):
            sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
            for row in assignments_of(workspace, db, session.id):
                if row.kind == "rated":
                    # both say of item 0 that one system is 2 better; of item 1 they say the opposite of each other
                    first_by_name = min(SYSTEMS)
                    is_first = db.execute(
                        "SELECT system.name FROM response JOIN system ON system.id = system_id WHERE response.id = ?",
                        (row.response_id,),
                    ).fetchone()[0] == first_by_name  # fmt: skip
                    better = 2 if row.question.text.startswith("第 0") or session.rater_name == "甲" else -2
                    value = -better if is_first else better
                    commit(db, present(db, row.id, sitting, {}), {protocol.main.id: value})
        rows = rating_rows(db, number)
    found = disagreements(rows, protocol, 2)
    assert [one.gap for one in found] == [4]
    made = adjudicate(workspace, number, judge.id)
    with closing(workspace.connect()) as db:
        (session,) = sessions_of(db, study_id=made)
        (row,) = assignments_of(workspace, db, session.id)
    assert row.other is not None and row.letter != row.other_letter and row.question.text.startswith("第 1")
