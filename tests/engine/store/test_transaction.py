"""One write is one transaction: whole, rolled back, joined, and one process at a time."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from engine.store.transaction import transaction


def _names(db):
    return [row[0] for row in db.execute("SELECT name FROM benchmark ORDER BY id")]


def _add(db, name):
    db.execute("INSERT INTO benchmark (name, imported_at) VALUES (?, '')", (name,))


def test_an_error_in_the_block_leaves_nothing(workspace):
    db = workspace.connect()
    with pytest.raises(ZeroDivisionError), transaction(db):
        _add(db, "a")
        raise ZeroDivisionError
    assert _names(db) == []
    assert not db.in_transaction


def test_a_transaction_inside_another_is_part_of_it(workspace):
    db = workspace.connect()
    with pytest.raises(ZeroDivisionError), transaction(db):
        with transaction(db):
            _add(db, "inner")
        raise ZeroDivisionError
    assert _names(db) == []


def test_a_second_thread_waits_for_the_first_and_both_are_kept(workspace):
    inside, go_on = threading.Event(), threading.Event()

    def first():
        db = workspace.connect()
        with transaction(db):
            _add(db, "first")
            inside.set()
            go_on.wait(20)

    def second():
        inside.wait(20)
        db = workspace.connect()
        threading.Timer(0, go_on.set).start()
        with transaction(db):
            _add(db, "second")

    threads = [threading.Thread(target=work) for work in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert _names(workspace.connect()) == ["first", "second"]


@pytest.mark.parametrize(("moment", "kept"), [("before_commit", []), ("after_commit", ["x"])])
def test_a_process_killed_around_its_commit_leaves_all_or_nothing(workspace, moment, kept):
    script = (
        "import sys; from pathlib import Path; from engine.store.workspace import open_workspace;"
        "from engine.store.transaction import transaction;"
        "db = open_workspace(Path(sys.argv[1])).connect()\n"
        "with transaction(db): db.execute(\"INSERT INTO benchmark (name, imported_at) VALUES ('x', '')\")"
    )
    # opening a workspace commits once itself (the installation's name)
    environment = {"AURICLE_KILL_AT": f"{moment}:1", "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", script, str(workspace.folder)], env=environment, check=False)
    assert ended.returncode == -9
    assert _names(workspace.connect()) == kept


def test_the_write_ahead_log_is_checkpointed_once_it_is_large(workspace, monkeypatch):
    monkeypatch.setattr("engine.store.transaction.CHECKPOINT_BYTES", 100_000)
    db = workspace.connect()
    wal = workspace.database.with_name("auricle.db-wal")
    sizes = []
    for round_ in range(40):
        with transaction(db):
            for number in range(50):
                _add(db, f"{round_}-{number}-" + "x" * 200)
        sizes.append(wal.stat().st_size)
    assert max(sizes) < 1_000_000
    assert len(_names(db)) == 2000


def test_another_process_holding_the_lock_is_waited_for_and_then_named(workspace, monkeypatch):
    from filelock import FileLock

    from engine.errors import EngineError

    monkeypatch.setattr("engine.store.transaction.LOCK_TIMEOUT_S", 0.05)
    db = workspace.connect()
    with FileLock(f"{workspace.database}.lock"), pytest.raises(EngineError) as raised, transaction(db):
        _add(db, "x")
    assert raised.value.code == "store.busy"
    assert _names(db) == []
