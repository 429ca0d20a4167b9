"""Our own export, taken into a workspace that has the same answers and none of the ratings, is whole there."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace

import pytest

from engine.rating.exchange.export import export_ratings
from engine.rating.exchange.reading import read_ratings
from engine.rating.exchange.take import take_ratings
from engine.rating.protocols import load_protocol
from engine.rating.quality import rater_quality
from engine.store.rating_rows import rating_rows, remark_rows
from engine.store.sittings import Remark, begin_sitting, commit, present, remark, skip
from engine.store.studies import assignments_of, disclose, sessions_of, studies_of
from tests.engine.rating.bundle.made import owner, rate, study

#: What a table cannot tell, or what is a number or a time of its own workspace.
_ELSEWHERE = {"response_id": 0, "instance_id": 0, "response_uid": "", "clip_s": None}


@pytest.fixture
def revealed(tmp_path, finish):
    """A workspace with a revealed session: one rater rated all but an item that was skipped, and flagged another."""
    workspace = owner(tmp_path / "here", finish)
    number, _ = study(workspace)
    rate(workspace)
    with closing(workspace.connect(durable=True)) as db:
        session = sessions_of(db, study_id=number)[0]
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        rows = assignments_of(workspace, db, session.id)
        skip(db, present(db, rows[4].id, sitting, {}), "no sound")
        remark(db, present(db, rows[5].id, sitting, {}), Remark("flag"))
        disclose(db, number, "all have rated")
    return workspace


def taken_in(workspace, path, finish, **more):
    read = finish(read_ratings(path))
    return finish(take_ratings(workspace, path, read.ratings, skips=read.skips, **more))


def told(workspace):
    with closing(workspace.connect()) as db:
        rows = [replace(row, **_ELSEWHERE) for row in rating_rows(db)]
        remarks = sorted((one.assignment_uid, one.kind, one.text, one.system) for one in remark_rows(db))
    return sorted(rows, key=lambda row: (row.session_uid, row.position, row.scale)), remarks


def test_every_rating_skip_note_and_flag_is_there_as_it_was(tmp_path, finish, revealed):
    export_ratings(revealed, tmp_path / "r.csv", "csv")
    other = owner(tmp_path / "there", finish)
    taken = taken_in(other, tmp_path / "r.csv", finish)
    assert (taken.problems, taken.skips, len(taken.studies)) == ((), 1, 1)
    assert told(other) == told(revealed)
    rows = told(other)[0]
    assert {row.kind for row in rows} == {"rated", "training", "gold", "trap", "repeat"}
    protocol = load_protocol("empathy_acoustic", "zh")
    assert {(row.protocol, row.protocol_version, row.protocol_sha256) for row in rows} == {
        (protocol.id, protocol.version, protocol.sha256)
    }
    with closing(other.connect()) as db:
        (made,) = studies_of(db)
        assert made.disclosed_at is not None and made.skipped == 1
    assert rater_quality(rows, protocol) == rater_quality(told(revealed)[0], protocol)


def test_the_same_file_again_and_a_longer_one_bring_only_what_is_new(tmp_path, finish, revealed):
    export_ratings(revealed, tmp_path / "first.csv", "csv")
    other = owner(tmp_path / "there", finish)
    taken_in(other, tmp_path / "first.csv", finish)
    for workspace in (other, revealed):
        again = taken_in(workspace, tmp_path / "first.csv", finish)
        assert (again.added, again.skips, again.problems) == (0, 0, ())
    with closing(revealed.connect(durable=True)) as db:
        second = sessions_of(db)[1]
        sitting = begin_sitting(db, second.rater_id, device="", sample_rate_hz=None, setup={})
        row = assignments_of(revealed, db, second.id)[0]
        commit(db, present(db, row.id, sitting, {}), {"empathy_acoustic": 2})
        first = sessions_of(db)[0]
        sitting = begin_sitting(db, first.rater_id, device="", sample_rate_hz=None, setup={})
        row = assignments_of(revealed, db, first.id)[1]
        commit(db, present(db, row.id, sitting, {}), {"empathy_acoustic": 5})
    export_ratings(revealed, tmp_path / "longer.csv", "csv")
    longer = taken_in(other, tmp_path / "longer.csv", finish)
    assert (longer.added, longer.problems) == (2, ())
    assert told(other) == told(revealed)


def test_a_comparison_comes_whole_too(tmp_path, finish):
    here = owner(tmp_path / "here", finish)
    number, _ = study(here, "comparison")
    with closing(here.connect(durable=True)) as db:
        session = sessions_of(db, study_id=number)[0]
        sitting = begin_sitting(db, session.rater_id, device="", sample_rate_hz=None, setup={})
        for row in assignments_of(here, db, session.id):
            commit(db, present(db, row.id, sitting, {}), {load_protocol("comparison", "zh").main.id: -1})
        disclose(db, number, "done")
    export_ratings(here, tmp_path / "r.csv", "csv")
    other = owner(tmp_path / "there", finish)
    assert taken_in(other, tmp_path / "r.csv", finish).problems == ()
    assert told(other) == told(here)
    with closing(here.connect()) as db, closing(other.connect()) as theirs:
        letters = (
            "SELECT uid, letter, other_letter FROM assignment WHERE uid IN (SELECT uid FROM assignment) ORDER BY uid"
        )
        had = {tuple(row) for row in db.execute(letters)}
        assert {tuple(row) for row in theirs.execute(letters)} <= had


def test_a_protocol_that_is_not_here_and_a_named_one_make_ratings_from_elsewhere(tmp_path, finish, revealed):
    export_ratings(revealed, tmp_path / "r.csv", "csv")
    other = owner(tmp_path / "there", finish)
    text = (tmp_path / "r.csv").read_text(encoding="utf-8-sig")
    sha = load_protocol("empathy_acoustic", "zh").sha256
    (tmp_path / "old.csv").write_text(text.replace(sha, "0" * 64), encoding="utf-8")
    assert taken_in(other, tmp_path / "old.csv", finish).added > 0
    with closing(other.connect()) as db:
        assert {row.protocol for row in rating_rows(db)} == {"outside"}
