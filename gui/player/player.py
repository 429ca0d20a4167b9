"""The player as screens use it: loads, plays, seeks, loops, and says what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QObject

from engine.errors import EngineError
from engine.installing import pip_install
from gui.jobs import JobRunner
from gui.player.at_speed import FASTEST, SLOWEST, can_stretch
from gui.player.clip import LANES, Clip, Lane
from gui.player.output import Sound
from gui.player.playhead import SILENCE_DBFS
from gui.player.spot import Range, Spot
from gui.player.watched import State, Watched
from gui.settings import Settings

__all__ = ["SILENCE_DBFS", "Player", "Range", "Spot", "State"]

_AT_END_S = 0.002


class Player(Watched):
    """Plays the question, the answer, or both in turn; what it does is told by the signals of ``Watched``."""

    def __init__(
        self, jobs: JobRunner, settings: Settings, parent: QObject | None = None, *, sound: Sound | None = None
    ) -> None:
        super().__init__(jobs, settings, parent, sound=sound)
        self._wanted: tuple[Range | None] | None = None  # a play that waits for the device
        self._is_pausing = False
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

    def set_muted(self, lane: Lane, muted: bool) -> None:
        """Play ``lane`` as silence, or as it is."""
        self._change(self._muted, lane, muted)

    def set_solo(self, lane: Lane, solo: bool) -> None:
        """Play all lanes that are not solo as silence while any is."""
        self._change(self._solo, lane, solo)

    def set_speed(self, speed: float) -> None:
        """Play 0.5 to 2 times as fast, the pitch kept; what plays goes out and comes in again where it was.

        Where the library that stretches is not installed, ``failed`` says so and the speed stays.
        """
        speed = round(min(max(speed, SLOWEST), FASTEST), 2)
        if speed == self.speed:
            return
        if not can_stretch():
            self.failed.emit(EngineError("player.no_stretch", command=pip_install("python-stretch")))
            return
        self._spot = self.spot
        self._desk.set_speed(speed)
        self._tell_loop()
        self._read_ahead()
        self.speed_changed.emit(speed)

    def set_gain_mode(self, mode: str) -> None:
        """Play louder or softer by this; kept in the settings. What plays goes out and comes in again."""
        self._settings.set("sound_gain", mode)

    # the device

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
        self._playhead.sounded.connect(self.sounded)
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
