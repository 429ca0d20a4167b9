"""What a rater does: kept whole, current by what was said last, undone and done again across items and restarts."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta

import pytest

from engine.errors import EngineError
from engine.store.rating_tables import PEOPLES_ROWS
from engine.store.sittings import (
    Heard,
    Remark,
    commit,
    current_ratings,
    flagged_in,
    listened,
    notes_in,
    present,
    redoable,
    remark,
    skip,
    skipped_in,
    undo,
    undoable,
    what_stands,
)
from engine.store.studies import session_of
from engine.store.workspace import open_workspace
from tests.engine.store.rated import sat_down, with_answers

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)


@pytest.fixture
def sat(workspace):
    return sat_down(with_answers(workspace))


def values(sat) -> dict[int, dict]:
    """The current values by place."""
    places = {item.id: place for place, item in enumerate(sat.items)}
    found = current_ratings(sat.db, sat.session.id)
    return {places[n]: {scale: one.value for scale, one in scales.items()} for n, scales in found.items()}


def test_the_fields_of_an_item_are_kept_together_with_what_was_heard(sat):
    shown = sat.shown(0)
    heard = [
        Heard("question", ((0.0, 2.0, 1.0),), None),
        Heard("answer", ((0.0, 1.5, 1.0), (0.5, 3.0, 1.25)), 0.875, 2),
    ]
    act = commit(sat.db, shown, {"empathy": 4, "emotion": "sad"}, heard, [Remark("note", "很温柔")], active_s=12.5)
    assert values(sat) == {0: {"empathy": 4, "emotion": "sad"}}
    assert notes_in(sat.db, sat.session.id) == {sat.items[0].id: "很温柔"}
    assert (act.count, act.assignment_id, act.presentation_id) == (3, sat.items[0].id, shown)
    rows = sat.db.execute("SELECT clip, spans, voiced_share, underruns FROM heard ORDER BY id").fetchall()
    assert [tuple(row) for row in rows] == [
        ("question", "[[0.0, 2.0, 1.0]]", None, 0),
        ("answer", "[[0.0, 1.5, 1.0], [0.5, 3.0, 1.25]]", 0.875, 2),
    ]
    assert [row[0] for row in sat.db.execute("SELECT DISTINCT active_s FROM rating")] == [12.5]


def test_a_field_that_cannot_be_kept_keeps_the_others_out(sat):
    with pytest.raises(sqlite3.IntegrityError):
        commit(sat.db, sat.shown(0), {"empathy": 4}, [Heard("answer", (), 1.0)], [Remark("hum")])
    assert values(sat) == {}
    assert sat.db.execute("SELECT COUNT(*) FROM heard").fetchone()[0] == 0
    for wrong in (True, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            commit(sat.db, sat.shown(0), {"empathy": wrong})
    with pytest.raises(EngineError) as raised:
        remark(sat.db, sat.shown(0), Remark("note", "x" * 20_001))
    assert raised.value.code == "store.note_long"


def test_the_last_word_on_a_scale_counts_and_none_leaves_it_open_again(sat):
    sat.rate(0, refused="complied", severity=3)
    sat.rate(0, refused="refused", severity=None)
    assert values(sat) == {0: {"refused": "refused"}}
    sat.rate(0, comment=1.5)
    assert values(sat) == {0: {"refused": "refused", "comment": 1.5}}
    sat.rate(0, refused=None, comment=None)
    assert values(sat) == {}
    assert session_of(sat.db, sat.session.id).rated == 0


def test_a_clock_set_back_reorders_nothing(sat):
    for hours, value in ((0, 1), (-5, 2), (-20, 3)):
        commit(sat.db, sat.shown(0), {"empathy": value}, at=NOON + timedelta(hours=hours))
    assert values(sat) == {0: {"empathy": 3}}
    undo(sat.db, undoable(sat.db, sat.session.id), at=NOON - timedelta(days=400))
    assert values(sat) == {0: {"empathy": 2}}
    undo(sat.db, redoable(sat.db, sat.session.id), at=NOON - timedelta(days=900))
    assert values(sat) == {0: {"empathy": 3}}


def test_a_skip_voids_the_rating_before_it_and_a_rating_the_skip(sat):
    item = sat.items[0].id
    sat.rate(0, empathy=2)
    skipped = skip(sat.db, sat.shown(0), "分不清", [Heard("answer", ((0, 1, 1),), 0.1)])
    assert (values(sat), skipped_in(sat.db, sat.session.id)) == ({}, {item: "分不清"})
    undo(sat.db, skipped)
    assert (values(sat), skipped_in(sat.db, sat.session.id)) == ({0: {"empathy": 2}}, {})
    skip(sat.db, sat.shown(0), "分不清")
    sat.rate(0, emotion="sad")
    assert (values(sat), skipped_in(sat.db, sat.session.id)) == ({0: {"emotion": "sad"}}, {})
    skip(sat.db, sat.shown(1), "x")
    remark(sat.db, sat.shown(1), Remark("skip", holds=False))
    row = session_of(sat.db, sat.session.id)
    assert (row.rated, row.skipped, skipped_in(sat.db, sat.session.id)) == (1, 0, {})


def test_flags_notes_and_tags_come_and_go(sat):
    shown, item = sat.shown(0), sat.items[0].id
    remark(sat.db, shown, Remark("flag"))
    remark(sat.db, shown, Remark("note", "first"))
    remark(sat.db, shown, Remark("note", "second  "))
    assert (flagged_in(sat.db, sat.session.id), notes_in(sat.db, sat.session.id)) == ({item}, {item: "second"})
    remark(sat.db, shown, Remark("flag", holds=False))
    remark(sat.db, shown, Remark("note", ""))
    assert (flagged_in(sat.db, sat.session.id), notes_in(sat.db, sat.session.id)) == (frozenset(), {})
    undo(sat.db, undoable(sat.db, sat.session.id))
    undo(sat.db, undoable(sat.db, sat.session.id))
    assert (flagged_in(sat.db, sat.session.id), notes_in(sat.db, sat.session.id)) == ({item}, {item: "second"})


def test_an_act_is_undone_as_a_whole_and_done_again_as_a_whole(sat):
    item = sat.items[0].id
    commit(sat.db, sat.shown(0), {"empathy": 4, "emotion": "sad"}, (), [Remark("note", "n"), Remark("flag")])
    undone = undo(sat.db, undoable(sat.db, sat.session.id))
    assert (undone.count, undone.assignment_id) == (4, item)
    assert (values(sat), notes_in(sat.db, sat.session.id), flagged_in(sat.db, sat.session.id)) == ({}, {}, frozenset())
    undo(sat.db, redoable(sat.db, sat.session.id))
    assert values(sat) == {0: {"empathy": 4, "emotion": "sad"}}
    assert (notes_in(sat.db, sat.session.id), flagged_in(sat.db, sat.session.id)) == ({item: "n"}, {item})


def test_undo_and_redo_go_on_across_items_after_a_restart(sat):
    for place, value in enumerate((1, 2, 3)):
        sat.rate(place, empathy=value)
    undo(sat.db, undoable(sat.db, sat.session.id))
    sat.db.close()
    db = open_workspace(sat.workspace.folder).connect(durable=True)
    act = undoable(db, sat.session.id)
    assert act.assignment_id == sat.items[1].id
    undo(db, act)
    db.close()
    db = open_workspace(sat.workspace.folder).connect(durable=True)
    undo(db, redoable(db, sat.session.id))
    undo(db, redoable(db, sat.session.id))
    assert redoable(db, sat.session.id) is None
    found = current_ratings(db, sat.session.id)
    assert [found[item.id]["empathy"].value for item in sat.items[:3]] == [1, 2, 3]


def test_what_is_done_after_an_undo_ends_what_could_be_done_again(sat):
    sat.rate(0, empathy=1)
    sat.rate(1, empathy=2)
    undo(sat.db, undoable(sat.db, sat.session.id))
    remark(sat.db, sat.shown(2), Remark("flag"))
    assert redoable(sat.db, sat.session.id) is None
    assert values(sat) == {0: {"empathy": 1}}


def test_undoing_twice_does_nothing_the_second_time(sat):
    act = sat.rate(0, empathy=1)
    assert undo(sat.db, act).count == 1
    assert undo(sat.db, act).count == 0
    assert values(sat) == {}
    assert undoable(sat.db, sat.session.id) is None


def test_another_sessions_acts_are_not_undone_here(sat):
    other = sat_down(sat.workspace, "王")
    sat.rate(0, empathy=1)
    other.rate(0, empathy=5)
    assert undoable(sat.db, sat.session.id).assignment_id == sat.items[0].id
    assert undoable(other.db, other.session.id).assignment_id == other.items[0].id


def test_what_was_heard_without_a_rating_is_kept_and_is_nothing_to_undo(sat):
    listened(sat.db, sat.shown(0), [Heard("answer", ((0.0, 1.0, 1.0),), 0.5)])
    assert sat.db.execute("SELECT voiced_share FROM heard").fetchone()[0] == 0.5
    assert undoable(sat.db, sat.session.id) is None


@pytest.mark.parametrize("table", PEOPLES_ROWS)
def test_no_row_that_people_made_can_be_changed_or_removed(sat, table):
    commit(sat.db, sat.shown(0), {"empathy": 1}, [Heard("answer", (), 1.0)], [Remark("flag")])
    sat.db.execute(
        "INSERT INTO disclosure (uid, origin, origin_seq, made_at, study_id, reason) VALUES ('u', 'o', 1, '', 1, 'r')"
    )
    for statement in (f"UPDATE {table} SET made_at = ''", f"DELETE FROM {table}"):
        with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
            sat.db.execute(statement)
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        sat.db.execute(f"REPLACE INTO {table} SELECT * FROM {table}")


def test_an_item_stands_before_its_own_rater_only(sat):
    other = sat_down(sat.workspace, "王")
    with pytest.raises(ValueError, match="another"):
        present(sat.db, sat.items[0].id, other.sitting, {})
    assert sat.db.execute("SELECT COUNT(*) FROM presentation").fetchone()[0] == 0


def test_a_skip_and_what_else_is_said_of_the_item_are_one_act(sat):
    item = sat.items[0].id
    sat.rate(1, empathy=2)
    act = skip(sat.db, sat.shown(0), "no sound", (), [Remark("flag"), Remark("note", "silence")])
    stands = what_stands(sat.db, sat.session.id)
    assert (stands.skipped, stands.flagged, stands.notes) == ({item: "no sound"}, {item}, {item: "silence"})
    assert stands.ratings == current_ratings(sat.db, sat.session.id)
    undo(sat.db, act)
    stands = what_stands(sat.db, sat.session.id)
    assert (stands.skipped, stands.flagged, stands.notes) == ({}, frozenset(), {})
