"""A bounded folder of small files that can all be made again: used ones stay, the longest unused go."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

_KEPT_SHARE = 0.9  # what a clearing leaves, so that the next file does not clear again


def read_kept(path: Path) -> bytes | None:
    """The bytes of a kept file, which goes last from now on; None where there is none."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    with suppress(OSError):
        os.utime(path)
    return data


def keep_file(path: Path, data: bytes, most_bytes: int) -> None:
    """Keep ``data`` whole or not at all; where the folder would hold more than ``most_bytes``, others go.

    A full disk or a read-only folder is no error: the data are made again next time.
    """
    with suppress(OSError):
        path.parent.mkdir(exist_ok=True)
        _clear(path.parent, most_bytes, len(data))
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".partial-", suffix=path.suffix)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def _clear(folder: Path, most_bytes: int, coming_bytes: int) -> None:
    files = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # another window clears too
                files.append((entry.stat().st_mtime_ns, entry.stat().st_size, entry.path))
    total = sum(size for _, size, _ in files) + coming_bytes
    if total <= most_bytes:
        return
    for _, size, name in sorted(files):
        if total <= most_bytes * _KEPT_SHARE:
            return
        with suppress(FileNotFoundError):
            os.unlink(name)
        total -= size
