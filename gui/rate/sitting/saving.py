"""Writes what a rater says, one thing after another, and knows what could not be written."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.store.workspace import Workspace
from gui.jobs import Job, JobRunner
from gui.rate.sitting.writing import Pen

#: After so long a save that is not back is told: the store may be kept by others for ten seconds.
SLOW_MS = 800


class Saving(QObject):
    """The writing thread of one sitting; the screen waits for one thing at a time.

    Signals:
        changed: something is being saved, was saved, takes long, or could not be saved.
    """

    changed = Signal()

    def __init__(self, jobs: JobRunner, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self.pen = jobs, Pen(workspace)
        self.trouble: EngineError | None = None
        self.saved_at: float | None = None
        self.is_slow = False
        self._job: Job | None = None
        self._again: Callable[[], object] | None = None
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.timeout.connect(self._on_slow)

    @property
    def is_busy(self) -> bool:
        """Whether the screen waits for the store."""
        return self._job is not None

    def write(self, again: Callable[[], object], function: Callable[..., Any], *arguments: Any) -> Job:
        """Write something that the screen waits for; ``again`` is what a second try does."""
        self.trouble, self.is_slow, self._again = None, False, again
        job = self._job = self._jobs.call(function, self.pen, *arguments, pool="writing")
        job.failed.connect(self._on_failed)
        job.succeeded.connect(self._on_saved)
        self._slow.start(SLOW_MS)
        self.changed.emit()
        return job

    def write_aside(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Write something that nobody waits for; what fails is told, and made good by the next thing that is saved."""
        self._jobs.call(function, self.pen, *arguments, pool="writing").failed.connect(self._on_aside_failed)

    def retry(self) -> bool:
        """Try once more what could not be saved; False where there is no such thing."""
        if self.trouble is None or self._again is None or self.is_busy:
            return False
        again, self._again = self._again, None
        again()
        return True

    def close(self) -> None:
        """Put the pen down behind what is still to be written."""
        self._jobs.call(self.pen.put_down, pool="writing")

    def _on_saved(self, _: object) -> None:
        self._end()
        self._again, self.saved_at = None, time.time()
        self.changed.emit()

    def _on_failed(self, error: Exception) -> None:
        self._end()
        if not isinstance(error, EngineError):
            raise error
        self.trouble = error
        self.changed.emit()

    def _on_aside_failed(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.trouble = error
        self.changed.emit()

    def _on_slow(self) -> None:
        self.is_slow = self.is_busy
        self.changed.emit()

    def _end(self) -> None:
        self._job, self.is_slow = None, False
        self._slow.stop()
