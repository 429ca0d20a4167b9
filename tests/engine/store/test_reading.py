"""Reading a store that may not be written, and telling a full disk from a damaged file."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from types import SimpleNamespace

import pytest

from engine.errors import EngineError
from engine.store import reading
from engine.store import workspace as opening
from engine.store.reading import read_only_address, what_it_means, what_reading_met
from engine.store.transaction import transaction
from engine.store.workspace import open_workspace


@pytest.fixture
def read_only(workspace, monkeypatch):
    """A workspace whose folder this user may only read."""
    with transaction(workspace.connect()) as db:
        db.execute("INSERT INTO benchmark (name, imported_at) VALUES ('kept', '')")
    db.close()
    monkeypatch.setattr(opening, "is_read_only", lambda database: True)
    return workspace


def _error(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    return error


def _free(monkeypatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))


def test_a_read_only_workspace_is_read_and_no_file_is_left_beside_it(read_only):
    before = sorted(read_only.folder.iterdir())
    db = open_workspace(read_only.folder, only_reading=True).connect()
    assert db.execute("SELECT name FROM benchmark").fetchone()[0] == "kept"
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("DELETE FROM benchmark")
    db.close()
    assert sorted(read_only.folder.iterdir()) == before


def test_a_read_only_workspace_that_would_be_written_says_so(read_only):
    with pytest.raises(EngineError, match="read-only for you") as raised:
        open_workspace(read_only.folder)
    assert raised.value.code == "store.read_only"


def test_a_read_only_workspace_of_an_earlier_version_says_what_to_do(workspace, monkeypatch):
    db = workspace.connect()
    db.execute("UPDATE installation SET derivation = 'earlier'")
    db.close()
    monkeypatch.setattr(opening, "is_read_only", lambda database: True)
    with pytest.raises(EngineError, match="brought up to date") as raised:
        open_workspace(workspace.folder, only_reading=True)
    assert raised.value.code == "store.read_only_older"


def test_a_log_that_only_a_writer_could_read_is_named_rather_than_passed_over(workspace, monkeypatch):
    workspace.database.with_name("auricle.db-wal").write_bytes(b"rows")
    workspace.database.with_name("auricle.db-shm").unlink(missing_ok=True)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(EngineError, match=r"auricle\.db-wal") as raised:
        read_only_address(workspace.database)
    assert raised.value.code == "store.read_only_unfinished"


def test_a_full_disk_is_no_damage(tmp_path, monkeypatch):
    _free(monkeypatch, 0)
    met = what_reading_met(_error(sqlite3.SQLITE_IOERR_SHMSIZE), tmp_path / "auricle.db")
    assert met.code == "store.cannot_write"
    assert met.values["why"] == os.strerror(errno.ENOSPC)


def test_a_file_that_cannot_be_opened_or_read_is_no_damage(tmp_path, monkeypatch):
    _free(monkeypatch, 10**9)
    for code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_PERM):
        assert what_reading_met(_error(code), tmp_path / "auricle.db").code == "store.cannot_read"


def test_only_what_sqlite_calls_corrupt_is_damage(tmp_path, monkeypatch):
    _free(monkeypatch, 0)
    for code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_CORRUPT_INDEX, sqlite3.SQLITE_NOTADB):
        met = what_it_means(_error(code), tmp_path / "auricle.db")
        assert met is not None
        assert met.code == "store.damaged_alone"
    assert what_it_means(_error(sqlite3.SQLITE_ERROR), tmp_path / "auricle.db") is None


def test_what_may_be_written_is_not_taken_for_read_only(workspace):
    assert not reading.is_read_only(workspace.database)
