"""A full disk, a store that may not be written or that others keep: a sentence, nothing lost, and a second try works."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.store.sittings import Heard, Remark, commit, current_ratings, undo
from tests.engine.store.rated import sat_down, with_answers


@pytest.fixture
def sat(workspace):
    made = sat_down(with_answers(workspace))
    made.rate(0, empathy=3)
    return made


def state(sat) -> tuple:
    """Everything that people's tables hold, and what counts."""
    tables = ("rating", "remark", "heard", "presentation", "assignment_state")
    rows = [tuple(tuple(row) for row in sat.db.execute(f"SELECT * FROM {table}")) for table in tables]
    return rows, current_ratings(sat.db, sat.session.id), sat.db.execute("SELECT next_seq FROM installation").fetchone()


def refused_and_tried_again(sat, code: str, mend) -> None:
    """A commit fails with ``code`` and both sentences, leaves all as it was, and works once things are mended."""
    before, shown = state(sat), sat.items[1].id
    presented = sat.db.execute("SELECT id FROM presentation ORDER BY id DESC").fetchone()[0]
    act = [{"empathy": 5, "emotion": "sad"}, [Heard("answer", ((0.0, 1.0, 1.0),), 1.0)], [Remark("note", "x" * 5000)]]
    with pytest.raises(EngineError) as raised:
        commit(sat.db, presented, *act)
    assert raised.value.code == code
    assert raised.value.sentence("en") and raised.value.sentence("zh")
    mend()
    assert state(sat) == before
    assert not sat.db.in_transaction
    commit(sat.db, presented, *act)
    assert current_ratings(sat.db, sat.session.id)[shown]["emotion"].value == "sad"
    assert sat.db.execute("SELECT COUNT(*) FROM heard").fetchone()[0] == 1


def test_a_full_disk_loses_nothing(sat):
    sat.shown(1)
    pages = sat.db.execute("PRAGMA page_count").fetchone()[0]
    sat.db.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own way of having no room left
    refused_and_tried_again(sat, "store.cannot_write", lambda: sat.db.execute("PRAGMA max_page_count = 1000000"))


def test_a_store_that_may_not_be_written_loses_nothing(sat):
    sat.shown(1)
    sat.db.execute("PRAGMA query_only = 1")
    refused_and_tried_again(sat, "store.cannot_write", lambda: sat.db.execute("PRAGMA query_only = 0"))


def test_a_database_that_another_program_keeps_loses_nothing(sat):
    """A browser of databases knows no lock of ours: SQLite's own wait ends, here sooner than after its 10 s."""
    sat.shown(1)
    sat.db.execute("PRAGMA busy_timeout = 30")
    other = sqlite3.connect(sat.workspace.database, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused_and_tried_again(sat, "store.busy", lambda: other.execute("ROLLBACK"))
    other.close()


def test_another_process_that_keeps_the_lock_is_waited_for_and_nothing_is_lost(sat, monkeypatch):
    sat.shown(1)
    monkeypatch.setattr("engine.store.transaction.LOCK_TIMEOUT_S", 0.05)
    with _keeper(sat.workspace.database) as keeper:
        refused_and_tried_again(sat, "store.busy", lambda: keeper.communicate("go\n"))


def test_a_commit_that_waits_for_another_process_is_written_when_it_ends(sat):
    with _keeper(sat.workspace.database) as keeper:
        assert keeper.stdin is not None
        keeper.stdin.write("go\n")  # it ends while this one waits, or did already
        keeper.stdin.flush()
        act = sat.rate(1, empathy=4)
    assert current_ratings(sat.db, sat.session.id)[sat.items[1].id]["empathy"].value == 4
    assert undo(sat.db, act).count == 1


@pytest.mark.skipif(os.name == "nt", reason="there an open file cannot be moved away")
def test_a_drive_taken_away_is_said_and_nothing_is_made_in_its_place(sat, tmp_path):
    sat.shown(1)
    folder, away = sat.workspace.folder, tmp_path / "away"
    folder.rename(away)
    with pytest.raises(EngineError) as raised:
        sat.rate(1, empathy=4)
    assert raised.value.code == "store.gone"
    assert not folder.exists()
    away.rename(folder)
    sat.rate(1, empathy=4)
    assert current_ratings(sat.db, sat.session.id)[sat.items[1].id]["empathy"].value == 4


def _keeper(database: Path) -> subprocess.Popen[str]:
    """Another process that holds the workspace's lock until it is told to end."""
    script = (
        "import sys; from filelock import FileLock\n"
        "with FileLock(sys.argv[1]): print('kept', flush=True); sys.stdin.readline()"
    )
    keeper = subprocess.Popen(
        [sys.executable, "-c", script, f"{database}.lock"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert keeper.stdout is not None and keeper.stdout.readline() == "kept\n"
    return keeper
