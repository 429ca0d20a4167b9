"""One write is one transaction, under the workspace's lock."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.killpoints import point
from engine.store.reading import what_it_means

if TYPE_CHECKING:  # 25 ms to import, and the window's start only reads
    from filelock import FileLock

LOCK_TIMEOUT_S = 30.0
CHECKPOINT_BYTES = 16 * 1024 * 1024

_locks: dict[str, FileLock] = {}
_locks_guard = threading.Lock()


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Commit what the block writes as a whole, or roll all of it back; inside another one, it joins that one.

    The file lock keeps processes from writing or checkpointing at the same moment (SQLite before 3.51.3 can lose a
    commit to a checkpoint of another process), and BEGIN IMMEDIATE keeps a read that turns into a write from failing.
    Raises EngineError ``store.busy`` when another process keeps the lock for ``LOCK_TIMEOUT_S`` seconds, or the
    database itself for its busy timeout (a browser of databases knows no lock of ours), and ``store.cannot_write`` when
    the disk is full or the folder read-only. Nothing was written then, and the same may be tried again.
    """
    if db.in_transaction:
        yield db
        return
    path = database_path(db)
    if path is not None and not path.exists():  # a drive taken away, a folder moved: the lock would make it anew
        raise EngineError("store.gone", path=str(path.parent))
    lock = _lock_of(path) if path else None
    try:
        if lock is not None:
            lock.acquire(timeout=LOCK_TIMEOUT_S)
    except TimeoutError as error:  # filelock's own Timeout is one
        raise EngineError("store.busy", path=str(path), seconds=int(LOCK_TIMEOUT_S)) from error
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(path), why=str(error)) from error
    try:
        yield from _committed(db)
        if path is not None:
            _checkpoint_if_large(db, path)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            waited_ms = db.execute("PRAGMA busy_timeout").fetchone()[0]
            raise EngineError("store.busy", path=str(path), seconds=waited_ms // 1000) from error
        met = what_it_means(error, path or Path())
        if met is None:
            raise
        raise met from error
    finally:
        if lock is not None:
            lock.release()


@contextmanager
def one_state(db: sqlite3.Connection) -> Iterator[None]:
    """All that the block reads is of one moment, whatever others write meanwhile; inside a transaction, of that one."""
    if db.in_transaction:
        yield
        return
    db.execute("BEGIN")
    try:
        yield
    finally:
        db.execute("ROLLBACK")


def database_path(db: sqlite3.Connection) -> Path | None:
    """The file behind ``db``, or None for a database in memory."""
    name = db.execute("PRAGMA database_list").fetchone()[2]
    return Path(name) if name else None


def _committed(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield db
        point("before_commit")
        db.execute("COMMIT")
        point("after_commit")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _lock_of(path: Path) -> FileLock:
    from filelock import FileLock

    # One lock object per file and thread: it is re-entrant, so two calls of one thread do not wait for each other.
    key = f"{path}:{threading.get_ident()}"
    with _locks_guard:
        if key not in _locks:
            _locks[key] = FileLock(f"{path}.lock")
        return _locks[key]


def _checkpoint_if_large(db: sqlite3.Connection, path: Path) -> None:
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size > CHECKPOINT_BYTES:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)")
