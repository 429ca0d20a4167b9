"""Looks at the graphics processors of this machine every other second, as long as somebody wants to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from gui.jobs import Job
from gui.services import Services

if TYPE_CHECKING:
    from engine.machine.computer import GpuUse

LOOK_EVERY_MS = 2000


class GpuWatch(QObject):
    """Asks by jobs; where there is no processor it is asked once.

    Signals:
        changed: ``use`` is another.
    """

    changed = Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.use: tuple[GpuUse, ...] | None = None  # None: nobody has looked yet
        self._job: Job | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(self._look)

    def watch(self, wanted: bool) -> None:
        """Begin or end to look."""
        if wanted and not self._timer.isActive() and self.use != ():
            self._timer.start()
            self._look()
        elif not wanted:
            self._timer.stop()

    def _look(self) -> None:
        if self._job is None:
            self._job = self._services.jobs.call(_use, pool="aside")
            self._job.succeeded.connect(self._on_use)
            self._job.finished.connect(self._on_finished)

    def _on_use(self, use: tuple[GpuUse, ...]) -> None:
        if not use:
            self._timer.stop()
        if use != self.use:
            self.use = use
            self.changed.emit()

    def _on_finished(self) -> None:
        self._job = None


def _use() -> tuple[GpuUse, ...]:
    from engine.machine.computer import gpu_use

    return gpu_use()
