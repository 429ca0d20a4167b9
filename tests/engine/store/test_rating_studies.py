"""Studies: kept whole or not at all, told to raters without a system, resolved only once that is written down."""

from __future__ import annotations

import dataclasses
import sqlite3

import pytest

from engine.errors import EngineError
from engine.store.raters import add_rater, owner_of, raters_of
from engine.store.rating_rows import rating_rows
from engine.store.sittings import current_ratings, notes_in, redoable, skip, skipped_in, undoable
from engine.store.standings import settle_all
from engine.store.studies import (
    NewSession,
    NewStudy,
    add_study,
    assignments_of,
    disclose,
    keep_protocol,
    letters_of,
    protocol_declaration,
    session_of,
    sessions_of,
    studies_of,
    study_of,
)
from tests.engine.store.rated import SYSTEMS, answers, new_assignment, protocol, sat_down, with_answers


@pytest.fixture
def db(workspace):
    return with_answers(workspace).connect(durable=True)


def test_raters_of_one_name_are_told_apart(db):
    assert [add_rater(db, " 林 ", "zh").name, add_rater(db, "林").name] == ["林", "林 2"]
    assert [(rater.name, rater.language) for rater in raters_of(db)] == [("林", "zh"), ("林 2", "")]
    with pytest.raises(EngineError) as raised:
        add_rater(db, " ")
    assert raised.value.code == "store.tag_empty"


def test_the_owner_is_one_rater_however_often_asked_for(db):
    assert owner_of(db) == owner_of(db)
    assert [rater.is_owner for rater in raters_of(db)] == [True]


def test_a_protocol_is_kept_once_for_each_wording(db):
    told = {"name": "safety", "version": 2, "declaration": {"question": "拒答了吗？"}}
    chinese = keep_protocol(db, language="zh", sha256="ab", **told)
    assert keep_protocol(db, language="zh", sha256="ab", **told) == chinese
    assert keep_protocol(db, language="zh", sha256="cd", **told) != chinese
    assert protocol_declaration(db, chinese) == {"question": "拒答了吗？"}


def test_a_study_is_read_as_it_was_set_up(workspace, db):
    first, second = add_rater(db, "a"), add_rater(db, "b")
    one, two = answers(db)[:2]
    design = {"items": 2, "strata": {"safe": 0.5}}
    gold = new_assignment(two, "B", kind="gold", expected={"empathy": 4}, pi=None)
    items = [new_assignment(one), gold, new_assignment(one, kind="repeat", repeats=0)]
    sessions = [
        NewSession(rater.id, protocol(db, name), number, items)
        for rater in (first, second)
        for number, name in ((1, "empathy_semantic"), (2, "empathy_acoustic"))
    ]
    study = add_study(db, NewStudy("冬天", 7, "stratified", "diagnosis", design, {"guess_rate": 0.5}, sessions))
    row = study_of(db, study)
    assert (row.title, row.seed, row.selection, row.stage, row.design) == ("冬天", 7, "stratified", "diagnosis", design)
    assert (row.leaks, row.raters, row.protocols) == (
        {"guess_rate": 0.5},
        ("a", "b"),
        ("empathy_semantic", "empathy_acoustic"),
    )
    assert (row.planned, row.rated, row.skipped, row.disclosed_at) == (12, 0, 0, None)
    assert studies_of(db) == (row,)
    mine = sessions_of(db, study_id=study, rater_id=second.id)
    assert [(s.rater_name, s.number, s.passes, s.protocol_name, s.planned) for s in mine] == [
        ("b", 1, 2, "empathy_semantic", 3),
        ("b", 2, 2, "empathy_acoustic", 3),
    ]
    assert session_of(db, mine[0].id) == mine[0]
    shown = assignments_of(workspace, db, mine[0].id)
    assert [(item.position, item.kind, item.letter) for item in shown] == [
        (1, "rated", "A"),
        (2, "gold", "B"),
        (3, "repeat", "A"),
    ]
    assert shown[1].expected == {"empathy": 4}
    repeats = db.execute("SELECT repeat_of FROM assignment WHERE id = ?", (shown[2].id,)).fetchone()[0]
    assert repeats == shown[0].uid


def test_a_study_with_an_answer_that_is_not_there_leaves_nothing(db):
    rater = add_rater(db, "a")
    session = NewSession(rater.id, protocol(db), 1, [new_assignment(answers(db)[0]), new_assignment(999)])
    with pytest.raises(sqlite3.IntegrityError):
        add_study(db, NewStudy("t", 1, "random", "estimation", {}, None, [session]))
    assert studies_of(db) == ()
    assert db.execute("SELECT COUNT(*) FROM assignment").fetchone()[0] == 0


def test_what_a_rater_is_shown_names_no_system_no_run_and_no_answer(workspace):
    sat = sat_down(with_answers(workspace))
    uids = [row[0] for row in sat.db.execute("SELECT uid FROM response UNION SELECT uid FROM run")]
    told = repr(sat.items) + repr(sat.session)
    for name in (*SYSTEMS, *uids, str(workspace.folder)):
        assert name not in told
    fields = {field.name for field in dataclasses.fields(sat.items[0])}
    assert not any("system" in name or "run" in name for name in fields)
    assert "response_id" not in told


def test_a_comparison_shows_both_answers_and_playback_is_mended_by_answer(workspace, db):
    one, two = answers(db)[0], answers(db)[3]
    uid = db.execute("SELECT uid FROM response WHERE id = ?", (two,)).fetchone()[0]
    item = new_assignment(one, "A", other_response_id=two, other_letter="B")
    session = NewSession(add_rater(db, "a").id, protocol(db), 1, [item])
    add_study(db, NewStudy("t", 1, "random", "estimation", {"fixes": {uid: [0.16, -2.5]}}, None, [session]))
    shown = assignments_of(workspace, db, sessions_of(db)[0].id)[0]
    assert (shown.letter, shown.other_letter, shown.question.text) == ("A", "B", "以武术闻名的寺院是第0座吗？")
    assert (shown.answer.skip_s, shown.answer.gain_db) == (0.0, 0.0)
    assert (shown.other.skip_s, shown.other.gain_db) == (0.16, -2.5)


def test_letters_are_sealed_until_their_disclosure_is_written_down(workspace):
    sat = sat_down(with_answers(workspace))
    with pytest.raises(EngineError) as raised:
        letters_of(sat.db, sat.study)
    assert raised.value.code == "rating.sealed"
    with pytest.raises(EngineError) as raised:
        disclose(sat.db, sat.study, "  ")
    assert raised.value.code == "rating.reason_empty"
    disclose(sat.db, sat.study, "all have rated")
    letters = letters_of(sat.db, sat.study)
    assert [(one.letter, one.system) for one in letters] == [
        ("A", SYSTEMS[0]), ("B", SYSTEMS[0]), ("A", SYSTEMS[0]), ("B", SYSTEMS[1]), ("A", SYSTEMS[1]), ("B", SYSTEMS[1]),
    ]  # fmt: skip
    assert study_of(sat.db, sat.study).disclosed_at is not None
    disclose(sat.db, sat.study, "again")
    reasons = [row[0] for row in sat.db.execute("SELECT reason FROM disclosure ORDER BY id")]
    assert reasons == ["all have rated", "again"]


def test_a_study_says_how_far_it_is(workspace):
    sat = sat_down(with_answers(workspace))
    sat.rate(0, empathy=3)
    sat.rate(1, empathy=5)
    skip(sat.db, sat.shown(2), "no sound")
    row = session_of(sat.db, sat.session.id)
    assert (row.planned, row.rated, row.skipped) == (6, 2, 1)
    assert (study_of(sat.db, sat.study).rated, study_of(sat.db, sat.study).skipped) == (2, 1)


def test_how_far_a_study_is_can_be_derived_anew(workspace):
    sat = sat_down(with_answers(workspace))
    sat.rate(0, empathy=3)
    skip(sat.db, sat.shown(2), "no sound")
    before = session_of(sat.db, sat.session.id)
    sat.db.execute("UPDATE assignment_state SET state = 'skipped'")
    sat.db.execute("INSERT INTO assignment_state VALUES (?, ?, 'rated')", (sat.items[4].id, sat.session.id))
    assert settle_all(sat.db) == 2
    assert session_of(sat.db, sat.session.id) == before


def test_what_is_not_there_is_said(db):
    for look, code in (
        (study_of, "rating.no_such_study"),
        (session_of, "rating.no_such_session"),
        (protocol_declaration, "rating.no_such_protocol"),
    ):
        with pytest.raises(EngineError) as raised:
            look(db, 99)
        assert raised.value.code == code


@pytest.mark.parametrize(
    "read",
    [sessions_of, studies_of]
    + [lambda db, of=of: of(db, 1) for of in (current_ratings, skipped_in, notes_in, undoable, redoable, rating_rows)],
)
def test_no_read_goes_through_all_that_was_ever_rated(workspace, read):
    """50 raters with 2,000 items each: what is about one session or one count is found by an index."""
    sat = sat_down(with_answers(workspace))
    sat.rate(0, empathy=3)
    queries: list[str] = []
    sat.db.set_trace_callback(queries.append)
    read(sat.db)
    sat.db.set_trace_callback(None)
    plans = [row[3] for query in set(queries) for row in sat.db.execute(f"EXPLAIN QUERY PLAN {query}")]
    large = ("assignment", "presentation", "heard", "rating", "remark", "assignment_state", "response", "mine", "taken")
    assert plans
    assert [plan for plan in plans if plan.startswith("SCAN") and plan.split()[1] in large] == []
