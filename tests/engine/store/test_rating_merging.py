"""What was said under a study travels: once, in any order, whole, and only to what it is about."""

from __future__ import annotations

import copy
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest

from engine.bring.chest import MANIFEST
from engine.bring.merge import merge
from engine.bring.pack import pack
from engine.store.origin import next_origin
from engine.store.raters import owner_of, raters_of
from engine.store.rating_merging import ratings_in
from engine.store.rating_packing import SAID, ratings_out
from engine.store.rating_rows import rating_rows, remark_rows
from engine.store.rating_tables import PEOPLES_ROWS
from engine.store.sittings import (
    Heard,
    Remark,
    begin_sitting,
    commit,
    current_ratings,
    present,
    redoable,
    remark,
    skip,
    undo,
    undoable,
)
from engine.store.studies import (
    NewSession,
    NewStudy,
    add_study,
    assignments_of,
    disclose,
    sessions_of,
    studies_of,
    study_of,
)
from engine.store.workspace import open_workspace
from tests.engine.store.rated import Sat, answers, new_assignment, protocol, sat_down, with_answers

NUMBERS = {"id", "study_id", "rater_id", "protocol_id", "session_id", "assignment_id", "presentation_id", "sitting_id",
           "response_id", "other_response_id"}  # fmt: skip


def people(workspace) -> dict[str, list]:
    """All that people's rating tables hold, and what is derived of it, without row numbers."""
    with closing(workspace.connect()) as db:
        found = {}
        for table in (*PEOPLES_ROWS, "protocol"):
            rows = [dict(row) for row in db.execute(f"SELECT * FROM {table}")]
            rows = [{k: v for k, v in row.items() if k not in NUMBERS} for row in rows]
            found[table] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
        state = "SELECT uid, state FROM assignment_state JOIN assignment ON assignment.id = assignment_id ORDER BY uid"
        found["state"] = [tuple(row) for row in db.execute(state)]
        found["rows"] = sorted((r.assignment_uid, r.scale, str(r.value), r.device) for r in rating_rows(db))
        found["remarks"] = sorted((r.assignment_uid, r.kind, r.text) for r in remark_rows(db))
    return found


@pytest.fixture
def elsewhere(tmp_path, finish) -> Callable[[Sat, str], Sat]:
    """The same study in another workspace, brought there by a pack, with its rater sitting down there."""

    def bring(sat: Sat, name: str) -> Sat:
        finish(pack(sat.workspace, tmp_path / f"to-{name}.zip", replace=True))
        workspace = open_workspace(tmp_path / name, create=True)
        finish(merge(workspace, tmp_path / f"to-{name}.zip"))
        db = workspace.connect(durable=True)
        session = sessions_of(db)[0]
        items = assignments_of(workspace, db, session.id)
        sitting = begin_sitting(db, session.rater_id, device=name, sample_rate_hz=44_100, setup={})
        return Sat(workspace, db, session.study_id, sat.rater, session, items, sitting)

    return bring


@pytest.fixture
def home(workspace) -> Sat:
    return sat_down(with_answers(workspace))


def busy(sat: Sat, seed: int) -> None:
    """A rater's hour, in short."""
    dice = random.Random(seed)
    for _ in range(12):
        shown = sat.shown(dice.randrange(len(sat.items)))
        kind = dice.choice(["commit", "commit", "skip", "undo", "redo", "remark"])
        if kind == "commit":
            heard = [Heard("answer", ((0.0, 1.0, 1.0),), dice.random())]
            commit(sat.db, shown, {"empathy": dice.randint(1, 5), "emotion": dice.choice(["sad", None])}, heard)
        elif kind == "skip":
            skip(sat.db, shown, f"no {seed}")
        elif kind == "remark":
            remark(sat.db, shown, Remark("note", f"note {seed}"))
        elif (act := (undoable if kind == "undo" else redoable)(sat.db, sat.session.id)) is not None:
            undo(sat.db, act)


def told(sat: Sat) -> dict:
    return json.loads(json.dumps(ratings_out(sat.db, study_uid=study_of(sat.db, sat.study).uid)))


def test_a_pack_carries_a_study_with_all_that_was_said_under_it(home, finish, tmp_path):
    busy(home, 1)
    disclose(home.db, home.study, "done")
    target = open_workspace(tmp_path / "target", create=True)
    finish(pack(home.workspace, tmp_path / "home.zip"))
    merged = finish(merge(target, tmp_path / "home.zip"))
    assert (merged.added["assignment"], merged.conflicts) == (6, ())
    assert people(target) == people(home.workspace)
    again = finish(merge(target, tmp_path / "home.zip"))
    assert (sum(again.added.values()), again.conflicts) == (0, ())
    assert people(target) == people(home.workspace)


def test_a_study_half_of_whose_answers_are_packed_stays_at_home(home, finish, tmp_path):
    target = open_workspace(tmp_path / "target", create=True)
    finish(pack(home.workspace, tmp_path / "one.zip", system="MiniCPM-o"))
    finish(merge(target, tmp_path / "one.zip"))
    with closing(target.connect()) as db:
        assert (studies_of(db), len(answers(db))) == ((), 3)


def test_a_pack_of_the_version_before_is_taken_in(home, finish, tmp_path):
    finish(pack(home.workspace, tmp_path / "pack"))
    manifest = json.loads((tmp_path / "pack" / MANIFEST).read_text(encoding="utf-8"))
    for kind in ("raters", "protocols", "studies", "sessions", "sittings", "presentations"):
        del manifest["files"][f"rows/{kind}.jsonl"]
        (tmp_path / "pack" / "rows" / f"{kind}.jsonl").unlink()
    (tmp_path / "pack" / MANIFEST).write_text(json.dumps(manifest | {"version": 1}), encoding="utf-8")
    target = open_workspace(tmp_path / "target", create=True)
    assert finish(merge(target, tmp_path / "pack")).added["response"] == 6


def test_two_stores_that_went_on_alone_say_the_same_once_merged_in_any_order(home, elsewhere, finish, tmp_path):
    home.rate(0, empathy=1)
    away, third = elsewhere(home, "away"), elsewhere(home, "third")
    busy(home, 2)
    busy(away, 3)
    for sat, name in ((home, "home"), (away, "away")):
        finish(pack(sat.workspace, tmp_path / f"{name}.zip", replace=True))
    for workspace, order in (
        (home.workspace, ["away"]),
        (away.workspace, ["home"]),
        (third.workspace, ["away", "home"]),
    ):
        for name in (*order, *order):
            assert finish(merge(workspace, tmp_path / f"{name}.zip")).conflicts == ()
    assert {k: v for k, v in people(third.workspace).items() if k != "sitting"} == {
        k: v for k, v in people(home.workspace).items() if k != "sitting"
    }
    assert people(home.workspace) == people(away.workspace)


@pytest.mark.parametrize("seed", range(3))
def test_results_come_home_in_any_order_and_twice(home, elsewhere, seed):
    away, third = elsewhere(home, "away"), elsewhere(home, "third")
    busy(away, 10 + seed)
    early = told(away)
    busy(away, 20 + seed)
    busy(third, 30 + seed)
    files = [early, told(away), told(third)]
    twin = elsewhere(home, "twin")
    random.Random(seed).shuffle(files)
    for file in files:
        assert ratings_in(home.db, file).refused == []
    for file in [*reversed(files), *files]:
        assert not ratings_in(twin.db, file).conflicts
    here, there = people(home.workspace), people(twin.workspace)
    for table in ("presentation", "heard", "rating", "remark", "state", "rows", "remarks"):
        assert here[table] == there[table]
    assert here["rating"]


def test_results_name_no_answer_and_no_system(home):
    busy(home, 4)
    file = json.dumps(told(home))
    uids = [row[0] for row in home.db.execute("SELECT uid FROM response UNION SELECT name FROM system")]
    assert not [uid for uid in uids if uid in file]


def test_rows_that_are_about_nothing_here_are_refused_one_by_one(home, elsewhere, tmp_path):
    away = elsewhere(home, "away")
    away.rate(0, empathy=2)
    away.rate(1, empathy=3)
    file = told(away)
    file["presentations"][0]["assignment"] = "nobody"
    taken = ratings_in(home.db, file)
    assert [(one.table, one.why) for one in taken.refused] == [("presentation", "unknown")]
    assert taken.added == {"sitting": 1, "presentation": 1, "rating": 1}
    empty = open_workspace(tmp_path / "empty", create=True).connect(durable=True)
    taken = ratings_in(empty, file)
    assert [(one.table, one.why) for one in taken.refused] == [("sitting", "unknown")] + 2 * [
        ("presentation", "unknown")
    ]
    assert sum(taken.added.values()) == 0


def test_nobody_speaks_for_another_rater(home, elsewhere):
    other = sat_down(home.workspace, "王")
    other.rate(0, empathy=5)
    mine = other.db.execute("SELECT uid FROM rating").fetchone()[0]
    away = elsewhere(home, "away")
    sat = next(s for s in sessions_of(away.db) if s.rater_name == "林")
    item = assignments_of(away.workspace, away.db, sat.id)[0]
    sitting = begin_sitting(away.db, sat.rater_id, device="d", sample_rate_hz=None, setup={})
    commit(away.db, present(away.db, item.id, sitting, {}), {"empathy": 1})
    uid = study_of(away.db, sat.study_id).uid
    file = json.loads(json.dumps(ratings_out(away.db, study_uid=uid)))

    forged = copy.deepcopy(file)
    forged["presentations"][0]["rating"][0] |= {"undoes": mine, "value": None}
    assert [one.why for one in ratings_in(home.db, forged).refused] == ["unreadable"]
    forged = copy.deepcopy(file)
    forged["presentations"][0]["assignment"] = other.items[0].uid
    assert [one.why for one in ratings_in(home.db, forged).refused] == ["other_rater"]
    assert current_ratings(other.db, other.session.id)[other.items[0].id]["empathy"].value == 5


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        ("rating", "value", True),
        ("rating", "value", [5]),
        ("rating", "turn", 1 << 60),
        ("rating", "turn", "1"),
        ("rating", "origin_seq", 0),
        ("rating", "scale", None),
        ("rating", "made_at", "yesterday"),
        ("remark", "kind", "hum"),
        ("remark", "start_s", "0"),
        ("heard", "spans", "[["),
        ("heard", "clip", 3),
    ],
)
def test_a_presentation_with_one_row_that_cannot_be_is_refused_whole(home, elsewhere, table, column, value):
    away = elsewhere(home, "away")
    commit(away.db, away.shown(0), {"empathy": 2}, [Heard("answer", (), 1.0)], [Remark("flag")])
    away.rate(1, empathy=3)
    file = told(away)
    file["presentations"][0][table][0][column] = value
    taken = ratings_in(home.db, file)
    assert [(one.table, one.why) for one in taken.refused] == [("presentation", "unreadable")]
    assert taken.added == {"sitting": 1, "presentation": 1, "rating": 1}
    assert people(home.workspace)["heard"] == []


def test_what_is_here_and_says_otherwise_stays_and_is_told(home, elsewhere):
    away = elsewhere(home, "away")
    away.rate(0, empathy=2)
    file = told(away)
    ratings_in(home.db, file)
    before = people(home.workspace)
    file["presentations"][0]["rating"][0]["value"] = 5
    taken = ratings_in(home.db, file)
    assert [conflict.table for conflict in taken.conflicts] == ["rating"]
    assert people(home.workspace) == before


@pytest.mark.parametrize("file", [{}, {"sittings": 3}, {"presentations": [3, None, {"uid": 1}], "sittings": ["x"]}])
def test_a_file_of_something_else_is_refused_without_harm(home, file):
    before = people(home.workspace)
    assert sum(ratings_in(home.db, file).added.values()) == 0
    assert people(home.workspace) == before


def test_a_store_restored_from_before_gives_no_number_twice(home, elsewhere):
    """What was rated since comes home; the next row must not take a number that one of these has."""
    away = elsewhere(home, "away")
    origin = home.db.execute("SELECT origin FROM installation").fetchone()[0]
    away.rate(0, empathy=2)
    file = told(away)
    for presentation in file["presentations"]:
        for row in (presentation, *(row for table in SAID for row in presentation[table])):
            row |= {"origin": origin, "origin_seq": row["origin_seq"] + 500}
    ratings_in(home.db, file)
    highest = max(row["origin_seq"] for p in file["presentations"] for row in (p, *p["rating"]))
    assert next_origin(home.db)[2] > highest


def test_what_was_said_knowing_of_another_comes_after_it_whatever_the_clocks_say(home, elsewhere):
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    away = elsewhere(home, "away")
    commit(home.db, home.shown(0), {"empathy": 1}, at=noon + timedelta(days=365))
    ratings_in(away.db, told(home))
    commit(away.db, away.shown(0), {"empathy": 2}, at=noon - timedelta(days=365))
    ratings_in(home.db, told(away))
    for sat in (home, away):
        assert [row.value for row in rating_rows(sat.db)] == [2]
    skip(home.db, home.shown(0), "no", at=noon - timedelta(days=800))
    ratings_in(away.db, told(home))
    assert [rating_rows(sat.db) for sat in (home, away)] == [(), ()]


def test_where_neither_knew_of_the_other_the_later_one_counts_in_both(home, elsewhere):
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    away = elsewhere(home, "away")
    commit(home.db, home.shown(0), {"empathy": 1}, at=noon + timedelta(hours=1))
    commit(away.db, away.shown(0), {"empathy": 2}, at=noon)
    mine, theirs = told(home), told(away)
    ratings_in(away.db, mine)
    ratings_in(home.db, theirs)
    assert [[row.value for row in rating_rows(sat.db)] for sat in (home, away)] == [[1], [1]]


def test_an_undo_reaches_only_what_was_done_in_this_workspace(home, elsewhere):
    away = elsewhere(home, "away")
    home.rate(0, empathy=1)
    away.rate(0, empathy=2)
    ratings_in(home.db, told(away))
    undo(home.db, undoable(home.db, home.session.id))
    assert undoable(home.db, home.session.id) is None
    assert [row.value for row in rating_rows(home.db)] == [2]


@pytest.mark.parametrize("moment", ["merge_ratings:1", "merge_ratings:2", "before_commit:7", "after_commit:7"])
def test_a_merge_killed_among_the_ratings_is_completed_by_the_same_merge(home, finish, tmp_path, moment):
    busy(home, 5)
    finish(pack(home.workspace, tmp_path / "home.zip"))
    target = open_workspace(tmp_path / "target", create=True)
    command = [
        sys.executable,
        "-P",
        "-m",
        "engine.cli.main",
        "merge",
        str(tmp_path / "home.zip"),
        "-w",
        str(target.folder),
    ]
    killed = subprocess.run(command, env={**os.environ, "AURICLE_KILL_AT": moment}, check=False, capture_output=True)
    assert killed.returncode == -9
    again = subprocess.run(command, check=False, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert people(target) == people(home.workspace)


def test_the_owner_of_a_merged_store_is_one_rater_of_many_here(home, elsewhere):
    owner = owner_of(home.db)
    session = NewSession(owner.id, protocol(home.db), 1, [new_assignment(answers(home.db)[0])])
    add_study(home.db, NewStudy("mine", 1, "manual", "diagnosis", {}, None, [session]))
    away = elsewhere(home, "away")
    assert owner.uid in {rater.uid for rater in raters_of(away.db)}
    assert owner_of(away.db).uid != owner.uid
    assert owner_of(away.db) == owner_of(away.db)
