"""Opening workspaces: new, older, newer, foreign, damaged, on a network drive, read-only."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.store import drives
from engine.store.backup import back_up
from engine.store.schema import APPLICATION_ID
from engine.store.transaction import transaction
from engine.store.workspace import DATABASE, default_folder, open_workspace
from tests.shared import make_case, needs_shared


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_new_workspace_has_its_tables_its_mark_and_a_name_of_its_own(tmp_path):
    opened = open_workspace(tmp_path / "w", create=True)
    db = opened.connect()
    assert db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
    assert db.execute("PRAGMA foreign_keys").fetchone()[0] == 1
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
    assert {"benchmark", "instance", "response", "maker", "transcript", "judgement", "audit_row", "search"} <= tables
    assert len(db.execute("SELECT origin FROM installation").fetchone()[0]) == 36


def test_opening_twice_changes_nothing(tmp_path):
    open_workspace(tmp_path / "w", create=True)
    before = _sha256(tmp_path / "w" / DATABASE)
    open_workspace(tmp_path / "w")
    assert _sha256(tmp_path / "w" / DATABASE) == before
    assert not (tmp_path / "w" / "backup").exists()


def test_a_folder_without_a_store_says_how_to_make_one(tmp_path):
    with pytest.raises(EngineError, match="auricle sample") as raised:
        open_workspace(tmp_path)
    assert raised.value.code == "store.no_workspace"


@needs_shared
def test_a_store_of_a_newer_version_is_refused_and_not_touched(tmp_path):
    folder = make_case("store-from-the-future", tmp_path)
    (folder / "w").mkdir()
    path = (folder / "newer-schema.db").rename(folder / "w" / DATABASE)
    before = _sha256(path)
    with pytest.raises(EngineError, match=r"newer version of Auricle \(9999\).*update the program"):
        open_workspace(folder / "w")
    assert _sha256(path) == before
    assert sqlite3.connect(path).execute("PRAGMA user_version").fetchone()[0] == 9999


@needs_shared
def test_another_programs_database_is_refused_and_gets_no_tables(tmp_path):
    folder = make_case("store-from-the-future", tmp_path)
    (folder / "w").mkdir()
    path = (folder / "other-application.db").rename(folder / "w" / DATABASE)
    with pytest.raises(EngineError, match="not a workspace of Auricle"):
        open_workspace(folder / "w")
    assert [row[0] for row in sqlite3.connect(path).execute("SELECT name FROM sqlite_master")] == ["invoices"]


def test_a_step_that_this_version_does_not_know_means_a_newer_store(workspace):
    db = workspace.connect()
    db.execute("INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES ('auricle.rating', 'x', '')")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()
    with pytest.raises(EngineError, match="auricle.rating/x") as raised:
        open_workspace(workspace.folder)
    assert raised.value.code == "store.newer"


def test_a_damaged_file_is_named_with_the_newest_backup(tmp_path):
    (tmp_path / DATABASE).write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)
    (tmp_path / "backup").mkdir()
    for day in ("01", "02"):
        (tmp_path / "backup" / f"auricle-2026-12-{day}-by-hand.db").touch()
    with pytest.raises(EngineError, match="2026-12-02-by-hand") as raised:
        open_workspace(tmp_path)
    assert raised.value.code == "store.damaged"


def test_a_damaged_file_without_a_backup_names_none(tmp_path):
    (tmp_path / DATABASE).write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 20)
    with pytest.raises(EngineError, match="no backup") as raised:
        open_workspace(tmp_path)
    assert raised.value.code == "store.damaged_alone"


def test_an_older_store_is_backed_up_before_it_is_changed(workspace):
    db = workspace.connect()
    db.execute("DROP TABLE audit_row")
    db.execute("DROP TABLE search")
    db.execute("DELETE FROM _sqlite_migrations WHERE name = 'audit_row'")
    db.close()
    open_workspace(workspace.folder)
    (backup,) = (workspace.folder / "backup").glob("*before-migration.db")
    assert "audit_row" not in {row[0] for row in sqlite3.connect(backup).execute("SELECT name FROM sqlite_master")}
    assert workspace.connect().execute("SELECT COUNT(*) FROM audit_row").fetchone()[0] == 0


MOUNTS = """/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
//nas/share /mnt/our\\040share cifs rw 0 0
tmpfs /home/local tmpfs rw 0 0
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [("/home/me/w", "nfs4"), ("/mnt/our share/w", "cifs"), ("/home/local/w", "tmpfs"), ("/srv/w", "ext4")],
)
def test_the_longest_mount_point_tells_the_kind_of_drive(folder, kind):
    assert drives.file_system_of(Path(folder), MOUNTS) == kind


def test_a_network_drive_is_refused_with_the_reason():
    with pytest.raises(EngineError, match=r"nfs4.*--exclusive"):
        drives.refuse_network_drive(Path("/home/me/w"), MOUNTS)
    drives.refuse_network_drive(Path("/srv/w"), MOUNTS)


def test_opening_on_a_network_drive_needs_exclusive(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/x {tmp_path} nfs rw 0 0\n")
    monkeypatch.setattr(drives, "_MOUNTS", mounts)
    with pytest.raises(EngineError, match="nfs"):
        open_workspace(tmp_path / "w", create=True)
    assert open_workspace(tmp_path / "w", create=True, exclusive=True).database.exists()


def test_a_folder_that_cannot_be_written_gives_a_message(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EngineError, match="cannot be written") as raised:
        open_workspace(tmp_path / "file" / "w", create=True)
    assert raised.value.code == "store.cannot_write"


def test_a_backup_is_a_whole_store_taken_while_another_connection_writes(workspace, tmp_path):
    writer, reader = workspace.connect(), workspace.connect()
    with transaction(writer):
        writer.execute("INSERT INTO benchmark (name, imported_at) VALUES ('kept', '')")
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("INSERT INTO benchmark (name, imported_at) VALUES ('not committed', '')")
    copy = sqlite3.connect(back_up(reader, tmp_path / "copies"))
    writer.execute("ROLLBACK")
    assert [row[0] for row in copy.execute("SELECT name FROM benchmark")] == ["kept"]


def test_the_default_folder_is_the_one_in_the_environment():
    assert default_folder({"AURICLE_WORKSPACE": "/somewhere"}) == Path("/somewhere")


def test_a_full_disk_is_a_message_and_the_transaction_is_rolled_back(workspace):
    db = workspace.connect()
    pages = db.execute("PRAGMA page_count").fetchone()[0]
    db.execute(f"PRAGMA max_page_count = {pages + 4}")  # SQLite itself then answers as for a full disk
    with pytest.raises(EngineError, match="cannot be written") as raised, transaction(db):
        for number in range(2000):
            db.execute("INSERT INTO benchmark (name, imported_at) VALUES (?, '')", (f"{number}" * 50,))
    assert raised.value.code == "store.cannot_write"
    assert db.execute("SELECT COUNT(*) FROM benchmark").fetchone()[0] == 0


def test_backups_that_a_person_asked_for_are_never_removed(workspace, tmp_path):
    db = workspace.connect()
    kept = [back_up(db, tmp_path / "copies") for _ in range(8)]
    assert all(path.exists() for path in kept)


def test_a_store_that_was_not_named_before_a_crash_is_named_when_it_is_opened_again(workspace):
    db = workspace.connect()
    db.execute("DELETE FROM installation")
    db.close()
    again = open_workspace(workspace.folder).connect()
    assert again.execute("SELECT COUNT(*) FROM installation").fetchone()[0] == 1


def test_what_people_enter_waits_for_the_disk(workspace):
    assert workspace.connect(durable=True).execute("PRAGMA synchronous").fetchone()[0] == 2
    assert workspace.connect().execute("PRAGMA synchronous").fetchone()[0] == 1


def test_a_link_to_a_network_drive_is_a_network_drive(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    mounts = f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path / 'far'} nfs rw 0 0\n"
    with pytest.raises(EngineError, match="nfs"):
        drives.refuse_network_drive(tmp_path / "near" / "w", mounts)


def test_a_folder_that_may_not_be_looked_into_says_so(tmp_path, monkeypatch):
    def refused(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", refused)
    with pytest.raises(EngineError, match="cannot be written") as raised:
        open_workspace(tmp_path / "w")
    assert raised.value.code == "store.cannot_write"


def test_a_workspace_whose_folder_was_taken_away_says_so_and_none_is_made(workspace):
    away = workspace.folder.with_name("away")
    workspace.folder.rename(away)
    with pytest.raises(EngineError) as raised:
        workspace.connect()
    assert raised.value.code == "store.gone"
    assert not workspace.folder.exists()
    away.rename(workspace.folder)
    workspace.connect().close()
