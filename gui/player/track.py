"""One recording that is loaded or at hand: its samples at the device's rate, at the speed of now, as they come."""

from __future__ import annotations

import math

from engine.errors import EngineError
from gui.jobs import Job
from gui.player.at_speed import PcmAtSpeed
from gui.player.clip import Clip
from gui.player.pcm import Pcm


class Track:
    """What was read of ``clip``, and the jobs that read and stretch it.

    Attributes:
        error: why it could not be read; None until that was tried.
        at_speed: its samples at another speed than its own.
    """

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
        self.error: EngineError | None = None
        self.pcm: Pcm | None = None
        self.reading: Job | None = None
        self.at_speed: PcmAtSpeed | None = None
        self.stretching: Job | None = None

    @property
    def duration_s(self) -> float:
        """Seconds: what was decoded, else what its facts say; 0 where neither is known."""
        if self.pcm is not None and self.pcm.complete:
            return self.pcm.length / self.pcm.rate_hz
        return self.clip.duration_s or 0.0

    @property
    def is_read(self) -> bool:
        """Whether all its samples are here."""
        return self.error is None and self.pcm is not None and self.pcm.complete

    def begin(self, rate_hz: int) -> Pcm:
        """Forget what was read; the samples that are to be read now, none yet."""
        self.forget()
        self.pcm = Pcm(rate_hz, math.ceil((self.clip.duration_s or 0) * rate_hz))
        return self.pcm

    def samples(self, speed: float) -> Pcm | PcmAtSpeed:
        """What was begun, at ``speed``."""
        assert self.pcm is not None
        if speed == 1.0:
            return self.pcm
        if self.at_speed is None:
            self.at_speed = PcmAtSpeed(self.pcm, speed)
        return self.at_speed

    def stop(self) -> None:
        """Read and stretch no further."""
        for job in (self.reading, self.stretching):
            if job is not None:
                job.cancel()

    def forget(self) -> None:
        """Stop, and forget what was read."""
        self.stop()
        self.error = self.pcm = self.reading = None
        self.at_speed = self.stretching = None

    def slacken(self) -> None:
        """Forget what was stretched: the speed is another."""
        if self.stretching is not None:
            self.stretching.cancel()
        self.at_speed = self.stretching = None
