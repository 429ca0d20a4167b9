"""What is heard now: the place, the level, and whether sound came too late; once a frame of the screen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from gui.player.desk import Desk
from gui.player.device import Device
from gui.player.handed_out import Span
from gui.player.mixer import Mixer
from gui.player.output import Output
from gui.player.spot import Spot

FRAME_MS = 16
SILENCE_DBFS = -120.0


class Playhead(QObject):
    """Runs while something plays; asks the device's clock, not what was handed over.

    Signals:
        ticked: once a frame of the screen; a Spot, or None while nothing can be told.
        level_changed: peaks of left and right in dBFS, as heard.
        sounded: lane, start and end in seconds of the recording, speed: what was heard since the last look.
        underruns_changed: how often the device or the reading came too late since it was made.
        ended: nothing sounds any more.
    """

    ticked, level_changed, underruns_changed, ended = Signal(object), Signal(float, float), Signal(int), Signal()
    sounded = Signal(str, float, float, float)

    def __init__(self, device: Device, desk: Desk, parent: QObject) -> None:
        super().__init__(parent)
        self._device, self._desk = device, desk
        self.underruns = 0
        self._counted: tuple[Output | None, Mixer | None, int, int] = (None, None, 0, 0)
        self._told: tuple[Mixer | None, float] = (None, 0.0)  # up to which frame of it ``sounded`` was told
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        """Whether it ticks."""
        return self._frames.isActive()

    def start(self) -> None:
        """Something plays."""
        if not self.is_running:
            self._told = (self._desk.mixer, self._frame() or 0.0)
        self._frames.start()

    def stop(self) -> None:
        """Nothing does."""
        if self.is_running:
            self._tell(self._frame())
        self._frames.stop()

    def spot(self) -> Spot | None:
        """The place that is heard now; None before a jump has become audible."""
        frame = self._frame()
        return None if frame is None else self._desk.heard(frame)

    def _tick(self) -> None:
        output, mixer = self._device.output, self._desk.mixer
        if output is None or mixer is None:
            self.stop()
            return
        self._count(output, mixer)
        frame = self._frame()
        self._tell(frame)
        self.ticked.emit(self.spot())
        if frame is not None:
            left, right = mixer.peak(frame)
            self.level_changed.emit(_dbfs(left), _dbfs(right))
            if mixer.is_still(frame):
                self.ended.emit()
        self._device.watch()

    def _frame(self) -> float | None:
        """Which of all frames handed out is heard now."""
        output, mixer = self._device.output, self._desk.mixer
        frame = None if output is None else output.clock.frame(output.now())
        return None if frame is None or mixer is None else min(frame, float(mixer.frames))

    def _tell(self, frame: float | None) -> None:
        """Say what reached the ears since the last look: from what was handed out, not from the time between looks."""
        mixer = self._desk.mixer
        if frame is None or mixer is None:
            return
        begun = self._told[1] if mixer is self._told[0] else 0.0
        self._told = (mixer, max(frame, begun))
        for span in _joined(mixer.sounded(begun, frame)):
            second = span.speed / mixer.rate_hz
            self.sounded.emit(span.lane, span.start * second, (span.start + span.frames) * second, span.speed)

    def _count(self, output: Output, mixer: Mixer) -> None:
        """Add what came too late since the last look; another device and another mixer begin at none."""
        of_output, of_mixer = output.told.underruns, mixer.starved
        last_output, last_mixer, was_of_output, was_of_mixer = self._counted
        new = of_output - (was_of_output if output is last_output else 0)
        new += of_mixer - (was_of_mixer if mixer is last_mixer else 0)
        self._counted = (output, mixer, of_output, of_mixer)
        if new:
            self.underruns += new
            self.underruns_changed.emit(self.underruns)


def _joined(spans: Sequence[Span]) -> list[Span]:
    """Pieces that go on where the one before ended, as one."""
    found: list[Span] = []
    for span in spans:
        before = found[-1] if found else None
        goes_on = before is not None and span.start == before.start + before.frames
        if before is not None and goes_on and (span.lane, span.speed) == (before.lane, before.speed):
            found[-1] = replace(before, frames=before.frames + span.frames)
        else:
            found.append(span)
    return found


def _dbfs(peak: float) -> float:
    return max(SILENCE_DBFS, 20 * math.log10(peak)) if peak > 0 else SILENCE_DBFS
