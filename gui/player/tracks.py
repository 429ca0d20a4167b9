"""The loaded lanes: their clips, their samples at the device's rate, and what stands in the way of reading them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import Job, JobRunner
from gui.player.clip import LANES, Clip, Lane
from gui.player.deck import Part
from gui.player.decode import fill
from gui.player.pcm import Pcm

READ_AHEAD_S = 60.0  # longer recordings are read when they are played


@dataclass(slots=True)
class _Track:
    clip: Clip
    pcm: Pcm | None = None
    job: Job | None = None
    error: EngineError | None = None


class Tracks(QObject):
    """Reads what is loaded on the pool.

    Signals:
        unreadable: a lane and the EngineError why it cannot be read.
        read: a lane whose samples are all there.
    """

    unreadable, read = Signal(str, object), Signal(str)

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._tracks: dict[Lane, _Track] = {}
        self._spare: dict[Clip, _Track] = {}

    def load(self, question: Clip | None, answer: Clip | None) -> None:
        """Take other clips; the old ones are read no further."""
        self.stop()
        self._spare = {}
        self._tracks = {
            lane: _Track(clip) for lane, clip in zip(LANES, (question, answer), strict=True) if clip is not None
        }

    def keep(self, clips: Sequence[Clip]) -> None:
        """Have these at hand, each to take a lane when it is wanted; others that had no lane are read no further."""
        held = {track.clip: track for track in self._all()}
        before, self._spare = self._spare, {clip: held.get(clip) or _Track(clip) for clip in clips}
        for clip, track in before.items():
            if clip not in self._spare and track not in self._tracks.values() and track.job is not None:
                track.job.cancel()

    def replace(self, lane: Lane, clip: Clip) -> None:
        """Put another recording into a lane; what was read of the one before stays where it was kept."""
        before = self._tracks.get(lane)
        self._tracks[lane] = self._spare.get(clip) or _Track(clip)
        self._tracks = {known: self._tracks[known] for known in LANES if known in self._tracks}
        if before is not None and before.clip not in self._spare and before.job is not None:
            before.job.cancel()

    def lanes(self, part: str) -> tuple[Lane, ...]:
        """The lanes of "question", "answer" or "both" that are there; where none is, all that are."""
        chosen = tuple(lane for lane in LANES if lane in self._tracks and part in (lane, "both"))
        return chosen or tuple(self._tracks)

    def __contains__(self, lane: str) -> bool:
        return lane in self._tracks

    def __len__(self) -> int:
        return len(self._tracks)

    def clip(self, lane: Lane) -> Clip | None:
        """What is loaded in a lane."""
        track = self._tracks.get(lane)
        return None if track is None else track.clip

    def duration_s(self, lane: str) -> float:
        """Seconds of a lane: what was decoded, else what its facts say; 0 where neither is known."""
        track = self._tracks.get("question" if lane == "question" else "answer")
        if track is None:
            return 0.0
        if track.pcm is not None and track.pcm.complete:
            return track.pcm.length / track.pcm.rate_hz
        return track.clip.duration_s or 0.0

    def parts(self, lanes: tuple[Lane, ...], rate_hz: int) -> list[Part]:
        """The lanes for the mixer; reading begins, or begins again where it failed."""
        return [Part(lane, self._pcm(self._tracks[lane], rate_hz)) for lane in lanes]

    def read_ahead(self, lanes: tuple[Lane, ...], rate_hz: int) -> None:
        """Begin to read the short ones."""
        for track in (*(self._tracks[lane] for lane in lanes), *self._spare.values()):
            if track.error is None and (track.clip.duration_s or math.inf) <= READ_AHEAD_S:
                self._pcm(track, rate_hz)

    def has_failed(self, lanes: tuple[Lane, ...]) -> bool:
        """Whether one of these could not be read."""
        return any(self._tracks[lane].error is not None for lane in lanes)

    def use_rate(self, rate_hz: int) -> None:
        """The device has this rate: what was read at another is to be read anew."""
        for track in self._all():
            if track.pcm is not None and track.pcm.rate_hz != rate_hz:
                if track.job is not None:
                    track.job.cancel()
                track.pcm = track.job = track.error = None

    def stop(self) -> None:
        """Read no further."""
        for track in self._all():
            if track.job is not None:
                track.job.cancel()

    def _all(self) -> Iterator[_Track]:
        yield from self._tracks.values()
        yield from self._spare.values()

    def _pcm(self, track: _Track, rate_hz: int) -> Pcm:
        if track.pcm is None or track.error is not None:
            track.error = None
            track.pcm = Pcm(rate_hz, math.ceil((track.clip.duration_s or 0) * rate_hz))
            track.job = self._jobs.run(fill(track.pcm, track.clip))
            track.job.succeeded.connect(self._on_read)
            track.job.failed.connect(self._on_unreadable)
        return track.pcm

    def _on_read(self, pcm: Pcm) -> None:
        for lane, track in self._tracks.items():
            if track.pcm is pcm:
                self.read.emit(lane)

    def _on_unreadable(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        job = self.sender()
        for track in self._all():
            if track.job is job:
                track.error = error
        for lane, track in self._tracks.items():
            if track.job is job:
                self.unreadable.emit(lane, error)
