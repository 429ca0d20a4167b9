"""Whether a process that wrote down its number still runs."""

from __future__ import annotations

import os
from pathlib import Path


def process_mark(process_id: int) -> str:
    """What tells a process from a later one of the same number: when it began; "" where the system does not say."""
    found = _stat(process_id)
    return found[19] if found else ""


def is_running(process_id: int | None, mark: str = "") -> bool | None:
    """Whether that very process runs on this machine; None where it cannot be told.

    Without a ``mark`` any process of that number counts. One that has ended but was not yet collected does not run.
    """
    if process_id is None:
        return False
    if os.name != "posix":
        return None  # signal 0 means something else there
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    found = _stat(process_id)
    if not found:
        return True
    return found[0] not in "ZX" and mark in ("", found[19])


def _stat(process_id: int) -> list[str]:
    """The fields of Linux's /proc/<process>/stat from the state on; [] elsewhere."""
    try:
        told = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return told.rpartition(")")[2].split()
