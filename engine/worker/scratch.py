"""A worker's own folder for files that live no longer than itself."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path

_own: list[Path] = []


def own_scratch() -> Path:
    """The folder, made when it is first wanted; it goes with the process, unless that is killed."""
    if not _own:
        _own.append(Path(tempfile.mkdtemp(prefix="auricle-worker-")))
        atexit.register(remove_scratch)
    return _own[0]


def remove_scratch() -> None:
    """Take the folder away now: a process that ends itself at once runs nothing at its exit."""
    while _own:
        shutil.rmtree(_own.pop(), ignore_errors=True)
