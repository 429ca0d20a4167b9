"""Opens and makes workspaces: a folder with ``auricle.db`` and ``audio/``."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_data_path

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.backup import BEFORE_MIGRATION, back_up
from engine.store.correction_tables import corrections
from engine.store.derivation import is_derived
from engine.store.drives import refuse_network_drive
from engine.store.human_tables import human
from engine.store.origin_tables import origins
from engine.store.playlist_tables import playlists
from engine.store.rating_tables import ratings
from engine.store.rating_views import views
from engine.store.reading import BACKUPS, is_read_only, read_only_address, what_it_means, what_reading_met
from engine.store.schema import APPLICATION_ID, USER_VERSION, core
from engine.store.steps import Steps, applied
from engine.store.transaction import transaction

if TYPE_CHECKING:  # 25 ms to import, and opening a workspace that is up to date locks nothing
    from filelock import FileLock

DATABASE = "auricle.db"
# each room adds its own named set here
MIGRATION_SETS: tuple[Steps, ...] = (core, playlists, corrections, origins, ratings, views, human)


@dataclass(frozen=True, slots=True)
class Workspace:
    """An opened workspace; ``connect`` gives each thread a connection of its own."""

    folder: Path
    is_read_only: bool = False

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / DATABASE

    @property
    def audio(self) -> Path:
        """Where audio lies by the hash of its bytes."""
        return self.folder / "audio"

    @property
    def runs(self) -> Path:
        """Where each run keeps its events and its worker's log."""
        return self.folder / "runs"

    def connect(self, *, durable: bool = False) -> sqlite3.Connection:
        """A connection for the calling thread; ``durable`` waits for the disk at each commit (what people enter).

        Raises EngineError ``store.gone`` where the file is not there any more: a drive was taken away.
        """
        if not self.database.exists():  # or SQLite would make an empty one
            raise EngineError("store.gone", path=str(self.folder))
        return self._connection(durable=durable)

    def _connection(self, *, durable: bool = False) -> sqlite3.Connection:
        if self.is_read_only:
            db = sqlite3.connect(read_only_address(self.database), uri=True, isolation_level=None)
        else:
            db = sqlite3.connect(self.database, isolation_level=None)
        db.row_factory = sqlite3.Row
        db.execute("PRAGMA busy_timeout = 10000")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA recursive_triggers = ON")  # or REPLACE would pass by the triggers that keep people's rows
        db.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
        db.execute("PRAGMA wal_autocheckpoint = 0")  # checkpoints run under the lock, in transaction
        return db

    def driver_lock(self) -> FileLock:
        """The lock of the one driver that may do long work here."""
        from filelock import FileLock

        return FileLock(self.folder / "workspace.lock", timeout=0)


def default_folder(environment: dict[str, str] | None = None) -> Path:
    """``$AURICLE_WORKSPACE``, else ``data/workspace`` in a checkout, else the user's data folder."""
    named = (os.environ if environment is None else environment).get("AURICLE_WORKSPACE")
    if named:
        return Path(named)
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").exists() and (checkout / "data").is_dir():
        return checkout / "data" / "workspace"
    return user_data_path("auricle", appauthor=False) / "workspace"


def open_workspace(
    folder: Path, *, create: bool = False, exclusive: bool = False, only_reading: bool = False
) -> Workspace:
    """The workspace in ``folder``, its tables brought up to date after a backup.

    Args:
        create: make the folder and an empty store where there is none.
        exclusive: the caller says that no other machine opens it, which allows a network drive.
        only_reading: the caller writes nothing, so a folder that may not be written will do, as it stands.

    Raises EngineError: ``store.no_workspace``, ``store.not_a_workspace``, ``store.newer``, ``store.network_drive``,
    ``store.cannot_write``, ``store.read_only``, ``store.cannot_read``, ``store.damaged``. None of them has changed a
    byte.
    """
    workspace = Workspace(folder.absolute())
    if not exclusive:
        refuse_network_drive(workspace.folder)
    try:
        exists = workspace.database.exists()
    except OSError as error:  # a folder that may not even be looked into
        raise EngineError("store.cannot_write", path=str(workspace.folder), why=str(error)) from error
    if not exists and not create:
        raise EngineError("store.no_workspace", path=str(workspace.folder))
    if exists:
        refuse_strangers(workspace.database)
        if is_read_only(workspace.database):
            return _as_it_stands(workspace, only_reading)
    try:
        workspace.audio.mkdir(parents=True, exist_ok=True)
        workspace.runs.mkdir(exist_ok=True)
        _bring_up_to_date(workspace)
    except OSError as error:  # filelock's Timeout is one
        raise EngineError("store.cannot_write", path=str(workspace.folder), why=str(error)) from error
    except sqlite3.DatabaseError as error:
        met = what_it_means(error, workspace.database)
        if met is None:
            raise
        raise met from error
    return workspace


def refuse_strangers(database: Path) -> None:
    """Read, without writing, whether the file is a store of ours and not of a later version."""
    try:
        with _read_only(database) as db:
            version = int(db.execute("PRAGMA user_version").fetchone()[0])
            application = int(db.execute("PRAGMA application_id").fetchone()[0])
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            here = applied(db)
    except sqlite3.DatabaseError as error:
        raise what_reading_met(error, database) from error
    if version > USER_VERSION:
        raise EngineError("store.newer", path=str(database), version=version)
    if tables and application != APPLICATION_ID:
        raise EngineError("store.not_a_workspace", path=str(database))
    unknown = here - _known()
    if unknown:
        raise EngineError("store.newer", path=str(database), version=", ".join(sorted("/".join(u) for u in unknown)))


@contextmanager
def _read_only(database: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(read_only_address(database), uri=True)) as db:
        yield db


def _as_it_stands(workspace: Workspace, only_reading: bool) -> Workspace:
    """The workspace for reading alone: nothing in it can be brought up to date."""
    if not only_reading:
        raise EngineError("store.read_only", path=str(workspace.folder))
    with _read_only(workspace.database) as db:
        if not (_known() <= applied(db) and is_derived(db)):
            raise EngineError("store.read_only_older", path=str(workspace.folder))
    return replace(workspace, is_read_only=True)


def _known() -> set[tuple[str, str]]:
    return {step for steps in MIGRATION_SETS for step in steps.known}


def _bring_up_to_date(workspace: Workspace) -> None:
    is_new = not workspace.database.exists()
    db = workspace._connection()
    try:
        if not is_new and _known() <= applied(db) and _is_named(db):
            return
        from filelock import FileLock

        with FileLock(f"{workspace.database}.lock", timeout=30):
            if is_new or not _is_ours(db):
                db.execute("PRAGMA journal_mode = WAL")
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {USER_VERSION}")
            elif not _known() <= applied(db):
                back_up(db, workspace.folder / BACKUPS, reason=BEFORE_MIGRATION)
            for steps in MIGRATION_SETS:
                steps.apply(db)
        _name_installation(db)
    finally:
        db.close()


def _is_ours(db: sqlite3.Connection) -> bool:
    return int(db.execute("PRAGMA application_id").fetchone()[0]) == APPLICATION_ID


def _is_named(db: sqlite3.Connection) -> bool:
    return int(db.execute("SELECT COUNT(*) FROM installation").fetchone()[0]) == 1


def _name_installation(db: sqlite3.Connection) -> None:
    import uuid

    with transaction(db):
        db.execute(
            "INSERT INTO installation (id, origin, created_at) VALUES (1, ?, ?) ON CONFLICT DO NOTHING",
            (str(uuid.uuid4()), utc_text()),
        )
