"""The player as screens use it: what is loaded, what is heard, where, and what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from gui.jobs import JobRunner
from gui.player.at_speed import FASTEST, SLOWEST, can_stretch
from gui.player.clip import LANES, Clip, Lane
from gui.player.deck import EVERYTHING, TO_THE_END, Place, Stretch
from gui.player.device import Device
from gui.player.devices import Plan
from gui.player.mixer import Mixer
from gui.player.output import PortAudio, Sound
from gui.player.tracks import Tracks
from gui.settings import Settings

FRAME_MS = 16  # about once a frame of the screen
SILENCE_DBFS = -120.0
_AT_END_S = 0.002

Range = tuple[float, float]


class State(Enum):
    """What the player does. ``OPENING`` waits for the device."""

    EMPTY, READY, OPENING, PLAYING = "empty", "ready", "opening", "playing"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on one lane's own time line."""

    lane: Lane
    position_s: float


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
        level_changed: peaks of left and right in dBFS, as heard.
        underruns_changed: how often the device or the reading came too late since the window opened.
        device_changed: the ``plan`` or the ``trouble`` of the device is another.
        devices_changed: a tuple of OutputDevice, after ``refresh_devices``.
        failed: an EngineError: why nothing is heard; the position is kept and the next play tries anew.
    """

    loaded, state_changed, position_changed = Signal(), Signal(object), Signal(float)
    part_changed, region_changed, lanes_changed, speed_changed = Signal(str), Signal(), Signal(), Signal(float)
    level_changed, underruns_changed = Signal(float, float), Signal(int)
    device_changed, devices_changed, failed = Signal(), Signal(object), Signal(object)

    def __init__(
        self, jobs: JobRunner, settings: Settings, parent: QObject | None = None, *, sound: Sound | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._tracks = Tracks(jobs, self)
        self._device = Device(jobs, sound or PortAudio(), self._chosen_device, self)
        self._mixer: Mixer | None = None
        self._on_deck: tuple[Lane, ...] = ()
        self._state = State.EMPTY
        self._wanted: tuple[Range | None] | None = None  # a play that waits for the device
        self._part = "answer"
        self._spot = Spot("answer", 0.0)
        self._region: Range | None = None
        self._loops = False
        self._speed = 1.0
        self._muted: set[Lane] = set()
        self._solo: set[Lane] = set()
        self._underruns = self._underruns_before = 0
        self._frames = QTimer(self)
        self._frames.setInterval(FRAME_MS)
        self._frames.timeout.connect(self._tick)
        self._connect()

    def load(self, question: Clip | None, answer: Clip | None) -> None:
        """Take other clips; what plays goes out. Short ones are read at once, so that play is immediate."""
        self._halt()
        self._tracks.load(question, answer)
        self._region, self._spot = None, Spot(next(iter(self._lanes()), "answer"), 0.0)
        if self._mixer is not None:
            self._mixer.load(())
        self._on_deck = ()
        self._set_state(State.READY if len(self._tracks) else State.EMPTY)
        self.loaded.emit()
        self.region_changed.emit()
        self.position_changed.emit(0.0)
        self._read_ahead()

    def keep_at_hand(self, answers: Sequence[Clip]) -> None:
        """Read these ahead too, so that ``switch`` to one is heard at once; until others are loaded or kept."""
        self._tracks.keep(answers)
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
        self._on_deck = ()
        self._put_on_deck()
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
        return (self._heard() if self._state is State.PLAYING else None) or self._spot

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
            self._on_deck = ()  # it is read once more
        self._go_on()

    def play_region(self) -> None:
        """Play the chosen range once; all from here where none is chosen."""
        self.play(self._region, self._region_lane() if self._region else None)

    def pause(self) -> None:
        """Stand still where it is heard."""
        self._wanted = None
        if self._mixer is not None and self._state is State.PLAYING:
            self._mixer.pause()  # the playhead follows to where the sound goes out
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
        if self._mixer is not None and self._on_deck:
            self._mixer.seek(self._place())
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
            self._put_on_deck()
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
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Play 0.5 to 2 times as fast, the pitch kept; what plays goes out and comes in again where it was.

        Where the library that stretches is not installed, ``failed`` says so and the speed stays.
        """
        speed = round(min(max(speed, SLOWEST), FASTEST), 2)
        if speed == self._speed:
            return
        if not can_stretch():
            self.failed.emit(EngineError("player.no_stretch"))
            return
        self._spot = self.spot
        scale, self._speed = self._speed / speed, speed
        self._tracks.set_speed(speed)
        if self._mixer is not None and self._on_deck:
            self._mixer.exchange(self._tracks.parts(self._on_deck, self._mixer.rate_hz), scale)
            self._tell_loop()
        self._read_ahead()
        self.speed_changed.emit(speed)

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
        return self._underruns

    def refresh_devices(self) -> None:
        """Look for devices, those plugged in since the start too; what plays stops. ``devices_changed`` follows."""
        self._halt()
        self._put_off_deck()
        self._device.list(look_again=True)

    def close(self) -> None:
        """Stop, read no more and give the device back; when the application ends."""
        self._halt()
        self._tracks.load(None, None)
        self._device.close()

    # one step towards being heard, after each thing that could have made it possible

    def _go_on(self) -> None:
        if self._wanted is None or self._device.is_busy:
            return
        if self.plan is None:
            self._device.ask()
            return
        if self._mixer is None:
            self._mixer = Mixer(self.plan.rate_hz)
        if not self._on_deck:
            self._put_on_deck()
        if self._device.output is None:
            self._device.open(self._mixer)
            return
        (range_s,) = self._wanted
        self._wanted = None
        self._mixer.play(None if range_s is None else self._stretch(range_s, self._spot.lane))
        self._set_state(State.PLAYING)
        self._frames.start()

    def _read_ahead(self) -> None:
        if len(self._tracks) and self.plan is None and not self._device.is_busy and self.trouble is None:
            self._device.ask()
        if self.plan is not None:
            self._tracks.read_ahead(self._lanes(), self.plan.rate_hz)

    def _put_on_deck(self) -> None:
        """Hand the lanes of the chosen part to the mixer, once there is one."""
        if self._mixer is None or not self._lanes():
            return
        self._on_deck = self._lanes()
        self._mixer.load(self._tracks.parts(self._on_deck, self._mixer.rate_hz), self._place())
        self._tell_loop()
        self._tell_muted()

    def _put_off_deck(self) -> None:
        """Keep the place and the samples; the next play makes a mixer anew."""
        self._mixer, self._on_deck = None, ()
        self._underruns_before = self._underruns

    def _lanes(self) -> tuple[Lane, ...]:
        return self._tracks.lanes(self._part)

    def _region_lane(self) -> Lane:
        return next(reversed(self._lanes()), "answer")

    def _place(self) -> Place:
        assert self._mixer is not None
        return Place(self._on_deck.index(self._spot.lane), self._frame(self._spot.position_s, self._mixer))

    def _stretch(self, range_s: Range, lane: Lane) -> Stretch:
        assert self._mixer is not None
        start, end = (self._frame(max(0.0, second), self._mixer) for second in range_s)
        return Stretch(self._on_deck.index(lane), start, end)

    def _frame(self, second: float, mixer: Mixer) -> int:
        """The mixer's frame of a second of the recording."""
        return round(second * mixer.rate_hz / self._speed)

    def _is_at_end(self) -> bool:
        spot = self.spot
        duration_s = self.lane_duration_s(spot.lane)
        return spot.lane == self._lanes()[-1] and 0 < duration_s <= spot.position_s + _AT_END_S

    def _tell_loop(self) -> None:
        if self._mixer is None or not self._on_deck:
            return
        loop = self._loop() if self._loops else None
        self._mixer.set_loop(loop)
        for part, lane in enumerate(self._on_deck):
            self._tracks.loop_from(lane, loop.start if loop is not None and max(0, loop.part) == part else None)

    def _loop(self) -> Stretch:
        """What is looped: the chosen range, else all."""
        if self._region is not None:
            return self._stretch(self._region, self._on_deck[-1])
        return EVERYTHING if len(self._on_deck) > 1 else Stretch(0, 0, TO_THE_END)

    def _tell_muted(self) -> None:
        if self._mixer is not None:
            self._mixer.mute({lane for lane in LANES if lane in self._muted or (self._solo and lane not in self._solo)})

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
        self._settings.changed.connect(self._on_setting)

    def _chosen_device(self) -> str:
        return str(self._settings.get("sound_output"))

    def _on_read(self, lane: str) -> None:
        if lane == self._spot.lane:
            self.position_changed.emit(self.position_s)  # its length is known to the frame now

    def _on_unreadable(self, lane: str, error: EngineError) -> None:
        if self.is_playing and lane in self._lanes():
            self._fail(error)

    def _on_planned(self) -> None:
        assert self.plan is not None
        if self._mixer is not None and self._mixer.rate_hz != self.plan.rate_hz:
            self._put_off_deck()
        self._tracks.use_rate(self.plan.rate_hz)
        self._read_ahead()
        self._go_on()

    def _on_opened(self) -> None:
        if not self.is_playing:
            self._device.rest()
        self._go_on()

    def _on_lost(self) -> None:
        self._spot = self.spot
        self._frames.stop()
        self._put_off_deck()

    def _on_trouble(self) -> None:
        self.device_changed.emit()
        if self.trouble is not None and self.is_playing:
            self._fail(self.trouble)

    def _on_setting(self, name: str) -> None:
        if name == "sound_output":
            self._halt()
            self._put_off_deck()
            self._device.forget()
            self._read_ahead()

    def _fail(self, error: EngineError) -> None:
        self._halt()
        self.failed.emit(error)

    # the playhead

    def _tick(self) -> None:
        """Once a frame of the screen while it plays; cheap."""
        output, mixer = self._device.output, self._mixer
        if output is None or mixer is None:
            self._frames.stop()
            return
        self._count_underruns(output.told.underruns + mixer.starved)
        self._tracks.keep_up()
        self._spot = self._heard() or self._spot
        self.position_changed.emit(self._spot.position_s)
        frame = self._heard_frame()
        if frame is not None:
            left, right = mixer.peak(frame)
            self.level_changed.emit(_dbfs(left), _dbfs(right))
            if mixer.is_still(frame):
                self._halt()
        self._device.watch()

    def _count_underruns(self, of_this_output: int) -> None:
        if self._underruns_before + of_this_output != self._underruns:
            self._underruns = self._underruns_before + of_this_output
            self.underruns_changed.emit(self._underruns)

    def _heard_frame(self) -> float | None:
        output, mixer = self._device.output, self._mixer
        frame = None if output is None else output.clock.frame(output.now())
        return None if frame is None or mixer is None else min(frame, float(mixer.frames))

    def _heard(self) -> Spot | None:
        frame, mixer = self._heard_frame(), self._mixer
        found = None if frame is None or mixer is None else mixer.heard(frame)
        if found is None or mixer is None or found[0] not in self._tracks:
            return None
        return Spot("question" if found[0] == "question" else "answer", found[1] * self._speed / mixer.rate_hz)

    def _halt(self) -> None:
        """Play no more; the playhead stands and the meter falls."""
        self._wanted = None
        self._frames.stop()
        if self._mixer is not None:
            self._mixer.pause()
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


def _dbfs(peak: float) -> float:
    return max(SILENCE_DBFS, 20 * math.log10(peak)) if peak > 0 else SILENCE_DBFS
