"""Counts what the tabs tell and gathers what completion offers, beside what is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from engine.query.fields import Method
from gui.audit.reading import Overview, read_overview
from gui.audit.saved_views import View
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace


class Counting(QObject):
    """Holds the newest ``Overview``; one count at a time.

    Signals:
        counted: ``overview`` is another.
        failed: an exception.
    """

    counted, failed = Signal(), Signal(object)

    def __init__(self, workspace: OpenWorkspace, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace, self._jobs = workspace, jobs
        self._job: Job | None = None
        self.overview: Overview | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is being counted."""
        return self._job is not None

    def count(self, method: Method, views: Sequence[View]) -> None:
        """Count anew."""
        self._stop()
        workspace = self._workspace.current
        if workspace is not None:
            self._job = job = self._jobs.run(read_overview(workspace, method, views))
            job.succeeded.connect(self._on_counted)
            job.failed.connect(self.failed)

    def forget(self) -> None:
        """Nothing is known any more."""
        self._stop()
        self.overview = None

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_counted(self, overview: Overview) -> None:
        if self.sender() is self._job:
            self._job = None
            self.overview = overview
            self.counted.emit()
