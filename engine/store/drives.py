"""Tells network drives apart, where SQLite's locks do not hold."""

from __future__ import annotations

from pathlib import Path

from engine.errors import EngineError

_NETWORK = {
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ncpfs",
    "fuse.sshfs",
    "fuse.rclone",
    "davfs",
    "fuse.davfs2",
}
_MOUNTS = Path("/proc/mounts")


def refuse_network_drive(folder: Path, mounts: str | None = None) -> None:
    """Raise EngineError ``store.network_drive`` where ``folder`` lies on NFS, SMB, sshfs or 9p.

    ``mounts`` is the text of ``/proc/mounts``; where a machine has none (not Linux), nothing is refused.
    """
    kind = file_system_of(folder, mounts if mounts is not None else _mounts())
    if kind in _NETWORK:
        raise EngineError("store.network_drive", path=str(folder), kind=kind)


def file_system_of(folder: Path, mounts: str) -> str | None:
    """The file system type of the mount that holds ``folder``: the longest mount point above it wins."""
    here = folder.resolve()  # a link may lead to another drive
    best: tuple[int, str] | None = None
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = Path(fields[1].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\"))
        if here.is_relative_to(point) and (best is None or len(point.parts) >= best[0]):
            best = (len(point.parts), fields[2])
    return best[1] if best else None


def _mounts() -> str:
    try:
        return _MOUNTS.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
