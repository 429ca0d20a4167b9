"""How loud the recordings at hand are, and by how much each is played louder or softer so that they compare."""

from __future__ import annotations

import math
from collections.abc import Collection, Generator
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from engine.audio.lufs import Loudness
from engine.audio.playback_gain import gain_to_target, without_clipping
from engine.errors import EngineError
from engine.progress import Progress
from engine.store.loudness import measured_loudness, typical_loudness
from gui.jobs import Job, JobRunner
from gui.player.clip import Clip, located
from gui.settings import Settings

#: As recorded; each recording to the same loudness; one gain for all answers of a system, all questions of a benchmark.
MODES = ("none", "clip", "system")
_SOON_MS = 200  # where only the lane's head waits for it: an answer passed by on the way is not measured


@dataclass(slots=True)
class _Known:
    loudness: Loudness | None = None
    typical_lufs: float | None = None
    measuring: Job | None = None
    comparing: Job | None = None


@dataclass(frozen=True, slots=True)
class _Compared:
    clip: Clip
    lufs: float


@dataclass(frozen=True, slots=True)
class _Measured:
    clip: Clip
    loudness: Loudness


class Gains(QObject):
    """Measures the recordings at hand on the pool, once each; only what is played changes, never a file.

    Signals:
        changed: the loudness or the gain of a recording is known, or the mode is another.
    """

    changed = Signal()

    def __init__(self, jobs: JobRunner, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._settings = jobs, settings
        self._clips: dict[Clip, _Known] = {}
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self._measure)
        settings.changed.connect(self._on_setting)

    @property
    def mode(self) -> str:
        """One of ``MODES``."""
        mode = str(self._settings.get("sound_gain"))
        return mode if mode in MODES else MODES[0]

    def set_clips(self, clips: Collection[Clip]) -> None:
        """Other recordings are at hand; what is known of those that stay is kept, the rest is measured no further."""
        before, self._clips = self._clips, {clip: self._clips.get(clip, _Known()) for clip in clips}
        for clip in before.keys() - self._clips.keys():
            for job in (before[clip].measuring, before[clip].comparing):
                if job is not None:
                    job.cancel()
        if not clips or self.mode != "none":
            self._measure()
        else:
            self._soon.start()

    def loudness(self, clip: Clip | None) -> Loudness | None:
        """How loud a recording is; None until it is known."""
        known = None if clip is None else self._clips.get(clip)
        return None if known is None else known.loudness

    def is_known(self, clip: Clip | None) -> bool:
        """Whether the gain of a recording is known; one that is not at hand is not waited for."""
        known = None if clip is None else self._clips.get(clip)
        if clip is None or clip.gain_db is not None or known is None or self.mode == "none":
            return True
        return known.loudness is not None and (self.mode == "clip" or known.typical_lufs is not None)

    def wanted_db(self, clip: Clip | None) -> float:
        """The gain after the mode, before the limit; 0.0 until it is known."""
        if clip is not None and clip.gain_db is not None:
            return clip.gain_db
        known = None if clip is None else self._clips.get(clip)
        if known is None or self.mode == "none" or known.loudness is None:
            return 0.0
        lufs = known.loudness.lufs if self.mode == "clip" else known.typical_lufs
        return gain_to_target(math.nan if lufs is None else lufs)

    def gain_db(self, clip: Clip | None) -> float:
        """The gain with which it is played: no sample clips by it, but one that was fixed is played as it was fixed."""
        if clip is not None and clip.gain_db is not None:
            return clip.gain_db
        loudness = self.loudness(clip)
        return 0.0 if loudness is None else without_clipping(self.wanted_db(clip), loudness.peak_dbfs)

    def _measure(self) -> None:
        self._soon.stop()
        for clip, known in self._clips.items():
            if known.loudness is None and known.measuring is None:
                known.measuring = self._run(_measured(clip))
            if self.mode == "system" and known.typical_lufs is None and known.comparing is None:
                known.comparing = self._run(_compared(clip))

    def _run(self, work: Generator[Progress, None, _Measured | _Compared]) -> Job:
        job = self._jobs.run(work, "aside")
        job.succeeded.connect(self._on_known)
        job.failed.connect(self._on_failure)
        return job

    def _on_known(self, found: _Measured | _Compared) -> None:
        known = self._clips.get(found.clip)
        if known is None:
            return
        if isinstance(found, _Measured):
            known.loudness, known.measuring = found.loudness, None
        else:
            known.typical_lufs, known.comparing = found.lufs, None
        self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        raise error  # what cannot be read is a value; anything else is a bug

    def _on_setting(self, name: str) -> None:
        if name == "sound_gain":
            self._measure()
            self.changed.emit()


def _measured(clip: Clip) -> Generator[Progress, None, _Measured]:
    """The loudness of a recording; one that cannot be read has none, and its lane says why."""
    try:
        kept = located(clip)
        loudness = yield from measured_loudness(clip.workspace, kept.sha256, kept.path)
    except EngineError:
        loudness = Loudness(math.nan, 0.0)
    return _Measured(clip, loudness)


def _compared(clip: Clip) -> Generator[Progress, None, _Compared]:
    """What stands beside a recording; a file outside of a workspace stands alone."""
    if clip.workspace is None or clip.audio_id is None:
        return _Compared(clip, (yield from _measured(clip)).loudness.lufs)
    try:
        return _Compared(clip, (yield from typical_loudness(clip.workspace, clip.audio_id)))
    except EngineError:  # the workspace is gone
        return _Compared(clip, math.nan)
