"""``auricle worker``: serve inference on standard input and output; what a driver starts, here or over ssh."""

from __future__ import annotations

import sys


def worker() -> None:
    """Serve inference on standard input and output until the input ends; a driver starts it."""
    import os

    # a process of its own kind: standard output belongs to the protocol before anything else is imported
    os.execv(sys.executable, [sys.executable, "-P", "-m", "engine.worker"])
