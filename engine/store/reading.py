"""Reading a store without writing anything, and what an error of SQLite's stands for."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from pathlib import Path

from engine.errors import EngineError

BACKUPS = "backup"  # a folder of the workspace's
_LEAST_FREE = 64 * 1024  # bytes; SQLite's shared index of the log alone takes 32 KiB
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_CANNOT_WRITE = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN)


def is_read_only(database: Path) -> bool:
    """Whether the user of this process may not write the store that is there: SQLite writes beside the file too."""
    return not (os.access(database.parent, os.W_OK) and os.access(database, os.W_OK))


def read_only_address(database: Path) -> str:
    """The address by which SQLite opens ``database`` for reading alone, without leaving a file beside it.

    A store that nobody has open has no log; ``immutable`` then keeps SQLite from making one. Raises EngineError
    ``store.read_only_unfinished`` where a log with rows in it is there that only somebody who may write can read.
    """
    log, index = (database.with_name(database.name + end) for end in ("-wal", "-shm"))
    if log.exists() and (index.exists() or os.access(database.parent, os.W_OK)):
        return f"{database.absolute().as_uri()}?mode=ro"
    if log.exists() and log.stat().st_size:
        raise EngineError("store.read_only_unfinished", path=str(database.parent))
    return f"{database.absolute().as_uri()}?mode=ro&immutable=1"


def what_it_means(error: sqlite3.DatabaseError, database: Path) -> EngineError | None:
    """The error that a user can mend behind one of SQLite's; None where it is a fault of ours."""
    code = _primary(error)
    if code in _DAMAGE:
        return damaged(database, str(error))
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR) and _is_full(database.parent):
        return EngineError("store.cannot_write", path=str(database), why=os.strerror(errno.ENOSPC))
    if code in _CANNOT_WRITE:
        return EngineError("store.cannot_write", path=str(database), why=str(error))
    return None


def what_reading_met(error: sqlite3.DatabaseError, database: Path) -> EngineError:
    """The same for a store that was only to be read: whatever is neither damage nor a full disk keeps it from that."""
    if _primary(error) in _DAMAGE or _is_full(database.parent):
        return what_it_means(error, database) or EngineError("store.cannot_read", path=str(database), why=str(error))
    return EngineError("store.cannot_read", path=str(database), why=str(error))


def damaged(database: Path, why: str) -> EngineError:
    """The error that a file is no readable store; names the newest backup where there is one."""
    copies = sorted((database.parent / BACKUPS).glob("auricle-*.db"))
    if copies:
        return EngineError("store.damaged", path=str(database), why=why, backup=str(copies[-1]))
    return EngineError("store.damaged_alone", path=str(database), why=why)


def _primary(error: sqlite3.DatabaseError) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)) & 0xFF


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < _LEAST_FREE
    except OSError:
        return False
