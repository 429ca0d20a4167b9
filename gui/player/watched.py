"""What screens may see of the player, and what it tells them."""

from __future__ import annotations

from enum import Enum

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import JobRunner
from gui.player.clip import Clip, Lane
from gui.player.desk import Desk
from gui.player.device import Device
from gui.player.devices import Plan
from gui.player.gains import Gains
from gui.player.output import PortAudio, Sound
from gui.player.playhead import Playhead
from gui.player.spot import Range, Spot
from gui.player.tracks import Tracks
from gui.settings import Settings


class State(Enum):
    """What the player does. ``OPENING`` waits for the device."""

    EMPTY, READY, OPENING, PLAYING = "empty", "ready", "opening", "playing"


class Watched(QObject):
    """What is loaded and what is heard; ``Player`` moves it. Seconds are those of the current lane's own time line.

    Signals:
        loaded: other clips are in; nothing has been read yet.
        state_changed: a ``State``.
        position_changed: seconds on the current lane; while it plays, once a frame of the screen.
        part_changed: "question", "answer" or "both".
        region_changed: the chosen range, or whether it loops, is another.
        lanes_changed: another lane is muted or solo.
        speed_changed: how many times as fast as recorded it plays.
        gains_changed: the loudness or the gain of a lane is known or another.
        level_changed: peaks of left and right in dBFS, as heard.
        sounded: lane, start and end in seconds of its recording, speed: what left the device since the last frame of
            the screen, to the sample; what was handed over and lost is not in it.
        underruns_changed: how often the device or the reading came too late since the window opened.
        device_changed: the ``plan`` or the ``trouble`` of the device is another.
        devices_changed: a tuple of OutputDevice, after ``refresh_devices``.
        played_out: what was to be played has been heard to its end; a pause is none.
        failed: an EngineError: why nothing is heard; the position is kept and the next play tries anew.
    """

    loaded, state_changed, position_changed = Signal(), Signal(object), Signal(float)
    part_changed, region_changed, lanes_changed, speed_changed = Signal(str), Signal(), Signal(), Signal(float)
    level_changed, underruns_changed, gains_changed = Signal(float, float), Signal(int), Signal()
    device_changed, devices_changed, failed = Signal(), Signal(object), Signal(object)
    played_out, sounded = Signal(), Signal(str, float, float, float)

    def __init__(
        self, jobs: JobRunner, settings: Settings, parent: QObject | None = None, *, sound: Sound | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._tracks = Tracks(jobs, self)
        self._sound = sound or PortAudio()
        self._device = Device(jobs, self._sound, settings, self)
        self._desk = Desk(self._tracks)
        self._playhead = Playhead(self._device, self._desk, self)
        self._gains = Gains(jobs, settings, self)
        self._state = State.EMPTY
        self._part = "answer"
        self._spot = Spot("answer", 0.0)
        self._region: Range | None = None
        self._loops = False
        self._muted: set[Lane] = set()
        self._solo: set[Lane] = set()

    @property
    def state(self) -> State:
        """What it does now."""
        return self._state

    @property
    def is_playing(self) -> bool:
        """Whether it plays or is about to."""
        return self._state in (State.OPENING, State.PLAYING)

    @property
    def spot(self) -> Spot:
        """The lane and the place that are heard now: not what was handed over, but what has left the device."""
        return (self._playhead.spot() if self._state is State.PLAYING else None) or self._spot

    @property
    def position_s(self) -> float:
        """Where it is heard, in seconds of the current lane."""
        return self.spot.position_s

    @property
    def duration_s(self) -> float:
        """Seconds of the current lane; 0 where nothing is loaded or its length is not known yet."""
        return self._tracks.duration_s(self.spot.lane)

    def lane_duration_s(self, lane: Lane) -> float:
        """Seconds of one lane: what was decoded, else what its facts say."""
        return self._tracks.duration_s(lane)

    @property
    def part(self) -> str:
        """``"question"``, ``"answer"`` or ``"both"``, as chosen; a lane that is not there gives way to the other."""
        return self._part

    @property
    def region(self) -> Range | None:
        """The chosen range in seconds of the current lane (in "both", of the answer)."""
        return self._region

    @property
    def region_lane(self) -> Lane:
        """The lane that the region belongs to."""
        return self._region_lane()

    @property
    def loops(self) -> bool:
        """Whether the region, or all of it, is played over and over."""
        return self._loops

    def is_muted(self, lane: Lane) -> bool:
        """Whether the user muted ``lane``."""
        return lane in self._muted

    def is_solo(self, lane: Lane) -> bool:
        """Whether the user wants to hear ``lane`` alone."""
        return lane in self._solo

    @property
    def speed(self) -> float:
        """How many times as fast as recorded it plays; seconds stay those of the recording."""
        return self._desk.speed

    @property
    def gain_mode(self) -> str:
        """``"none"``, ``"clip"`` (each recording as loud as the next) or ``"system"`` (one gain for all of its)."""
        return self._gains.mode

    def is_gain_known(self, lane: Lane) -> bool:
        """Whether the gain of a lane was measured by now."""
        return self._gains.is_known(self._tracks.clip(lane))

    def gain_db(self, lane: Lane) -> float:
        """Decibels by which a lane is played louder; 0.0 until it is known."""
        return self._gains.gain_db(self._tracks.clip(lane))

    def is_gain_limited(self, lane: Lane) -> bool:
        """Whether the gain is less than the mode asks for, because samples would clip."""
        clip = self._tracks.clip(lane)
        return self._gains.gain_db(clip) < self._gains.wanted_db(clip)

    def loudness_lufs(self, clip: Clip) -> float | None:
        """Integrated loudness of what is loaded or at hand; NaN where it has none, None until it was measured."""
        loudness = self._gains.loudness(clip)
        return clip.loudness_lufs if loudness is None else loudness.lufs

    @property
    def plan(self) -> Plan | None:
        """The device, its rate and channels; None until one is known."""
        return self._device.plan

    @property
    def trouble(self) -> EngineError | None:
        """Why there is no device; None where there is one or nobody asked yet."""
        return self._device.trouble

    @property
    def clip_rate_hz(self) -> int | None:
        """The rate of the current recording itself, where it is known."""
        clip = self._tracks.clip(self.spot.lane)
        return None if clip is None else clip.sample_rate_hz

    @property
    def is_resampled(self) -> bool:
        """Whether the current recording is heard at another rate than its own."""
        return self.plan is not None and self.clip_rate_hz not in (None, self.plan.rate_hz)

    @property
    def latency_s(self) -> float:
        """Between handing a frame over and hearing it, as the open device says; 0 while none is open."""
        return 0.0 if self._device.output is None else self._device.output.latency_s

    @property
    def underruns(self) -> int:
        """How often the device or the reading came too late since the window opened."""
        return self._playhead.underruns

    @property
    def sound(self) -> Sound:
        """Where outputs come from; for pool threads."""
        return self._sound

    def _lanes(self) -> tuple[Lane, ...]:
        return self._tracks.lanes(self._part)

    def _region_lane(self) -> Lane:
        return next(reversed(self._lanes()), "answer")
