"""What a person heard is kept as rows: added, taken back, given back, merged in any order, never changed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from engine.errors import EngineError
from engine.runs.imports import take_responses
from engine.store.corrections import LONGEST, add_correction, corrections_of, holding, sound_of, take_back, undo
from engine.store.workspace import open_workspace
from tests.engine.runs.made import response, tone, with_benchmark

COLUMNS = "uid, origin, origin_seq, response_id, audio_sha256, text, undoes, made_at"


@pytest.fixture
def spoken(workspace, finish, tmp_path):
    """Two systems that answered with the same sound, one with another, one with none."""
    with_benchmark(workspace)
    same, other = tone(tmp_path / "same.wav"), tone(tmp_path / "other.wav", hz=300)
    for system, answers in (
        ("one", [response(0, "少林", audio=same), response(1, "少林", audio=other), response(2, "少林")]),
        ("two", [response(0, "少林寺", audio=same)]),
    ):
        finish(take_responses(workspace, "vocalbench_zh", system, answers))
    return workspace


@pytest.fixture
def db(spoken):
    opened = spoken.connect(durable=True)
    yield opened
    opened.close()


def said(db, response_id):
    holds = holding(db, sound_of(db, response_id))
    return None if holds is None else holds.text


def ids(db, system):
    query = "SELECT response.id FROM response JOIN system ON system.id = system_id WHERE name = ? ORDER BY 1"
    return [row[0] for row in db.execute(query, (system,))]


def test_a_correction_is_of_a_sound_and_holds_for_every_answer_that_has_it(db):
    one, two = ids(db, "one"), ids(db, "two")
    assert add_correction(db, one[0], "  少林寺 \x00") is not None
    assert [said(db, number) for number in (one[0], one[1], two[0])] == ["少林寺", None, "少林寺"]


def test_the_same_text_is_not_kept_twice_and_nothing_said_is_a_text(db):
    (first, *_) = ids(db, "one")
    assert add_correction(db, first, "") is not None
    assert add_correction(db, first, " ") is None
    assert said(db, first) == ""


def test_taking_back_lets_the_one_before_hold_and_undo_of_anything_is_a_row(db):
    (first, *_) = ids(db, "one")
    add_correction(db, first, "甲")
    second = add_correction(db, first, "乙")
    act = take_back(db, second)
    assert said(db, first) == "甲"
    for turn in range(6):
        act = undo(db, act)
        assert act is not None
        assert said(db, first) == ("甲" if turn % 2 else "乙")
    assert db.execute("SELECT COUNT(*) FROM correction").fetchone()[0] == 2 + 1 + 6
    told = corrections_of(db, first)
    assert [(c.text, c.taken_back_at is None, c.is_own) for c in told] == [("甲", True, True), ("乙", False, True)]


def test_undo_does_nothing_where_nothing_is_left_to_undo(db):
    (first, *_) = ids(db, "one")
    uid = add_correction(db, first, "甲")
    assert undo(db, uid) is not None
    assert undo(db, uid) is None
    assert undo(db, "nobody") is None
    assert take_back(db, uid) is None


@pytest.mark.parametrize("statement", ["UPDATE correction SET text = 'other'", "DELETE FROM correction"])
def test_a_correction_cannot_be_changed_or_deleted(db, statement):
    (first, *_) = ids(db, "one")
    add_correction(db, first, "甲")
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        db.execute(statement)
    row = tuple(db.execute(f"SELECT id, {COLUMNS} FROM correction").fetchone())
    with pytest.raises(sqlite3.IntegrityError, match="only ever added"):
        db.execute(f"INSERT OR REPLACE INTO correction (id, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 'x', ?, ?)",
                   (*row[:6], *row[7:]))  # fmt: skip
    assert said(db, first) == "甲"


def test_rows_of_two_installations_say_the_same_whichever_comes_first(spoken, db, tmp_path):
    (first, *_) = ids(db, "one")
    sha256 = sound_of(db, first)
    theirs = [
        ("a", "elsewhere", 1, first, sha256, "丙", None, "2026-01-02T00:00:00.000Z"),
        ("b", "elsewhere", 2, first, sha256, "丁", None, "2026-01-03T00:00:00.000Z"),
        ("c", "elsewhere", 3, first, sha256, "丁", "b", "2026-01-04T00:00:00.000Z"),
    ]
    mine = add_correction(db, first, "甲")
    place = ", ".join("?" * 8)
    db.executemany(f"INSERT INTO correction ({COLUMNS}) VALUES ({place})", theirs)
    rows = [tuple(row) for row in db.execute(f"SELECT {COLUMNS} FROM correction")]
    told = [(c.uid, c.text, c.taken_back_at) for c in corrections_of(db, first)]
    other = open_workspace(tmp_path / "other", create=True)
    with sqlite3.connect(spoken.database) as source, other.connect() as copy:
        for table in ("benchmark", "instance", "system", "run", "audio", "response"):
            for row in source.execute(f"SELECT * FROM {table}"):
                copy.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
        for row in reversed(rows):  # what takes back comes before what it takes back
            copy.execute(f"INSERT INTO correction ({COLUMNS}) VALUES ({place})", row)
        assert [(c.uid, c.text, c.taken_back_at) for c in corrections_of(copy, first)] == told
        assert holding(copy, sha256).uid == mine
    copy.close()


def test_an_answer_without_sound_and_a_book_are_refused(db):
    one = ids(db, "one")
    for number, text, code in (
        (one[2], "甲", "correction_no_sound"),
        (one[0], "长" * (LONGEST + 1), "correction_long"),
    ):
        with pytest.raises(EngineError) as raised:
            add_correction(db, number, text)
        assert raised.value.code == f"store.{code}"
    assert db.execute("SELECT COUNT(*) FROM correction").fetchone()[0] == 0


@pytest.mark.parametrize(("moment", "kept"), [("before_commit", 0), ("after_commit", 1)])
def test_killed_around_the_commit_the_correction_and_its_rates_are_there_together_or_not_at_all(spoken, moment, kept):
    script = (
        "import sys; from pathlib import Path; from engine.runs.correction import correct;"
        "from engine.store.workspace import Workspace;"
        "correct(Workspace(Path(sys.argv[1])).connect(durable=True), 1, '少林')"
    )
    variables = {**os.environ, "AURICLE_KILL_AT": f"{moment}:1", "PYTHONPATH": ":".join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", script, str(spoken.folder)], env=variables, check=False)
    assert ended.returncode == -9
    db = spoken.connect()
    assert db.execute("SELECT COUNT(*) FROM correction").fetchone()[0] == kept
    transcripts = db.execute("SELECT COUNT(*) FROM transcript").fetchone()[0]
    assert transcripts == 2 * kept  # both systems have the sound
    rated = db.execute("SELECT COUNT(*) FROM audit_row WHERE syllable_error_rate IS NOT NULL").fetchone()[0]
    assert rated == 2 * kept
    db.close()
