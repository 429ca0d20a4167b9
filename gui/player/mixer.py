"""Renders what is heard, block by block, on the output's thread: positions, ranges, loops and their ramps.

Commands come from any thread and are taken up at the next block. Where one would make a jump (stop, seek, another
recording, another lane muted) the sound goes out over 5 ms, the jump happens in silence, and it comes in over 5 ms;
two sounds never overlap. A loop is as many frames long as its range, to the frame.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gui.player.pcm import Pcm

RAMP_S = 0.005
_REMEMBERED_S = 4.0  # of what was handed out; a device's buffer is far shorter
EARS = 2


@dataclass(frozen=True, slots=True)
class Part:
    """One recording of a deck; the parts of a deck are played in turn."""

    lane: str
    pcm: Pcm


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of one part."""

    part: int
    frame: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Frames ``start`` to ``end`` of one part, to be played once or as a loop."""

    part: int
    start: int
    end: int


#: A loop over all parts of a deck in turn.
EVERYTHING = Stretch(-1, 0, 0)
#: The end of a stretch that goes as far as its part does.
TO_THE_END = 1 << 60


@dataclass(frozen=True, slots=True)
class Span:
    """Frames handed out in one piece: ``first`` counts all frames ever handed out."""

    first: int
    frames: int
    lane: str
    start: int
    is_moving: bool
    peak: tuple[float, float]


class Mixer:
    """What plays, where, and what was handed out; ``render`` is the only method for the output's thread."""

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self.frames = 0
        self.starved = 0
        self.is_playing = False
        self._ramp = _ramp(max(1, round(RAMP_S * rate_hz)))
        self._level = 0  # where in the ramp: 0 is silent, len(ramp) is open
        self._parts: tuple[Part, ...] = ()
        self._place = Place(0, 0)
        self._once: Stretch | None = None
        self._loop: Stretch | None = None
        self._muted: frozenset[str] = frozenset()
        self._gain = np.float32(1)
        self._commands: deque[Callable[[], None]] = deque()
        self._in_silence: list[Callable[[], None]] = []
        self._spans: deque[Span] = deque()
        self._is_waiting = False
        self._rendered = 0  # frames of the block being made
        self._jumps_asked = self._jumps_made = 0
        self._jumped_at = 0

    # commands, from any thread

    def load(self, parts: Sequence[Part], place: Place = Place(0, 0)) -> None:
        """Play other recordings, from ``place`` on; a range and a loop of the old ones are forgotten."""
        self._go_elsewhere(lambda: self._put_on(tuple(parts), place))

    def play(self, stretch: Stretch | None = None) -> None:
        """Play from where it stands, or ``stretch`` once from its start."""
        if stretch is None:
            self._at_once(self._start)
        else:
            self._go_elsewhere(lambda: self._start(stretch))

    def pause(self) -> None:
        """Go out over 5 ms and stand still."""
        self._jump(self._stop)

    def seek(self, place: Place) -> None:
        """Go on at ``place``, playing or not; a range that was to be played once is forgotten."""
        self._go_elsewhere(lambda: self._go(place))

    def set_loop(self, stretch: Stretch | None) -> None:
        """Go back to the start of ``stretch`` at its end, as long as it is set; ``EVERYTHING`` loops all parts."""
        self._at_once(lambda: setattr(self, "_loop", stretch))

    def mute(self, lanes: Collection[str]) -> None:
        """Play these lanes as silence, all others as they are."""
        self._jump(lambda: setattr(self, "_muted", frozenset(lanes)))

    def set_gain(self, gain_db: float) -> None:
        """Play everything louder or softer by ``gain_db``; 0 leaves the samples as they are."""
        self._jump(lambda: setattr(self, "_gain", np.float32(10 ** (gain_db / 20))))

    # what is known of it, from any thread

    @property
    def lanes(self) -> tuple[str, ...]:
        """The lanes that are played in turn."""
        return tuple(part.lane for part in self._parts)

    @property
    def is_settled(self) -> bool:
        """Whether every command was taken up."""
        return not self._commands and not self._in_silence

    def heard(self, frame: float) -> tuple[str, float] | None:
        """The lane and its frame that sound when frame ``frame`` of all handed out is heard.

        None before the first, and until the last jump (a seek, another recording, a range) has become audible.
        """
        span = self._span(frame)
        if span is None or self._jumps_made != self._jumps_asked or frame < self._jumped_at:
            return None
        moved = min(max(frame - span.first, 0.0), float(span.frames)) if span.is_moving else 0.0
        return span.lane, span.start + moved

    def is_still(self, frame: float) -> bool:
        """Whether nothing sounds any more when frame ``frame`` of all handed out is heard."""
        span = self._span(frame)
        return not self.is_playing and self.is_settled and (span is None or not span.is_moving)

    def peak(self, frame: float) -> tuple[float, float]:
        """Peaks of left and right in the piece that holds frame ``frame``, full scale 1.0."""
        span = self._span(frame)
        return (0.0, 0.0) if span is None else span.peak

    # the output's thread

    def render(self, count: int) -> NDArray[np.float32]:
        """The next ``count`` frames, shape (count, 2)."""
        block = np.zeros((count, EARS), np.float32)
        filled = self._rendered = 0
        self._take_commands()
        while filled < count:
            if not self.is_playing:
                self._note(self.frames + filled, count - filled, block[filled:], is_moving=False)
                break
            taken = self._render_piece(block[filled:], self.frames + filled)
            if taken == 0 and self._is_waiting:
                self._note(self.frames + filled, count - filled, block[filled:], is_moving=False)
                break
            filled = self._rendered = filled + taken
        self.frames += count
        self._forget()
        return block

    def _render_piece(self, room: NDArray[np.float32], first: int) -> int:
        """Fill the start of ``room`` up to the next change of the ramp or of the place; frames filled."""
        distance = self._limit() - self._place.frame
        if distance <= 0:
            self._turn()
            return 0
        opens = len(self._ramp)
        goes_out = bool(self._in_silence) or distance <= self._level
        if goes_out and self._level == 0:
            self._act_in_silence()
            return 0
        if goes_out:
            most = min(self._level, distance)
        elif self._level < opens:
            most = max(1, min(opens - self._level, (distance - self._level) // 2))
        else:
            most = distance - opens
        part = self._parts[self._place.part]
        wanted = min(most, len(room))
        sound = part.pcm.read(self._place.frame, wanted)
        taken = len(sound)
        if not taken:
            self._wait()
            return 0
        self._is_waiting = False
        if part.lane not in self._muted:
            np.multiply(sound, self._gains(taken, goes_out), out=room[:taken])
        self._note(first, taken, room[:taken], is_moving=True)
        if goes_out:
            self._level -= taken
        else:
            self._level = min(opens, self._level + taken)
        self._place = Place(self._place.part, self._place.frame + taken)
        return taken

    def _gains(self, count: int, goes_out: bool) -> NDArray[np.float32]:
        if goes_out:
            gains = self._ramp[self._level - count : self._level][::-1]
        elif self._level < len(self._ramp):
            gains = self._ramp[self._level : self._level + count]
        else:
            return np.full((1, 1), self._gain, np.float32)
        return (gains * self._gain)[:, None]

    def _limit(self) -> int:
        """The frame of the current part at which something else comes."""
        part, frame = self._place.part, self._place.frame
        for stretch in (self._once, self._loop):
            if stretch is not None and stretch.part == part and stretch.start <= frame <= stretch.end:
                return min(stretch.end, self._parts[part].pcm.length)
        return self._parts[part].pcm.length if self._parts else 0

    def _turn(self) -> None:
        """At the end of a range, a loop or a part: what comes then."""
        self._level = 0
        at_end = self._parts and self._place.frame >= self._parts[self._place.part].pcm.length
        if self._once is not None:
            self._place = Place(self._once.part, self._once.start)
            self._stop()
        elif self._loop is not None and self._place.part == self._loop.part:
            self._loop_to(self._loop.part, self._loop.start)
        elif at_end and not self._is_last():
            self._place = Place(self._place.part + 1, 0)
        elif self._loop is not None and self._parts:
            self._loop_to(max(0, self._loop.part), self._loop.start)
        else:
            self._stop()

    def _loop_to(self, part: int, frame: int) -> None:
        self._place = Place(part, frame)
        if self._limit() <= frame:
            self._stop()  # a loop of nothing would never end

    def _is_last(self) -> bool:
        return self._place.part >= len(self._parts) - 1

    def _wait(self) -> None:
        """Nothing is ready here: hold the place in silence, and come in again by the ramp."""
        if self._level:
            self.starved += 1
        self._level = 0
        self._is_waiting = True

    # commands, taken up

    def _jump(self, change: Callable[[], None]) -> None:
        self._commands.append(lambda: self._in_silence.append(change))

    def _go_elsewhere(self, change: Callable[[], None]) -> None:
        """A jump to another place, which is heard only when what was handed out before it has been."""

        def go() -> None:
            change()
            self._jumps_made += 1
            self._jumped_at = self.frames + self._rendered

        self._jumps_asked += 1
        self._jump(go)

    def _at_once(self, change: Callable[[], None]) -> None:
        """What makes no jump; behind those that wait for silence, so that the order stays."""
        self._commands.append(lambda: self._in_silence.append(change) if self._in_silence else change())

    def _take_commands(self) -> None:
        while self._commands:
            self._commands.popleft()()
            if self._in_silence and (not self.is_playing or self._level == 0):
                self._act_in_silence()

    def _act_in_silence(self) -> None:
        changes, self._in_silence = self._in_silence, []
        for change in changes:
            change()

    def _put_on(self, parts: tuple[Part, ...], place: Place) -> None:
        self._parts, self._place = parts, place
        self._once = self._loop = None
        self._is_waiting = False
        self.is_playing = self.is_playing and bool(parts)

    def _start(self, stretch: Stretch | None = None) -> None:
        if not self._parts:
            return
        self._once = stretch
        if stretch is not None:
            self._place = Place(stretch.part, stretch.start)
        elif self._loop is not None and self._loop is not EVERYTHING and not self._is_in_loop():
            self._place = Place(self._loop.part, self._loop.start)
        self.is_playing = True

    def _is_in_loop(self) -> bool:
        loop = self._loop
        return loop is not None and loop.part == self._place.part and loop.start <= self._place.frame < loop.end

    def _stop(self) -> None:
        self.is_playing = False
        self._level = 0
        self._once = None

    def _go(self, place: Place) -> None:
        self._place = place
        self._once = None
        self._is_waiting = False

    # what was handed out

    def _note(self, first: int, count: int, block: NDArray[np.float32], *, is_moving: bool) -> None:
        lane = self._parts[self._place.part].lane if self._parts else ""
        peak = np.abs(block).max(axis=0) if is_moving else (0.0, 0.0)
        span = Span(first, count, lane, self._place.frame, is_moving, (float(peak[0]), float(peak[1])))
        self._spans.append(span)

    def _forget(self) -> None:
        oldest = self.frames - _REMEMBERED_S * self.rate_hz
        while len(self._spans) > 1 and self._spans[0].first + self._spans[0].frames < oldest:
            self._spans.popleft()

    def _span(self, frame: float) -> Span | None:
        spans = tuple(self._spans)
        if not spans or frame < spans[0].first:
            return spans[0] if spans and spans[0].first else None
        return next((span for span in reversed(spans) if span.first <= frame), None)


def _ramp(frames: int) -> NDArray[np.float32]:
    """A raised cosine from silence to full, taken in the middle of each frame."""
    return np.array([math.sin(math.pi / 2 * (i + 0.5) / frames) ** 2 for i in range(frames)], np.float32)
