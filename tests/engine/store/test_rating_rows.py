"""Ratings in long form: one row for each assignment and scale that counts, and on demand all that ever were."""

from __future__ import annotations

import dataclasses
import json

import pytest

from engine.store.raters import add_rater
from engine.store.rating_rows import rating_rows, remark_rows
from engine.store.sittings import Heard, Remark, begin_sitting, commit, present, remark, skip, undo
from engine.store.studies import NewSession, NewStudy, add_study, assignments_of, sessions_of
from tests.engine.store.rated import SYSTEMS, answers, new_assignment, protocol, sat_down, with_answers


@pytest.fixture
def sat(workspace):
    return sat_down(with_answers(workspace))


def test_a_row_places_a_rating(sat):
    heard = [
        Heard("question", ((0, 1, 1),), 0.1),
        Heard("answer", ((0, 1, 1),), 0.4),
        Heard("answer", ((0, 3, 1),), 0.9),
    ]
    commit(sat.db, sat.shown(3), {"empathy": 4}, heard, active_s=7.5, is_before_reveal=False)
    (row,) = rating_rows(sat.db, sat.study)
    uid = sat.db.execute("SELECT uid FROM response WHERE id = ?", (row.response_id,)).fetchone()[0]
    assert (row.rater, row.protocol, row.protocol_version, row.language) == ("林", "empathy_acoustic", 1, "zh")
    assert (row.position, row.kind, row.letter, row.system) == (4, "rated", "B", SYSTEMS[1])
    assert (row.response_uid, row.benchmark, row.instance_key) == (uid, "vocalbench_zh", "chinese_knowledge-0000")
    assert (row.selection, row.pi, row.split, row.stage) == ("random", 0.25, "test", "estimation")
    assert (row.scale, row.value, row.active_s, row.voiced_share) == ("empathy", 4, 7.5, 0.9)
    assert (row.is_before_reveal, row.device, row.is_current, row.stands) == (False, "Headset", True, True)
    assert row.assignment_uid == sat.items[3].uid


def test_the_history_has_what_was_rated_over_skipped_and_taken_back(sat):
    sat.rate(0, empathy=1)
    sat.rate(0, empathy=2)
    undo(sat.db, sat.rate(1, empathy=3))
    sat.rate(2, empathy=4)
    skip(sat.db, sat.shown(2), "no")
    assert [(row.position, row.value) for row in rating_rows(sat.db)] == [(1, 2)]
    history = rating_rows(sat.db, with_history=True)
    assert [(row.position, row.value, row.is_current, row.stands) for row in history] == [
        (1, 1, False, True),
        (1, 2, True, True),
        (2, 3, False, False),
        (3, 4, False, True),
    ]


def test_what_was_rated_before_the_transcript_was_shown_can_be_read_alone(sat):
    sat.rate(0, empathy=2)
    commit(sat.db, sat.shown(0), {"empathy": 5}, is_before_reveal=False)
    assert [row.value for row in rating_rows(sat.db)] == [5]
    assert [row.value for row in rating_rows(sat.db, before_reveal=True)] == [2]


def test_studies_are_read_apart_or_together(sat):
    other = sat_down(sat.workspace, "王")
    sat.rate(0, empathy=1)
    other.rate(0, empathy=5)
    assert [row.rater for row in rating_rows(sat.db, sat.study)] == ["林"]
    assert [row.rater for row in rating_rows(sat.db, other.study)] == ["王"]
    assert {row.rater for row in rating_rows(sat.db)} == {"林", "王"}


def test_a_comparison_names_both_systems_and_counts_the_lesser_hearing(workspace):
    db = with_answers(workspace).connect(durable=True)
    one, two = answers(db)[0], answers(db)[3]
    for seconds, number in ((2.0, one), (3.5, two)):
        db.execute("INSERT INTO audio (sha256, byte_count, kept, path, facts) VALUES (?, 1, 'copy', ?, ?)",
                   (f"s{number}", f"p{number}", json.dumps({"duration_s": seconds})))  # fmt: skip
        db.execute("UPDATE response SET audio_id = last_insert_rowid() WHERE id = ?", (number,))
    rater = add_rater(db, "a")
    items = [new_assignment(one, "A", other_response_id=two, other_letter="B"),
             new_assignment(one, "A", kind="gold", expected={"preference": "B"}, pi=None),
             new_assignment(one, "A", kind="repeat", repeats=0)]  # fmt: skip
    add_study(db, NewStudy("t", 1, "random", "estimation", {}, None, [NewSession(rater.id, protocol(db), 1, items)]))
    shown = assignments_of(workspace, db, sessions_of(db)[0].id)
    sitting = begin_sitting(db, rater.id, device="d", sample_rate_hz=None, setup={})
    heard = [Heard("answer", (), 0.9), Heard("other", (), 0.6)]
    for item in shown:
        commit(db, present(db, item.id, sitting, {}), {"preference": "A"}, heard)
    first, gold, repeat = rating_rows(db)
    assert (first.system, first.other_system, first.clip_s, first.voiced_share) == (*SYSTEMS, 5.5, 0.6)
    assert (gold.expected, gold.other_system, gold.clip_s) == ("B", None, 2.0)
    assert (repeat.repeat_of, first.repeat_of) == (first.assignment_uid, None)


def test_remarks_that_hold_are_told_with_what_they_are_about(sat):
    shown = sat.shown(1)
    skip(sat.db, shown, "no sound")
    remark(sat.db, shown, Remark("span_tag", "breath", "answer", 0.5, 1.25))
    remark(sat.db, shown, Remark("span_tag", "noise", "answer", 0.5, 1.25))
    remark(sat.db, shown, Remark("span_tag", "noise", "answer", 0.5, 1.25, holds=False))
    undo(sat.db, remark(sat.db, shown, Remark("flag")))
    rows = remark_rows(sat.db, sat.study)
    assert [(row.kind, row.text, row.start_s, row.end_s) for row in rows] == [
        ("skip", "no sound", None, None),
        ("span_tag", "breath", 0.5, 1.25),
    ]
    assert {(row.system, row.letter, row.position) for row in rows} == {(SYSTEMS[0], "B", 2)}


def test_a_row_is_plain_values_all_through(sat):
    sat.rate(0, empathy=1)
    json.dumps([dataclasses.asdict(row) for row in rating_rows(sat.db)])
