"""Audio by content: a file is kept once, under the hash of its bytes."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from engine.audio.identity import content_hash
from engine.errors import EngineError
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

Keep = Literal["link", "copy", "reference"]
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class KeptAudio:
    """One audio file of a workspace; ``path`` is absolute."""

    id: int
    sha256: str
    path: Path
    facts: Mapping[str, Any] | None


def take_audio(db: sqlite3.Connection, workspace: Workspace, source: Path, keep: Keep = "link") -> int:
    """Take ``source`` into the workspace and return its row; the original is never altered, equal bytes are kept once.

    ``link`` makes a hard link where the disk can, else a copy; ``reference`` keeps the path, size, time and hash.
    The file is in place before the row is written, so a crash leaves at most a file that ``gc`` finds.
    Raises EngineError ``store.audio_unreadable`` or ``store.cannot_write``.
    """
    try:
        status = source.stat()
        known = _known_reference(db, source, status) if keep == "reference" else None
        sha256 = known or content_hash(source)
    except OSError as error:
        raise EngineError("store.audio_unreadable", path=str(source), why=error.strerror or str(error)) from error
    row = db.execute("SELECT id, path, kept FROM audio WHERE sha256 = ?", (sha256,)).fetchone()
    stays = row is not None and _absolute(workspace, row[1]).exists() and (row[2] != "reference" or keep == "reference")
    if stays:
        return int(row[0])
    stored, kept = (
        (str(source.absolute()), "reference") if keep == "reference" else _keep_file(workspace, source, sha256, keep)
    )
    if row is not None:
        db.execute(
            "UPDATE audio SET path = ?, kept = ?, modified_ns = ? WHERE id = ?",
            (stored, kept, status.st_mtime_ns, row[0]),
        )
        return int(row[0])
    cursor = db.execute(
        "INSERT INTO audio (sha256, byte_count, kept, path, modified_ns) VALUES (?, ?, ?, ?, ?)",
        (sha256, status.st_size, kept, stored, status.st_mtime_ns),
    )
    return int(cursor.lastrowid or 0)


def audio_of(db: sqlite3.Connection, workspace: Workspace, audio_id: int) -> KeptAudio:
    """One kept audio; raises EngineError ``store.audio_moved`` when a referenced file is gone or was changed."""
    row = db.execute("SELECT * FROM audio WHERE id = ?", (audio_id,)).fetchone()
    path = _absolute(workspace, row["path"])
    if not path.exists() or _has_changed(path, row):
        raise EngineError("store.audio_moved", path=str(path))
    return KeptAudio(row["id"], row["sha256"], path, json.loads(row["facts"]) if row["facts"] else None)


def _has_changed(path: Path, row: sqlite3.Row) -> bool:
    """Whether a file that others may write (a reference, or the original behind a link) holds other bytes now.

    Its bytes are read only where size or time say that it was touched.
    """
    status = path.stat()
    is_touched = (status.st_size, status.st_mtime_ns) != (row["byte_count"], row["modified_ns"])
    return row["kept"] != "copy" and is_touched and content_hash(path) != row["sha256"]


def set_facts(db: sqlite3.Connection, audio_id: int, facts: Mapping[str, Any]) -> None:
    """Keep what reading the file found (rate, length, peaks, faults)."""
    db.execute("UPDATE audio SET facts = ? WHERE id = ?", (json.dumps(facts, ensure_ascii=False), audio_id))


def collect_garbage(db: sqlite3.Connection, workspace: Workspace, *, remove: bool) -> tuple[int, int]:
    """Count (files, bytes) below ``audio/`` that no row names; ``remove`` deletes them."""
    files = byte_count = 0
    with transaction(db):  # an import writes its files and their rows under the same lock
        named = {row[0] for row in db.execute("SELECT path FROM audio WHERE kept <> 'reference'")}
        for path in workspace.audio.rglob("*"):
            if path.is_file() and path.relative_to(workspace.audio).as_posix() not in named:
                files += 1
                byte_count += path.stat().st_size
                if remove:
                    path.unlink()
    return files, byte_count


def _absolute(workspace: Workspace, stored: str) -> Path:
    return workspace.audio / stored  # an absolute path stays itself


def _known_reference(db: sqlite3.Connection, source: Path, status: os.stat_result) -> str | None:
    row = db.execute(
        "SELECT sha256 FROM audio WHERE path = ? AND byte_count = ? AND modified_ns = ?",
        (str(source.absolute()), status.st_size, status.st_mtime_ns),
    ).fetchone()
    return None if row is None else str(row[0])


def _keep_file(workspace: Workspace, source: Path, sha256: str, keep: Keep) -> tuple[str, str]:
    suffix = source.suffix.lower() if source.suffix.lower().lstrip(".").isalnum() else ""
    stored = f"{sha256[:2]}/{sha256[2:4]}/{sha256}{suffix}"
    target = workspace.audio / stored
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            return stored, keep
        if keep == "link":
            try:
                os.link(source.resolve(), target)
            except OSError as error:
                if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP):
                    raise
            else:
                return stored, "link"
        _copy_whole(source, target)
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(target), why=error.strerror or str(error)) from error
    return stored, "copy"


def _copy_whole(source: Path, target: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=".partial-")
    try:
        with os.fdopen(descriptor, "wb") as unfinished, source.open("rb") as original:
            shutil.copyfileobj(original, unfinished, _CHUNK)
            unfinished.flush()
            os.fsync(unfinished.fileno())
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
