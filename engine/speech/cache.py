"""Where this room keeps what it makes once: joined weights, checksums of large files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

_BLOCK = 1 << 20


def cache_folder(name: str) -> Path:
    """A folder of the user's cache (``AURICLE_CACHE`` if set), made when it is not there."""
    import platformdirs

    root = os.environ.get("AURICLE_CACHE") or platformdirs.user_cache_dir("auricle", appauthor=False)
    folder = Path(root) / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def sha256_of(path: Path) -> str:
    """SHA-256 of a file's bytes, remembered in the cache by path, size, time and inode."""
    stat = path.stat()
    identity = f"{path.resolve()}|{stat.st_size}|{stat.st_mtime_ns}|{stat.st_ino}"
    remembered = cache_folder("checksums") / f"{hashlib.sha256(identity.encode()).hexdigest()}.json"
    with contextlib.suppress(OSError, ValueError, KeyError):
        return str(json.loads(remembered.read_text(encoding="utf-8"))["sha256"])
    digest = _digest(path)
    with written_whole(remembered) as temporary:
        temporary.write_text(json.dumps({"path": str(path), "sha256": digest}), encoding="utf-8")
    return digest


def sha256_of_all(paths: list[Path]) -> str:
    """One SHA-256 over files: the file's own when there is one, else over their names and sums in order of name."""
    if len(paths) == 1:
        return sha256_of(paths[0])
    told = "".join(f"{path.name}:{sha256_of(path)}\n" for path in sorted(paths, key=lambda path: path.name))
    return hashlib.sha256(told.encode()).hexdigest()


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[Path]:
    """A temporary name beside ``path`` that becomes ``path`` when the block ends, and vanishes when it fails."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()
