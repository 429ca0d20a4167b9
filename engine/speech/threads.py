"""How many threads a model may use."""

from __future__ import annotations

import os

_MOST = 4  # more make Whisper base no faster, and several workers may run


def thread_count(asked: int = 0) -> int:
    """``asked``, or where that is 0 the cores this process may use, at most four."""
    if asked > 0:
        return asked
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, min(_MOST, usable or 1))
