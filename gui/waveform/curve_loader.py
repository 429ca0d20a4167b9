"""Gets pitch and energy of the answer on screen: one recording at a time, the last one asked for."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.speech.curves import Curves
from gui.frame.log import log_folder
from gui.jobs import Job, JobRunner
from gui.player.clip import Clip, located

if TYPE_CHECKING:
    from engine.runs.curves import CurveReader

_AFTER_MS = 250  # who goes from answer to answer waits for none of them
_IDLE_MS = 60_000  # then the worker goes, and its memory with it


class CurveLoader(QObject):
    """Asks for the curves of one clip; what was asked for before is forgotten.

    Signals:
        loaded: a Clip and its Curves.
        failed: an EngineError: why there are none.
        busy_changed: whether curves are waited for.
    """

    loaded, failed, busy_changed = Signal(object, object), Signal(object), Signal(bool)

    def __init__(self, jobs: JobRunner, parent: QObject | None = None, reader: CurveReader | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._reader = jobs, reader
        self._wanted: Clip | None = None
        self._asked: Clip | None = None
        self._job: Job | None = None
        self._soon, self._idle = QTimer(self), QTimer(self)
        for timer, interval, slot in ((self._soon, _AFTER_MS, self._go_on), (self._idle, _IDLE_MS, self.close_worker)):
            timer.setSingleShot(True)
            timer.setInterval(interval)
            timer.timeout.connect(slot)

    @property
    def is_busy(self) -> bool:
        """Whether curves are waited for."""
        return self._wanted is not None

    def want(self, clip: Clip | None) -> None:
        """Get the curves of ``clip``, or of nothing."""
        if clip == self._wanted:
            return
        self._wanted = clip
        if self._job is not None:
            self._job.cancel()
        self._soon.stop()
        if clip is not None:
            self._soon.start()
        self.busy_changed.emit(self.is_busy)

    def close_worker(self) -> None:
        """Let the worker go; the next recording starts another."""
        if self._reader is not None and self._job is None:
            self._jobs.call(self._reader.close)

    def _go_on(self) -> None:
        if self._wanted is None or self._job is not None:
            return
        if self._reader is None:
            from engine.runs.curves import CurveReader  # with what starts workers: a fiftieth of a second

            self._reader = CurveReader(log_folder() / "curves.log")
        self._idle.stop()
        self._asked = self._wanted
        self._job = self._jobs.run(_curves(self._reader, self._wanted))
        self._job.succeeded.connect(self._on_curves)
        self._job.failed.connect(self._on_failure)
        self._job.finished.connect(self._on_finished)

    def _on_curves(self, curves: Curves) -> None:
        if self._asked == self._wanted:
            clip, self._wanted = self._wanted, None
            self.loaded.emit(clip, curves)
            self.busy_changed.emit(False)

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        if self._asked == self._wanted:
            self._wanted = None
            self.failed.emit(error)
            self.busy_changed.emit(False)

    def _on_finished(self) -> None:
        self._job = self._asked = None
        self._idle.start()
        self._go_on()


def _curves(reader: CurveReader, clip: Clip) -> Generator[Progress, None, Curves]:
    kept = located(clip)
    return (yield from reader.read(kept.path, clip.workspace, kept.sha256))
