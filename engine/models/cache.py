"""What lies in the hub's cache on this computer; nothing is imported to find out."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.errors import EngineError

UNFINISHED = ".auricle.incomplete"  # the hub's own tools pass over what ends like this


@dataclass(frozen=True, slots=True)
class Kept:
    """What the cache holds of a repository.

    Attributes:
        folder: of the repository in the cache; it may not exist.
        commits: that have files here.
        size: bytes of whole files; ``unfinished`` of those whose transfer was cut.
    """

    folder: Path
    commits: tuple[str, ...] = ()
    size: int = 0
    unfinished: int = 0


def hub_cache() -> Path:
    """The hub's cache: ``$HF_HUB_CACHE``, else ``$HF_HOME/hub``, else in the user's cache folder."""
    named = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE")
    if named:
        return Path(named).expanduser()
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    home = os.environ.get("HF_HOME") or str(Path(cache) / "huggingface")
    return Path(home).expanduser() / "hub"


def is_offline() -> bool:
    """Whether the user forbids the hub by ``HF_HUB_OFFLINE``, or by the older name of the same."""
    told = (os.environ.get(name, "") for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))
    return any(value.upper() in ("1", "TRUE", "YES", "ON") for value in told)


def repository_folder(repository: str, cache: Path | None = None) -> Path:
    """The folder of a repository in the cache."""
    return (cache or hub_cache()) / f"models--{repository.replace('/', '--')}"


def kept_of(repository: str, cache: Path | None = None) -> Kept:
    """What the cache holds of ``repository``; of one that was never fetched, nothing."""
    folder = repository_folder(repository, cache)
    snapshots = folder / "snapshots"
    commits = tuple(sorted(p.name for p in snapshots.iterdir() if any(p.iterdir()))) if snapshots.is_dir() else ()
    blobs = [path for path in (folder / "blobs").glob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in blobs if not path.name.endswith(".incomplete"))
    if not blobs and commits:  # a system without links keeps the files themselves
        size = sum(path.stat().st_size for path in snapshots.rglob("*") if path.is_file())
    unfinished = sum(path.stat().st_size for path in blobs if path.name.endswith(UNFINISHED))
    return Kept(folder, commits, size, unfinished)


def commit_of(repository: str, revision: str = "", cache: Path | None = None) -> str:
    """The commit in the cache that ``revision`` means; "" is the newest that was fetched. "" where there is none."""
    kept = kept_of(repository, cache)
    told = kept.folder / "refs" / (revision or "main")
    try:
        commit = revision if revision in kept.commits else told.read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    return commit if commit in kept.commits else ""


def is_here(repository: str, revision: str = "", cache: Path | None = None) -> bool:
    """Whether a loader finds the repository at that revision, whole."""
    return bool(commit_of(repository, revision, cache)) and not kept_of(repository, cache).unfinished


def remove(repository: str) -> int:
    """Take a repository out of the cache with all its commits; the bytes that became free.

    Raises EngineError ``models.not_here`` or ``models.not_removed``.
    """
    kept = kept_of(repository)
    if not kept.folder.is_dir():
        raise EngineError("models.not_here", repository=repository, folder=str(kept.folder.parent))
    try:
        shutil.rmtree(kept.folder)
        shutil.rmtree(kept.folder.parent / ".locks" / kept.folder.name, ignore_errors=True)
    except OSError as error:
        raise EngineError("models.not_removed", folder=str(kept.folder), why=error.strerror or str(error)) from error
    return kept.size + kept.unfinished


def free_bytes(folder: Path) -> int:
    """Free room on the drive of ``folder``, or of the nearest folder above it that is there."""
    there = next(path for path in (folder, *folder.parents, Path.home()) if path.is_dir())
    return shutil.disk_usage(there).free
