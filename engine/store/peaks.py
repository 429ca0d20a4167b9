"""The bounded cache of peak pyramids: what is drawn again is not read again.

It lies in ``peaks/`` of the workspace, one file per audio by the hash of its bytes. Losing it loses nothing.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from engine.audio import Pyramid, pyramid_from_bytes, read_pyramid
from engine.errors import EngineError
from engine.store.workspace import Workspace

#: Some 180 hours of 48 kHz mono; an answer of ten seconds takes 12 kB.
MOST_BYTES = 512 << 20
_KEPT_SHARE = 0.9  # what a clearing leaves, so that the next file does not clear again
_SUFFIX = ".peaks"


def peaks_of(workspace: Workspace, sha256: str, path: Path, most_bytes: int = MOST_BYTES) -> Pyramid:
    """The pyramid of the audio ``sha256`` at ``path``, from the cache or made and kept there.

    A damaged file or one of another version is made again; where the folder cannot be written to, the pyramid is
    made each time. Used files stay, the longest unused go when all take more than ``most_bytes``.
    Raises what ``inspect_audio`` raises when the audio itself cannot be read.
    """
    kept = workspace.folder / "peaks" / f"{sha256}{_SUFFIX}"
    found = _kept(kept)
    if found is None:
        found = read_pyramid(path)
        with suppress(OSError):  # a full disk or a read-only folder: it is made again next time
            _keep(kept, found.to_bytes(), most_bytes)
    return found


def _kept(path: Path) -> Pyramid | None:
    try:
        pyramid = pyramid_from_bytes(path.read_bytes())
    except (OSError, EngineError):
        return None
    with suppress(OSError):
        os.utime(path)  # used: it goes last
    return pyramid


def _keep(path: Path, data: bytes, most_bytes: int) -> None:
    path.parent.mkdir(exist_ok=True)
    _clear(path.parent, most_bytes, len(data))
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".partial-", suffix=_SUFFIX)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _clear(folder: Path, most_bytes: int, coming_bytes: int) -> None:
    """Delete the longest unused files where what is coming would be too much."""
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
