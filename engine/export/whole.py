"""Writes a file or a folder that is there whole or not at all: built beside its place, then moved into it."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import EngineError


@contextmanager
def whole_file(path: Path, *, replace: bool) -> Iterator[Path]:
    """A path to write to; it becomes ``path`` when the block ends well and is gone otherwise.

    Raises EngineError ``export.exists`` where ``path`` is there and may not be replaced, ``export.cannot_write``.
    """
    if path.is_dir() or (path.exists() and not replace):
        raise EngineError("export.exists", path=str(path))
    with _moved_into_place(path) as unfinished:
        yield unfinished


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill; it becomes ``path`` when the block ends well and is gone otherwise.

    Raises EngineError ``export.exists`` where ``path`` is there and is no empty folder, ``export.cannot_write``.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise EngineError("export.exists", path=str(path))
    with _moved_into_place(path) as unfinished:
        unfinished.mkdir()
        yield unfinished
        if path.is_dir():
            path.rmdir()


@contextmanager
def _moved_into_place(path: Path) -> Iterator[Path]:
    unfinished = path.with_name(f".{path.name[:60]}-{secrets.token_hex(4)}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield unfinished
        os.replace(unfinished, path)
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        if error.errno == errno.ENOTEMPTY:
            raise EngineError("export.exists", path=str(path)) from error
        raise EngineError("export.cannot_write", path=str(path), why=why) from error
    finally:
        if unfinished.is_dir():
            shutil.rmtree(unfinished, ignore_errors=True)
        elif unfinished.exists():
            unfinished.unlink(missing_ok=True)
