"""The mixer in the words of the player: lanes, and seconds of the recordings whatever speed they are heard at."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gui.player.clip import Lane
from gui.player.deck import EVERYTHING, TO_THE_END, Place, Stretch
from gui.player.mixer import Mixer
from gui.player.spot import Range, Spot
from gui.player.tracks import Tracks


class Desk:
    """Until a device and so its rate are known there is no mixer, and what is asked of it comes to nothing.

    Attributes:
        mixer: what an output renders; None without a device.
        lanes: those that are on it, played in turn.
    """

    def __init__(self, tracks: Tracks) -> None:
        self.mixer: Mixer | None = None
        self.lanes: tuple[Lane, ...] = ()
        self.speed = 1.0
        self._tracks = tracks

    def set_up(self, rate_hz: int) -> Mixer:
        """The mixer, made where there is none; one of another rate makes way."""
        if self.mixer is None or self.mixer.rate_hz != rate_hz:
            self.mixer, self.lanes = Mixer(rate_hz), ()
            self.mixer.speed = self.speed
        return self.mixer

    def put_away(self) -> None:
        """The mixer goes; the samples stay."""
        self.mixer, self.lanes = None, ()

    def clear(self) -> None:
        """What sounds goes out, and nothing is on it."""
        if self.mixer is not None:
            self.mixer.load(())
        self.lanes = ()

    def put_on(self, lanes: tuple[Lane, ...], spot: Spot) -> None:
        """Play these from ``spot`` on; a loop has to be told again."""
        if self.mixer is not None and lanes:
            self.lanes = lanes
            self.mixer.load(self._tracks.parts(lanes, self.mixer.rate_hz), self._place(spot))

    def set_speed(self, speed: float) -> None:
        """Play on at another speed; the place, a range and a loop stay."""
        scale, self.speed = self.speed / speed, speed
        self._tracks.set_speed(speed)
        if self.mixer is not None and self.lanes:
            self.mixer.exchange(self._tracks.parts(self.lanes, self.mixer.rate_hz), scale)

    def play(self, range_s: Range | None, lane: Lane) -> None:
        """Play on, or a range of ``lane`` once."""
        if self.mixer is not None and self.lanes:
            self.mixer.play(None if range_s is None else self._stretch(range_s, lane))

    def pause(self) -> None:
        """Go out and stand still."""
        if self.mixer is not None:
            self.mixer.pause()

    def seek(self, spot: Spot) -> None:
        """Go on at ``spot``."""
        if self.mixer is not None and self.lanes:
            self.mixer.seek(self._place(spot))

    def loop(self, region: Range | None) -> None:
        """Play a range of the last lane over and over; None is all there is."""
        if self.mixer is not None and self.lanes:
            everything = EVERYTHING if len(self.lanes) > 1 else Stretch(0, 0, TO_THE_END)
            self._loop(everything if region is None else self._stretch(region, self.lanes[-1]))

    def stop_looping(self) -> None:
        """Play each end as an end."""
        self._loop(None)

    def mute(self, lanes: Collection[Lane]) -> None:
        """Play these as silence."""
        if self.mixer is not None:
            self.mixer.mute(lanes)

    def set_gains(self, gains_db: Mapping[Lane, float]) -> None:
        """Play lanes louder or softer."""
        if self.mixer is not None:
            self.mixer.set_gains({str(lane): gain_db for lane, gain_db in gains_db.items()})

    def heard(self, frame: float) -> Spot | None:
        """Where frame ``frame`` of all handed out lies; None before a jump has become audible."""
        found = None if self.mixer is None else self.mixer.heard(frame)
        if found is None or self.mixer is None or found[0] not in self._tracks:
            return None
        return Spot("question" if found[0] == "question" else "answer", found[1] * self.speed / self.mixer.rate_hz)

    def _loop(self, loop: Stretch | None) -> None:
        if self.mixer is not None:
            self.mixer.set_loop(loop)
        for part, lane in enumerate(self.lanes):
            self._tracks.loop_from(lane, loop.start if loop is not None and max(0, loop.part) == part else None)

    def _place(self, spot: Spot) -> Place:
        return Place(self.lanes.index(spot.lane), self._frame(spot.position_s))

    def _stretch(self, range_s: Range, lane: Lane) -> Stretch:
        return Stretch(self.lanes.index(lane), *(self._frame(max(0.0, second)) for second in range_s))

    def _frame(self, second: float) -> int:
        assert self.mixer is not None
        return round(second * self.mixer.rate_hz / self.speed)
