"""Starts the window anew: what the look of the whole window hangs on is read once, at the start."""

from __future__ import annotations

import sys

from PySide6.QtCore import QProcess, QProcessEnvironment
from PySide6.QtWidgets import QWidget

from engine.worker.process import worker_environment


def start_again(part: QWidget) -> bool:
    """Close the window of ``part`` as the user would, which may ask and be refused, and start it anew.

    Everything is written when the window has closed. False where it stays open.
    """
    if not part.window().close():
        return False
    environment = QProcessEnvironment()
    for name, value in worker_environment(is_first=True).items():
        environment.insert(name, value)
    fresh = QProcess()
    fresh.setProgram(sys.executable)
    fresh.setArguments(["-P", "-m", "gui"])
    fresh.setProcessEnvironment(environment)
    started = fresh.startDetached()
    return bool(started[0] if isinstance(started, tuple) else started)
