"""What raters disagree about is opened anew, blind, and nothing that was given changes."""

from __future__ import annotations

from contextlib import closing

import pytest

from engine.errors import EngineError
from engine.rating.exchange.adjudicate import STAGE, adjudicate, disagreements
from engine.rating.methods import methods_paragraph
from engine.rating.protocols import load_protocol
from engine.rating.result_sentences import basis_sentences
from engine.rating.results import study_results
from engine.rating.session_file import session_file
from engine.store.planned_ratings import planned_ratings
from engine.store.raters import add_rater
from engine.store.rating_rows import rating_rows
from engine.store.sittings import begin_sitting, commit, present
from engine.store.studies import (
    NewAssignment,
    NewSession,
    NewStudy,
    add_study,
    assignments_of,
    sessions_of,
    study_of,
)
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
        assert {tuple(row) for row in told} == {(1, STAGE, "manual", None, "rated")}
        assert rating_rows(db, number, with_history=True) == before
        assert (study_of(db, made).stage, study_of(db, made).selection) == (STAGE, "manual")
        first = {one.response_id for one in disagreements(before, load_protocol("empathy_acoustic", "zh"), 2)}
    assert {row.response_id for row in rows} == first
    assert (session.rater_name, session.planned, session.rated) == ("third", 3, 0)
    letters = [(row.instance_id, row.letter) for row in rows]
    assert len(set(letters)) == len(letters)


def test_what_they_say_of_it_cannot_correct_a_score(split):
    workspace, number = split
    with closing(workspace.connect()) as db:
        judge = add_rater(db, "third")
    made = adjudicate(workspace, number, judge.id)
    rate_all(workspace, made)
    said = told(workspace, made)
    assert "picked because raters disagree about them: 2" in said[1]
    assert "drawn at random" not in said[0] and "disagree" in said[0]


def test_sessions_of_disagreements_that_kept_how_their_items_had_been_drawn_are_read_so_too(split):
    workspace, number = split
    with closing(workspace.connect(durable=True)) as db:
        judge = add_rater(db, "third")
        (session, *_) = sessions_of(db, study_id=number)
        rows = [row for row in assignments_of(workspace, db, session.id) if row.kind == "rated"]
        before = [
            NewAssignment("rated", row.response_id, "A", "audio", row.dimension, "stratified", 0.5, "s", "dev", STAGE)
            for row in rows[:2]
        ]
        passes = [NewSession(judge.id, session.protocol_id, 1, before)]
        made = add_study(db, NewStudy("t", 1, "stratified", STAGE, {"adjudicates": "x"}, None, passes))
    rate_all(workspace, made)
    assert "cannot correct a score" in told(workspace, made)[1]
    with closing(workspace.connect()) as db:
        assert study_of(db, made).selection == "manual"
        assert {(row.selection, row.pi) for row in planned_ratings(db, made)} == {("manual", None)}
        in_words = db.execute("SELECT selection, pi FROM rating_current WHERE rater = 'third'").fetchall()
        assert {tuple(row) for row in in_words} == {("manual", None)}
        order = session_file(db, made)["sessions"][0]["order"]
    assert {(row["selection"], row["pi"]) for row in order} == {("manual", None)}


def rate_all(workspace, number):
    with closing(workspace.connect(durable=True)) as db:
        (session,) = sessions_of(db, study_id=number)
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        for row in assignments_of(workspace, db, session.id):
            commit(db, present(db, row.id, sitting, {}), {"empathy_acoustic": 3, "emotion_heard": "sad"})


def told(workspace, number):
    """The methods, and what the results may be used for."""
    with closing(workspace.connect()) as db:
        results = study_results(rating_rows(db, number), load_protocol("empathy_acoustic", "zh"), seed=1)
        assert not results.basis.corrects_a_score
        return methods_paragraph(db, number), " ".join(basis_sentences(results, "en"))


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
