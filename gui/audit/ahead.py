"""Reads the columns by which ready filters sort while nothing is looked for: the first click on one need not wait."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

from engine.query.presets import PRESETS
from engine.query.ranks import SortKey
from gui.audit.arrangement import Arrangement
from gui.audit.reading import read_ahead
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.orders import Orders

IDLE_MS, PAUSE_MS = 1500, 200  # nothing was looked for so long; between two columns


class ReadAhead(QObject):
    """One column a job, by the rules of the ``arrangement``; its length is how many are still to be read."""

    def __init__(
        self,
        workspace: OpenWorkspace,
        jobs: JobRunner,
        orders: Orders,
        arrangement: Arrangement,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._workspace, self._jobs, self._orders, self._arrangement = workspace, jobs, orders, arrangement
        self._keys: list[SortKey] = []
        self._job: Job | None = None
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.timeout.connect(self._read)

    def __len__(self) -> int:
        return len(self._keys)

    def begin_anew(self) -> None:
        """Another workspace: every column is to be read."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._keys = list(dict.fromkeys(key for preset in PRESETS for key in preset.sort))

    def wait(self) -> None:
        """Something was looked for just now."""
        self._idle.start(IDLE_MS)

    def _read(self) -> None:
        workspace = self._workspace.current
        if workspace is None or not self._keys:
            return
        self._job = job = self._jobs.call(
            read_ahead, workspace, self._keys.pop(0), self._arrangement.method, self._orders.ranks, pool="aside"
        )
        job.finished.connect(self._read_on)

    def _read_on(self) -> None:
        self._idle.start(PAUSE_MS)
