"""Finds answers on a pool thread, one search at a time."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from engine.query.ranks import Ranks
from engine.store.workspace import Workspace
from gui.audit.reading import Found, Wanted, find
from gui.jobs import Job, JobRunner


class Search(QObject):
    """A new search ends the one before, of which nothing is told any more.

    Signals:
        found: a ``Found`` and the ``Wanted`` that it answers.
        failed: the exception that ended the search.
        busy_changed: whether one runs.
    """

    found, failed = Signal(object, object), Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._job: Job | None = None
        self._wanted: Wanted | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is looked for."""
        return self._job is not None

    def find(self, workspace: Workspace, wanted: Wanted, ranks: Ranks) -> None:
        """Look for this."""
        if self._job is not None:
            self._job.cancel()
        self._wanted = wanted
        self._job = job = self._jobs.call(find, workspace, wanted, ranks)
        job.succeeded.connect(self._on_found)
        job.failed.connect(self._on_failure)
        self.busy_changed.emit(True)

    def stop(self) -> None:
        """Nothing is looked for."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self.busy_changed.emit(False)

    def _on_found(self, found: Found) -> None:
        if self.sender() is self._job:
            self._job = None
            self.busy_changed.emit(False)
            self.found.emit(found, self._wanted)

    def _on_failure(self, error: Exception) -> None:
        if self.sender() is self._job:
            self.stop()
        self.failed.emit(error)
