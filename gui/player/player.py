"""The player as screens use it: what is loaded, what is heard, where, and what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.progress import Progress
from gui.jobs import Job, JobRunner
from gui.player.clip import LANES, Clip, Lane
from gui.player.decode import fill
from gui.player.devices import OutputDevice, Plan
from gui.player.mixer import Mixer, Part, Place, Stretch
from gui.player.output import Output, PortAudio, Sound
from gui.player.pcm import Pcm
from gui.settings import Settings

FRAME_MS = 16  # about once a frame of the screen
READ_AHEAD_S = 60.0  # longer recordings are decoded when they are played
IDLE_MS = 10_000  # then the device is given back
DEAD_S = 2.0  # a device that asks for nothing this long has gone, whether it says so or not
SILENCE_DBFS = -120.0
_AT_END_S = 0.001

Range = tuple[float, float]


class State(Enum):
    """What the player does. ``OPENING`` waits for the device or the first sound of a file."""

    EMPTY, READY, OPENING, PLAYING = "empty", "ready", "opening", "playing"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on one lane's own time line."""

    lane: Lane
    position_s: float


@dataclass(slots=True)
class _Track:
    """One loaded lane: its clip, its samples at the device's rate, the job that reads them, what went wrong."""

    clip: Clip
    pcm: Pcm | None = None
    job: Job | None = None
    error: EngineError | None = None


class Player(QObject):
    """Plays the question, the answer, or both in turn; positions are seconds on the current lane's own time line.

    Signals:
        loaded: other clips are in; nothing has been read yet.
        state_changed: a ``State``.
        position_changed: seconds on the current lane; while it plays, once a frame of the screen.
        part_changed: "question", "answer" or "both".
        region_changed: the chosen range or whether it loops is another.
        lanes_changed: another lane is muted or solo.
        level_changed: peaks of left and right in dBFS, as heard.
        underruns_changed: how often the device or the reading came too late since the window opened.
        device_changed: the ``plan`` or the ``trouble`` of the device is another.
        devices_changed: a tuple of OutputDevice, after ``refresh_devices``.
        failed: an EngineError: why nothing is heard; the position is kept and the next play tries anew.
    """

    loaded, state_changed, position_changed = Signal(), Signal(object), Signal(float)
    part_changed, region_changed, lanes_changed = Signal(str), Signal(), Signal()
    level_changed, underruns_changed = Signal(float, float), Signal(int)
    device_changed, devices_changed, failed = Signal(), Signal(object), Signal(object)
    _device_ended = Signal(object)

    def __init__(
        self, jobs: JobRunner, settings: Settings, parent: QObject | None = None, *, sound: Sound | None = None
    ) -> None:
        super().__init__(parent)
        self._jobs, self._settings = jobs, settings
        self._sound = sound or PortAudio()
        self._tracks: dict[Lane, _Track] = {}
        self._part = "answer"
        self._spot = Spot("answer", 0.0)
        self._region: Range | None = None
        self._loops = False
        self._muted: set[Lane] = set()
        self._solo: set[Lane] = set()
        self._state = State.EMPTY
        self._wanted: tuple[Range | None] | None = None  # a play that waits for the device
        self._plan: Plan | None = None
        self._trouble: EngineError | None = None
        self._output: Output | None = None
        self._mixer: Mixer | None = None
        self._on_deck: tuple[Lane, ...] = ()
        self._opening: Job | None = None
        self._underruns = self._underruns_before = 0
        self._frames_clock = self._timer(FRAME_MS, self._tick)
        self._idle_clock = self._timer(IDLE_MS, self._release_device, once=True)
        self._device_ended.connect(self._on_device_ended)
        settings.changed.connect(self._on_setting)

    # what is loaded

    def load(self, question: Clip | None, answer: Clip | None) -> None:
        """Take other clips; what plays goes out. Short ones are read at once, so that play is immediate."""
        self._stop_reading()
        self._wanted = None
        self._tracks = {
            lane: _Track(clip) for lane, clip in zip(LANES, (question, answer), strict=True) if clip is not None
        }
        self._region, self._spot = None, Spot(self._lanes()[0] if self._lanes() else "answer", 0.0)
        if self._mixer is not None:
            self._mixer.pause()
            self._mixer.load(())
        self._on_deck = ()
        self._set_state(State.READY if self._tracks else State.EMPTY)
        self.loaded.emit()
        self.region_changed.emit()
        self.position_changed.emit(0.0)
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
    def duration_s(self) -> float:
        """Seconds of the current lane; 0 where nothing is loaded or its length is not known yet."""
        return self.lane_duration_s(self.spot.lane)

    def lane_duration_s(self, lane: Lane) -> float:
        """Seconds of one lane: what was decoded, else what its facts say."""
        track = self._tracks.get(lane)
        if track is None:
            return 0.0
        if track.pcm is not None and track.pcm.complete:
            return track.pcm.length / track.pcm.rate_hz
        return track.clip.duration_s or 0.0

    @property
    def position_s(self) -> float:
        """Where it is heard, in seconds of the current lane."""
        return self.spot.position_s

    @property
    def spot(self) -> Spot:
        """The lane and the place that are heard now: not what was handed over, but what has left the device."""
        if self._state is State.PLAYING and (found := self._heard()) is not None:
            return found
        return self._spot

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
        if not self._tracks:
            return
        if lane is not None and lane not in self._lanes():
            self.set_part(lane)
        if range_s is not None:
            self._spot = Spot(lane or self.spot.lane, range_s[0])
        elif self._is_at_end():
            self._spot = Spot(self._lanes()[0], 0.0)
            if self._mixer is not None:
                self._mixer.seek(self._place())
        self._wanted = (range_s,)
        self._idle_clock.stop()
        if self._state is not State.PLAYING:
            self._set_state(State.OPENING)
        self._go_on()

    def play_region(self) -> None:
        """Play the chosen range once; all of it where none is chosen."""
        self.play(self._region)

    def pause(self) -> None:
        """Stand still where it is heard."""
        self._wanted = None
        if self._mixer is not None and self._state is State.PLAYING:
            self._mixer.pause()  # the playhead follows to where the sound goes out
        elif self._tracks:
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
        was_playing, spot = self.is_playing, self.spot
        self._part = part
        lanes = self._lanes()
        if lanes:
            keeps = spot.lane in lanes and (was_playing or spot.lane == lanes[0])
            self._spot = spot if keeps else Spot(lanes[0], 0.0)
            self._put_on_deck()
            self._read_ahead()
        self.part_changed.emit(part)
        self.position_changed.emit(self._spot.position_s)

    @property
    def region(self) -> Range | None:
        """The chosen range in seconds of the current lane (in "both", of the answer)."""
        return self._region

    @property
    def loops(self) -> bool:
        """Whether the region, or all of it, is played over and over."""
        return self._loops

    def set_region(self, range_s: Range | None) -> None:
        """Choose a range; None chooses none."""
        if range_s is not None:
            range_s = (min(range_s), max(range_s))
        if range_s != self._region:
            self._region = range_s
            self._tell_loop()
            self.region_changed.emit()

    def set_looping(self, loops: bool) -> None:
        """Play the region over and over, or not."""
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

    # the device

    @property
    def plan(self) -> Plan | None:
        """The device, its rate and channels; None until one is known."""
        return self._plan

    @property
    def trouble(self) -> EngineError | None:
        """Why there is no device; None where there is one or nobody asked yet."""
        return self._trouble

    @property
    def is_resampled(self) -> bool:
        """Whether the current clip is heard at another rate than its own."""
        track = self._tracks.get(self.spot.lane)
        return bool(track and self._plan and track.clip.sample_rate_hz not in (None, self._plan.rate_hz))

    @property
    def latency_s(self) -> float:
        """Between a command and hearing it, as the open device says; 0 while none is open."""
        return 0.0 if self._output is None else self._output.latency_s

    @property
    def underruns(self) -> int:
        """How often the device or the reading came too late since the window opened."""
        return self._underruns

    def refresh_devices(self, *, look_again: bool = True) -> None:
        """Look for devices, those plugged in since the start too; ``devices_changed`` follows, or ``failed``."""
        self._halt()
        output, self._output = self._output, None
        job = self._jobs.call(_listed, self._sound, output, look_again)
        job.succeeded.connect(self._on_devices)
        job.failed.connect(self._on_no_device)

    def close(self) -> None:
        """Stop, read no more and give the device back; when the application ends."""
        self._halt()
        self._idle_clock.stop()
        self._stop_reading()
        self._tracks = {}
        if self._output is not None:
            self._output.close()
            self._output = None

    # one step towards being heard, after each thing that could have made it possible

    def _go_on(self) -> None:
        if self._wanted is None or self._opening is not None:
            return
        if self._plan is None:
            self._ask_device()
        elif error := self._error_on_deck():
            self._fail(error)
        elif self._output is None or self._mixer is None:
            self._open_device()
        else:
            self._start(*self._wanted)

    def _start(self, range_s: Range | None) -> None:
        assert self._mixer is not None
        self._wanted = None
        if not self._on_deck:
            self._put_on_deck()
        self._mixer.play(None if range_s is None else self._stretch(range_s, self._spot.lane))
        self._set_state(State.PLAYING)
        self._frames_clock.start()

    def _put_on_deck(self) -> None:
        """Hand the lanes of the chosen part to the mixer, once the rate is known."""
        self._on_deck = ()
        if self._mixer is None or not self._lanes():
            return
        parts = [Part(lane, self._pcm(lane)) for lane in self._lanes()]
        self._on_deck = self._lanes()
        self._mixer.load(parts, self._place())
        self._tell_loop()
        self._tell_muted()

    def _lanes(self) -> tuple[Lane, ...]:
        """The lanes of the chosen part that are there; else all that are there."""
        chosen = tuple(lane for lane in LANES if lane in self._tracks and self._part in (lane, "both"))
        return chosen or tuple(self._tracks)

    def _place(self) -> Place:
        rate = self._mixer.rate_hz if self._mixer else 1
        lanes = self._lanes()
        part = lanes.index(self._spot.lane) if self._spot.lane in lanes else 0
        return Place(part, round(self._spot.position_s * rate))

    def _stretch(self, range_s: Range, lane: Lane) -> Stretch:
        rate = self._mixer.rate_hz if self._mixer else 1
        part = self._lanes().index(lane) if lane in self._lanes() else len(self._lanes()) - 1
        return Stretch(part, round(max(0.0, range_s[0]) * rate), round(range_s[1] * rate))

    def _is_at_end(self) -> bool:
        lanes, spot = self._lanes(), self.spot
        duration_s = self.lane_duration_s(spot.lane)
        return spot.lane == lanes[-1] and duration_s > 0 and spot.position_s >= duration_s - _AT_END_S

    def _tell_loop(self) -> None:
        if self._mixer is None or not self._on_deck:
            return
        lane = self._on_deck[-1]
        whole = (0.0, math.inf) if len(self._on_deck) == 1 else None
        range_s = self._region or whole or (0.0, self.lane_duration_s(lane))
        if not self._loops or math.isinf(range_s[1]):
            range_s = (range_s[0], self.lane_duration_s(lane))
        self._mixer.set_loop(self._stretch(range_s, lane) if self._loops else None)

    def _tell_muted(self) -> None:
        if self._mixer is not None:
            silent = {lane for lane in LANES if lane in self._muted or (self._solo and lane not in self._solo)}
            self._mixer.mute(silent)

    def _change(self, lanes: set[Lane], lane: Lane, wanted: bool) -> None:
        if (lane in lanes) != wanted:
            lanes.symmetric_difference_update({lane})
            self._tell_muted()
            self.lanes_changed.emit()

    # reading

    def _read_ahead(self) -> None:
        if self._tracks and self._plan is None and self._opening is None:
            self._ask_device()
        if self._plan is not None:
            for lane in self._lanes():
                duration_s = self._tracks[lane].clip.duration_s
                if duration_s is not None and duration_s <= READ_AHEAD_S:
                    self._pcm(lane)

    def _pcm(self, lane: Lane) -> Pcm:
        """The samples of a lane at the device's rate; reading begins when they are first asked for."""
        assert self._plan is not None
        track = self._tracks[lane]
        if track.pcm is None or track.error is not None:
            track.error = None
            track.pcm = Pcm(self._plan.rate_hz, math.ceil((track.clip.duration_s or 0) * self._plan.rate_hz))
            track.job = self._jobs.run(fill(track.pcm, track.clip))
            track.job.succeeded.connect(self._on_read)
            track.job.failed.connect(self._on_unreadable)
        return track.pcm

    def _stop_reading(self) -> None:
        for track in self._tracks.values():
            if track.job is not None:
                track.job.cancel()

    def _on_read(self, pcm: Pcm) -> None:
        if any(track.pcm is pcm for track in self._tracks.values()):
            self._tell_loop()  # the length is known to the frame now

    def _on_unreadable(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        job = self.sender()
        for lane, track in self._tracks.items():
            if track.job is job:
                track.error = error
                if self.is_playing and lane in self._lanes():
                    self._fail(error)

    def _error_on_deck(self) -> EngineError | None:
        """What stands in the way of the lane that is to be heard; a file that failed is tried once more."""
        for lane in self._lanes():
            track = self._tracks[lane]
            if track.error is not None:
                self._on_deck = ()
            self._pcm(lane)
        return None

    # the device, on jobs

    def _ask_device(self) -> None:
        self._opening = job = self._jobs.call(self._sound.plan, str(self._settings.get("sound_output")))
        job.succeeded.connect(self._on_plan)
        job.failed.connect(self._on_no_device)

    def _on_plan(self, plan: Plan) -> None:
        self._opening = None
        if self._plan is None or self._plan.rate_hz != plan.rate_hz:
            self._forget_samples()
        self._plan, self._trouble = plan, None
        self.device_changed.emit()
        self._read_ahead()
        self._go_on()

    def _forget_samples(self) -> None:
        """The rate is another: everything is decoded anew."""
        self._stop_reading()
        for track in self._tracks.values():
            track.pcm = track.job = None
        self._mixer, self._on_deck = None, ()

    def _open_device(self) -> None:
        assert self._plan is not None
        if self._mixer is None:
            self._mixer = Mixer(self._plan.rate_hz)
        self._put_on_deck()
        self._opening = job = self._jobs.run(_opened(self._sound, self._plan, self._mixer, self._device_ended))
        job.succeeded.connect(self._on_open)
        job.failed.connect(self._on_no_device)

    def _on_open(self, output: Output) -> None:
        self._opening = None
        self._output = output
        self._underruns_before = self._underruns
        self._idle_clock.start()
        self._go_on()

    def _on_no_device(self, error: Exception) -> None:
        self._opening = None
        if not isinstance(error, EngineError):
            raise error
        self._plan, self._trouble = None, error
        self.device_changed.emit()
        if self._wanted is not None or self.sender() is None:
            self._fail(error)

    def _on_device_ended(self, mixer: object) -> None:
        if mixer is self._mixer and self._output is not None:
            self._lose_device()

    def _lose_device(self) -> None:
        name = self._plan.device if self._plan else ""
        spot = self.spot
        was_playing = self.is_playing
        self._halt()
        self._spot = spot
        output, self._output = self._output, None
        self._mixer, self._on_deck, self._plan = None, (), None
        self._trouble = EngineError("player.device_lost", device=name)
        if output is not None:
            self._jobs.call(_closed, output, True, self._sound)
        self.device_changed.emit()
        if was_playing:
            self._fail(self._trouble)

    def _release_device(self) -> None:
        if self._output is not None and not self.is_playing:
            output, self._output = self._output, None
            self._mixer, self._on_deck = None, ()
            self._jobs.call(output.close)

    def _on_setting(self, name: str) -> None:
        if name == "sound_output":
            self._halt()
            self._release_device()
            self._plan = self._trouble = None
            if self._tracks and self._opening is None:
                self._ask_device()

    def _on_devices(self, devices: tuple[OutputDevice, ...]) -> None:
        self._mixer, self._on_deck, self._plan = None, (), None
        self.devices_changed.emit(devices)
        self._ask_device()

    # the playhead

    def _tick(self) -> None:
        """Once a frame of the screen while it plays; cheap."""
        output, mixer = self._output, self._mixer
        if output is None or mixer is None:
            self._frames_clock.stop()
            return
        frame = output.clock.frame(output.now())
        if frame is not None:
            frame = min(frame, float(mixer.frames))
            self.level_changed.emit(*(_dbfs(peak) for peak in mixer.peak(frame)))
        underruns = self._underruns_before + output.told.underruns + mixer.starved
        if underruns != self._underruns:
            self._underruns = underruns
            self.underruns_changed.emit(underruns)
        spot = self._heard()
        if spot is not None:
            self._spot = spot
            self.position_changed.emit(spot.position_s)
        if output.told.last_block_s is not None and output.now() - output.told.last_block_s > DEAD_S:
            self._lose_device()
        elif not mixer.is_playing and mixer.is_settled and self._is_heard_out(frame):
            self._halt()
            self._idle_clock.start()

    def _heard(self) -> Spot | None:
        if self._output is None or self._mixer is None or not self._mixer.is_settled:
            return None
        frame = self._output.clock.frame(self._output.now())
        found = None if frame is None else self._mixer.heard(min(frame, float(self._mixer.frames)))
        if found is None or found[0] not in self._tracks:
            return None
        lane: Lane = "question" if found[0] == "question" else "answer"
        return Spot(lane, found[1] / self._mixer.rate_hz)

    def _is_heard_out(self, frame: float | None) -> bool:
        return self._mixer is not None and (frame is None or self._mixer.is_still_at(frame))

    def _halt(self) -> None:
        """Play no more; the timer stops and the meter falls."""
        self._wanted = None
        self._frames_clock.stop()
        if self._mixer is not None:
            self._mixer.pause()
        if self.is_playing:
            self._spot = self._heard() or self._spot
            self._set_state(State.READY if self._tracks else State.EMPTY)
            self.position_changed.emit(self._spot.position_s)
        self.level_changed.emit(SILENCE_DBFS, SILENCE_DBFS)

    def _fail(self, error: EngineError) -> None:
        self._halt()
        self.failed.emit(error)

    def _set_state(self, state: State) -> None:
        if state is not self._state:
            self._state = state
            self.state_changed.emit(state)

    def _timer(self, interval_ms: int, action: Any, *, once: bool = False) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(interval_ms)
        timer.setSingleShot(once)
        timer.timeout.connect(action)
        return timer


def _opened(sound: Sound, plan: Plan, mixer: Mixer, ended: Any) -> Generator[Progress, None, Output]:
    return sound.open(plan, mixer, lambda: ended.emit(mixer))
    yield


def _listed(sound: Sound, output: Output | None, look_again: bool) -> tuple[OutputDevice, ...]:
    if output is not None:
        output.close()
    return sound.outputs(refresh=look_again)


def _closed(output: Output, look_again: bool, sound: Sound) -> None:
    output.close()
    sound.outputs(refresh=look_again)


def _dbfs(peak: float) -> float:
    return max(SILENCE_DBFS, 20 * math.log10(peak)) if peak > 0 else SILENCE_DBFS
