"""The player as screens use it: what is loaded, what is heard, where, and what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import Enum

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import JobRunner
from gui.player.at_speed import FASTEST, SLOWEST, can_stretch
from gui.player.clip import LANES, Clip, Lane
from gui.player.desk import Desk
from gui.player.device import Device
from gui.player.devices import Plan
from gui.player.gains import Gains
from gui.player.output import PortAudio, Sound
from gui.player.playhead import SILENCE_DBFS, Playhead
from gui.player.spot import Range, Spot
from gui.player.tracks import Tracks
from gui.settings import Settings

__all__ = ["SILENCE_DBFS", "Player", "Range", "Spot", "State"]

_AT_END_S = 0.002


class State(Enum):
    """What the player does. ``OPENING`` waits for the device."""

    EMPTY, READY, OPENING, PLAYING = "empty", "ready", "opening", "playing"


class Player(QObject):
    """Plays the question, the answer, or both in turn; positions are seconds on the current lane's own time line.

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
    played_out = Signal()

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
        self._wanted: tuple[Range | None] | None = None  # a play that waits for the device
        self._is_pausing = False
        self._part = "answer"
        self._spot = Spot("answer", 0.0)
        self._region: Range | None = None
        self._loops = False
        self._muted: set[Lane] = set()
        self._solo: set[Lane] = set()
        self._connect()

    def load(self, question: Clip | None, answer: Clip | None) -> None:
        """Take other clips; what plays goes out. Short ones are read at once, so that play is immediate."""
        self._halt()
        self._tracks.load(question, answer)
        self._region, self._spot = None, Spot(next(iter(self._lanes()), "answer"), 0.0)
        self._desk.clear()
        self._gains.set_clips(self._tracks.clips)
        self._set_state(State.READY if len(self._tracks) else State.EMPTY)
        self.loaded.emit()
        self.region_changed.emit()
        self.position_changed.emit(0.0)
        self._read_ahead()

    def keep_at_hand(self, answers: Sequence[Clip]) -> None:
        """Read these ahead too, so that ``switch`` to one is heard at once; until others are loaded or kept."""
        self._tracks.keep(answers)
        self._gains.set_clips(self._tracks.clips)
        self._read_ahead()

    def switch(self, answer: Clip, position_s: float) -> None:
        """Hear another answer from ``position_s`` on in place of the loaded one; what plays goes on playing.

        The one before goes out over 5 ms, then this one comes in over 5 ms: the two never sound together.
        """
        self._tracks.replace("answer", answer)
        self._part = "answer" if self._part == "question" else self._part
        longest_s = self._tracks.duration_s("answer") or math.inf
        self._spot, self._region = Spot("answer", min(max(position_s, 0.0), longest_s)), None
        self._wanted = None if self._wanted is None else (None,)
        self._gains.set_clips(self._tracks.clips)
        self._put_on()
        self._set_state(State.READY if self._state is State.EMPTY else self._state)
        self.loaded.emit()
        self.part_changed.emit(self._part)
        self.region_changed.emit()
        self.position_changed.emit(self._spot.position_s)
        self._read_ahead()

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

    # play

    def toggle(self) -> None:
        """Play from where it stands, or pause."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def play(self, range_s: Range | None = None, lane: Lane | None = None) -> None:
        """Play on from here (from the start again at the end), or a range once.

        Args:
            range_s: start and end in seconds of ``lane``.
            lane: the lane of the range; by default the current one.
        """
        if not len(self._tracks):
            return
        if lane is not None and lane in self._tracks and lane not in self._lanes():
            self.set_part(lane)
        if range_s is not None:
            lane = lane if lane in self._lanes() else self._region_lane()
            self._spot = Spot(lane, min(max(range_s[0], 0.0), self.lane_duration_s(lane)))
        elif self._is_at_end():
            self.seek(0.0, self._lanes()[0])
        self._wanted = (range_s,)
        self._device.wake()
        if self._state is not State.PLAYING:
            self._set_state(State.OPENING)
        if self._tracks.has_failed(self._lanes()):
            self._desk.lanes = ()  # it is read once more
        self._go_on()

    def play_region(self) -> None:
        """Play the chosen range once; all from here where none is chosen."""
        self.play(self._region, self._region_lane() if self._region else None)

    def pause(self) -> None:
        """Stand still where it is heard."""
        self._wanted = None
        if self._state is State.PLAYING:
            self._is_pausing = True
            self._desk.pause()  # the playhead follows to where the sound goes out
        elif len(self._tracks):
            self._set_state(State.READY)

    def seek(self, position_s: float, lane: Lane | None = None) -> None:
        """Go to ``position_s`` of ``lane`` (by default the current one), playing or not; kept within the clip."""
        lane = lane or self.spot.lane
        if lane not in self._tracks:
            return
        if lane not in self._lanes():
            self.set_part(lane)
        self._spot = Spot(lane, min(max(position_s, 0.0), self.lane_duration_s(lane)))
        self._desk.seek(self._spot)
        self.position_changed.emit(self._spot.position_s)

    # what is heard of it

    @property
    def part(self) -> str:
        """``"question"``, ``"answer"`` or ``"both"``, as chosen; a lane that is not there gives way to the other."""
        return self._part

    def set_part(self, part: str) -> None:
        """Hear ``"question"``, ``"answer"`` or ``"both"`` in turn; another lane starts at its beginning."""
        if part == self._part:
            return
        spot, lanes_before = self.spot, self._lanes()
        self._part = part
        lanes = self._lanes()
        if lanes and lanes != lanes_before:
            keeps = spot.lane in lanes and (self.is_playing or spot.lane == lanes[0])
            self._spot = spot if keeps else Spot(lanes[0], 0.0)
            self._region = None if self._region_lane() not in lanes_before else self._region
            self._put_on()
            self._read_ahead()
        self.part_changed.emit(part)
        self.region_changed.emit()
        self.position_changed.emit(self._spot.position_s)

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

    def set_region(self, range_s: Range | None) -> None:
        """Choose a range; None chooses none."""
        if range_s is not None:
            longest_s = self.lane_duration_s(self._region_lane()) or math.inf
            start_s, end_s = sorted(min(max(second, 0.0), longest_s) for second in range_s)
            range_s = (start_s, end_s) if end_s > start_s else None
        if range_s != self._region:
            self._region = range_s
            self._tell_loop()
            self.region_changed.emit()

    def set_looping(self, loops: bool) -> None:
        """Play the region (all of it where none is chosen) over and over, or not."""
        if loops != self._loops:
            self._loops = loops
            self._tell_loop()
            self.region_changed.emit()

    def set_loop(self, range_s: Range | None) -> None:
        """Choose a range and loop it; None ends looping and keeps the range."""
        if range_s is not None:
            self.set_region(range_s)
        self.set_looping(range_s is not None)

    def is_muted(self, lane: Lane) -> bool:
        """Whether the user muted ``lane``."""
        return lane in self._muted

    def is_solo(self, lane: Lane) -> bool:
        """Whether the user wants to hear ``lane`` alone."""
        return lane in self._solo

    def set_muted(self, lane: Lane, muted: bool) -> None:
        """Play ``lane`` as silence, or as it is."""
        self._change(self._muted, lane, muted)

    def set_solo(self, lane: Lane, solo: bool) -> None:
        """Play all lanes that are not solo as silence while any is."""
        self._change(self._solo, lane, solo)

    @property
    def speed(self) -> float:
        """How many times as fast as recorded it plays; seconds stay those of the recording."""
        return self._desk.speed

    def set_speed(self, speed: float) -> None:
        """Play 0.5 to 2 times as fast, the pitch kept; what plays goes out and comes in again where it was.

        Where the library that stretches is not installed, ``failed`` says so and the speed stays.
        """
        speed = round(min(max(speed, SLOWEST), FASTEST), 2)
        if speed == self.speed:
            return
        if not can_stretch():
            self.failed.emit(EngineError("player.no_stretch"))
            return
        self._spot = self.spot
        self._desk.set_speed(speed)
        self._tell_loop()
        self._read_ahead()
        self.speed_changed.emit(speed)

    @property
    def gain_mode(self) -> str:
        """``"none"``, ``"clip"`` (each recording as loud as the next) or ``"system"`` (one gain for all of its)."""
        return self._gains.mode

    def set_gain_mode(self, mode: str) -> None:
        """Play louder or softer by this; kept in the settings. What plays goes out and comes in again."""
        self._settings.set("sound_gain", mode)

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

    # the device

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

    def list_devices(self) -> None:
        """Name the devices known by now; what plays goes on. ``devices_changed`` or ``device_changed`` follows."""
        self._device.list(look_again=False)

    def refresh_devices(self) -> None:
        """Look for devices, those plugged in since the start too; what plays stops. ``devices_changed`` or
        ``device_changed`` follows.
        """
        self._halt()
        self._desk.put_away()
        self._device.list(look_again=True)

    def close(self) -> None:
        """Stop, read no more and give the device back; when the application ends."""
        self._halt()
        self._tracks.load(None, None)
        self._gains.set_clips(())
        self._device.close()

    # one step towards being heard, after each thing that could have made it possible

    def _go_on(self) -> None:
        if self._wanted is None or self._device.is_busy:
            return
        if self.plan is None:
            self._device.ask()
            return
        mixer = self._desk.set_up(self.plan.rate_hz)
        if not self._desk.lanes:
            self._put_on()
        if self._device.output is None:
            self._device.open(mixer)
            return
        if not all(self.is_gain_known(lane) for lane in self._lanes()):
            return
        (range_s,) = self._wanted
        self._wanted = None
        self._is_pausing = False
        self._desk.play(range_s, self._spot.lane)
        self._set_state(State.PLAYING)
        self._playhead.start()

    def _read_ahead(self) -> None:
        if len(self._tracks) and self.plan is None and not self._device.is_busy and self.trouble is None:
            self._device.ask()
        if self.plan is not None:
            self._tracks.read_ahead(self._lanes(), self.plan.rate_hz)

    def _put_on(self) -> None:
        """Hand the lanes of the chosen part to the mixer, once there is one."""
        self._desk.put_on(self._lanes(), self._spot)
        self._tell_loop()
        self._tell_muted()
        self._tell_gains()

    def _lanes(self) -> tuple[Lane, ...]:
        return self._tracks.lanes(self._part)

    def _region_lane(self) -> Lane:
        return next(reversed(self._lanes()), "answer")

    def _is_at_end(self) -> bool:
        spot = self.spot
        duration_s = self.lane_duration_s(spot.lane)
        return spot.lane == self._lanes()[-1] and 0 < duration_s <= spot.position_s + _AT_END_S

    def _tell_loop(self) -> None:
        if self._loops:
            self._desk.loop(self._region)
        else:
            self._desk.stop_looping()

    def _tell_muted(self) -> None:
        self._desk.mute({lane for lane in LANES if lane in self._muted or (self._solo and lane not in self._solo)})

    def _tell_gains(self) -> None:
        self._desk.set_gains({lane: self.gain_db(lane) for lane in self._lanes()})

    def _change(self, lanes: set[Lane], lane: Lane, wanted: bool) -> None:
        if (lane in lanes) != wanted:
            lanes.symmetric_difference_update({lane})
            self._tell_muted()
            self.lanes_changed.emit()

    # what the device and the reading say

    def _connect(self) -> None:
        self._tracks.unreadable.connect(self._on_unreadable)
        self._tracks.read.connect(self._on_read)
        self._device.planned.connect(self._on_planned)
        self._device.opened.connect(self._on_opened)
        self._device.lost.connect(self._on_lost)
        self._device.trouble_changed.connect(self._on_trouble)
        self._device.listed.connect(self.devices_changed)
        self._playhead.ticked.connect(self._on_tick)
        self._playhead.ended.connect(self._on_ended)
        self._playhead.level_changed.connect(self.level_changed)
        self._playhead.underruns_changed.connect(self.underruns_changed)
        self._gains.changed.connect(self._on_gains)
        self._settings.changed.connect(self._on_setting)

    def _on_read(self, lane: str) -> None:
        if lane == self._spot.lane:
            self.position_changed.emit(self.position_s)  # its length is known to the frame now

    def _on_unreadable(self, lane: str, error: EngineError) -> None:
        if self.is_playing and lane in self._lanes():
            self._fail(error)

    def _on_planned(self) -> None:
        assert self.plan is not None
        mixer = self._desk.mixer
        if mixer is not None and mixer.rate_hz != self.plan.rate_hz:
            self._desk.put_away()
        self._tracks.use_rate(self.plan.rate_hz)
        self._read_ahead()
        self._go_on()

    def _on_opened(self) -> None:
        if not self.is_playing:
            self._device.rest()
        self._go_on()

    def _on_lost(self) -> None:
        self._spot = self.spot
        self._playhead.stop()
        self._desk.put_away()

    def _on_trouble(self) -> None:
        self.device_changed.emit()
        if self.trouble is not None and self.is_playing:
            self._fail(self.trouble)

    def _on_setting(self, name: str) -> None:
        if name == "sound_output":
            self._halt()
            self._desk.put_away()
            self._device.forget()
            self._read_ahead()

    def _fail(self, error: EngineError) -> None:
        self._halt()
        self.failed.emit(error)

    def _on_tick(self, spot: Spot | None) -> None:
        self._tracks.keep_up()
        self._spot = spot or self._spot
        self.position_changed.emit(self._spot.position_s)

    def _on_gains(self) -> None:
        self._tell_gains()
        self.gains_changed.emit()
        self._go_on()

    def _on_ended(self) -> None:
        is_played_out = not self._is_pausing
        self._halt()
        if is_played_out:
            self.played_out.emit()

    def _halt(self) -> None:
        """Play no more; the playhead stands and the meter falls."""
        self._wanted = None
        self._playhead.stop()
        self._desk.pause()
        if self.is_playing:
            self._spot = self.spot
            self._set_state(State.READY)
            self.position_changed.emit(self._spot.position_s)
            self.level_changed.emit(SILENCE_DBFS, SILENCE_DBFS)
        if self._device.output is not None:
            self._device.rest()

    def _set_state(self, state: State) -> None:
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)
