"""Reads what is drawn of the recordings of lanes: outlines first, then where the answer is silent or clipped."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import Job, JobRunner
from gui.player.clip import Clip, Lane
from gui.waveform.load import Outline, outline_of, stretches_in


class OutlineLoader(QObject):
    """One job a lane; what comes of a recording that nobody waits for any more is dropped.

    Signals:
        outlined: a lane and its ``Outline``.
        failed: a lane and the EngineError that stands in the way of its recording.
        searched: the ``Stretches`` of the recording that ``search`` was asked for.
    """

    outlined, failed, searched = Signal(str, object), Signal(str, object), Signal(object)

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._loading: dict[Lane, Job] = {}
        self._searching: Job | None = None
        self._expected: Mapping[Clip, Outline] = {}

    def expect(self, outlines: Mapping[Clip, Outline]) -> None:
        """These were read ahead, for recordings that will probably be shown next; others are forgotten."""
        self._expected = outlines

    def load(self, lane: Lane, clip: Clip) -> Outline | None:
        """The outline of ``clip`` where it is at hand, else None and ``outlined`` or ``failed`` follows."""
        known = self._expected.get(clip)
        if known is None:
            job = self._loading[lane] = self._jobs.run(outline_of(clip))
            job.succeeded.connect(self._on_outline)
            job.failed.connect(self._on_unreadable)
        return known

    def is_loading(self, lane: Lane) -> bool:
        """Whether the outline of a lane is still being read."""
        return lane in self._loading

    def search(self, clip: Clip) -> None:
        """Look for what is silent and what is clipped, when nothing else is being read."""
        self._searching = self._jobs.run(stretches_in(clip), "aside")
        self._searching.succeeded.connect(self._on_stretches)
        self._searching.failed.connect(self._on_not_searched)

    def stop(self) -> None:
        """Wait for nothing any more."""
        for job in self._loading.values():
            job.cancel()
        self._loading.clear()
        self.stop_search()

    def stop_search(self) -> None:
        """Look for stretches no longer."""
        if self._searching is not None:
            self._searching.cancel()
            self._searching = None

    def _on_outline(self, outline: Outline) -> None:
        if (lane := self._ended()) is not None:
            self.outlined.emit(lane, outline)

    def _on_unreadable(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        if (lane := self._ended()) is not None:
            self.failed.emit(lane, error)

    def _ended(self) -> Lane | None:
        """The lane whose job just ended; None for one that nobody waits for any more."""
        job = self.sender()
        lane = next((lane for lane, loading in self._loading.items() if loading is job), None)
        if lane is not None:
            del self._loading[lane]
        return lane

    def _on_stretches(self, found: object) -> None:
        if self.sender() is self._searching:
            self._searching = None
            self.searched.emit(found)

    def _on_not_searched(self, error: Exception) -> None:
        """The lane says itself what stands in the way of its recording."""
        if not isinstance(error, EngineError):
            raise error
