"""The loaded lanes: their clips, their samples at the device's rate, and what stands in the way of reading them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import JobRunner
from gui.player.clip import LANES, Clip, Lane
from gui.player.deck import Part
from gui.player.decode import fill
from gui.player.pcm import Pcm
from gui.player.track import Track

READ_AHEAD_S = 60.0  # longer recordings are read when they are played


class Tracks(QObject):
    """Reads what is loaded on the pool, and stretches it where it is heard at another speed.

    Signals:
        unreadable: a lane and the EngineError why it cannot be read.
        read: a lane whose samples are all there.
    """

    unreadable, read = Signal(str, object), Signal(str)

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._tracks: dict[Lane, Track] = {}
        self._spare: dict[Clip, Track] = {}
        self._speed = 1.0

    def load(self, question: Clip | None, answer: Clip | None) -> None:
        """Take other clips; the old ones are read no further. What was at hand and is whole is not read again."""
        ready = {clip: track for clip, track in self._spare.items() if track.is_read}
        self.stop()
        self._spare = {}
        self._tracks = {
            lane: ready.get(clip) or Track(clip)
            for lane, clip in zip(LANES, (question, answer), strict=True)
            if clip is not None
        }

    def keep(self, clips: Sequence[Clip]) -> None:
        """Have these at hand, each to take a lane when it is wanted; others that had no lane are read no further."""
        held = {track.clip: track for track in self._all()}
        before, self._spare = self._spare, {clip: held.get(clip) or Track(clip) for clip in clips}
        for clip, track in before.items():
            if clip not in self._spare and track not in self._tracks.values():
                track.stop()

    def replace(self, lane: Lane, clip: Clip) -> None:
        """Put another recording into a lane; what was read of the one before stays where it was kept."""
        before = self._tracks.get(lane)
        self._tracks[lane] = self._spare.get(clip) or Track(clip)
        self._tracks = {known: self._tracks[known] for known in LANES if known in self._tracks}
        if before is not None and before.clip not in self._spare:
            before.stop()

    def lanes(self, part: str) -> tuple[Lane, ...]:
        """The lanes of "question", "answer" or "both" that are there; where none is, all that are."""
        chosen = tuple(lane for lane in LANES if lane in self._tracks and part in (lane, "both"))
        return chosen or tuple(self._tracks)

    def __contains__(self, lane: str) -> bool:
        return lane in self._tracks

    def __len__(self) -> int:
        return len(self._tracks)

    @property
    def clips(self) -> tuple[Clip, ...]:
        """All that is loaded or at hand, once each."""
        return tuple(dict.fromkeys(track.clip for track in self._all()))

    def clip(self, lane: Lane) -> Clip | None:
        """What is loaded in a lane."""
        track = self._tracks.get(lane)
        return None if track is None else track.clip

    def duration_s(self, lane: str) -> float:
        """Seconds of a lane: what was decoded, else what its facts say; 0 where neither is known."""
        track = self._tracks.get("question" if lane == "question" else "answer")
        return 0.0 if track is None else track.duration_s

    def parts(self, lanes: tuple[Lane, ...], rate_hz: int) -> list[Part]:
        """The lanes for the mixer, at the speed of now; reading begins, or begins again where it failed."""
        for lane in lanes:
            self._read(self._tracks[lane], rate_hz)
        parts = [Part(lane, self._tracks[lane].samples(self._speed)) for lane in lanes]
        self.keep_up()
        return parts

    def set_speed(self, speed: float) -> None:
        """Another speed, for the ``parts`` that are asked for from now on."""
        self._speed = speed
        for track in self._all():
            track.slacken()

    def loop_from(self, lane: Lane, frame: int | None) -> None:
        """The sound will jump back to ``frame`` of ``lane``, which is kept ready; None for nowhere."""
        track = self._tracks.get(lane)
        if track is not None and track.at_speed is not None:
            track.at_speed.loop_start = frame

    def keep_up(self) -> None:
        """See to it that what is heard next at another speed is there; cheap, and called while it plays."""
        for track in self._all():
            if track.at_speed is not None and track.stretching is None and track.at_speed.lacks:
                track.stretching = self._jobs.run(track.at_speed.make())
                track.stretching.failed.connect(self._on_unreadable)
                track.stretching.finished.connect(self._on_stretched)

    def read_ahead(self, lanes: tuple[Lane, ...], rate_hz: int) -> None:
        """Begin to read the short ones."""
        for track in (*(self._tracks[lane] for lane in lanes), *self._spare.values()):
            if track.error is None and (track.clip.duration_s or math.inf) <= READ_AHEAD_S:
                self._read(track, rate_hz)
                track.samples(self._speed)
        self.keep_up()

    def has_failed(self, lanes: tuple[Lane, ...]) -> bool:
        """Whether one of these could not be read."""
        return any(self._tracks[lane].error is not None for lane in lanes)

    def use_rate(self, rate_hz: int) -> None:
        """The device has this rate: what was read at another is to be read anew."""
        for track in self._all():
            if track.pcm is not None and track.pcm.rate_hz != rate_hz:
                track.forget()

    def stop(self) -> None:
        """Read no further."""
        for track in self._all():
            track.stop()

    def _all(self) -> Iterator[Track]:
        yield from self._tracks.values()
        yield from self._spare.values()

    def _read(self, track: Track, rate_hz: int) -> None:
        if track.pcm is None or track.error is not None:
            track.reading = self._jobs.run(fill(track.begin(rate_hz), track.clip))
            track.reading.succeeded.connect(self._on_read)
            track.reading.failed.connect(self._on_unreadable)

    def _on_read(self, pcm: Pcm) -> None:
        for lane, track in self._tracks.items():
            if track.pcm is pcm:
                self.read.emit(lane)
        self.keep_up()

    def _on_stretched(self) -> None:
        for track in self._all():
            if track.stretching is self.sender():
                track.stretching = None
        self.keep_up()  # the reading may have gone on meanwhile

    def _on_unreadable(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        job = self.sender()
        for track in self._all():
            if job is track.reading:
                track.error = error
        for lane, track in self._tracks.items():
            if job is track.reading:
                self.unreadable.emit(lane, error)
