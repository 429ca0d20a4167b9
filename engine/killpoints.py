"""Named moments at which a test may have this very process killed, to see that nothing is lost."""

from __future__ import annotations

import os
from collections import Counter

VARIABLE = "AURICLE_KILL_AT"  # "name:n" kills at the n-th time that ``point(name)`` is reached, counted from 1

_reached: Counter[str] = Counter()


def point(name: str) -> None:
    """Die by SIGKILL if this is the moment that ``AURICLE_KILL_AT`` names; otherwise do nothing."""
    wanted = os.environ.get(VARIABLE)
    if not wanted:
        return
    _reached[name] += 1
    target, _, count = wanted.partition(":")
    if target == name and _reached[name] == int(count or 1):
        import signal

        os.kill(os.getpid(), signal.SIGKILL)
