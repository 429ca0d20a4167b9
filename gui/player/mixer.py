"""Renders what is heard, block by block, on the output's thread: positions, ranges, loops and their ramps.

Commands come from any thread and are taken up at the next block. Where one would make a jump (stop, seek, another
recording, another lane muted) the sound goes out over 5 ms, the jump happens in silence, and it comes in over 5 ms;
two sounds never overlap. A loop is as many frames long as its range, to the frame.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from gui.player.deck import START, Deck, Part, Place, Stretch
from gui.player.handed_out import HandedOut, Span

RAMP_S = 0.005
EARS = 2


class Mixer:
    """What plays, where, and what was handed out; ``render`` is the only method for the output's thread."""

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz = rate_hz
        self.frames = 0
        self.starved = 0
        self.is_playing = False
        self.speed = 1.0  # of what is on the deck, as it is told with what was handed out
        self._ramp = _ramp(max(1, round(RAMP_S * rate_hz)))
        self._level = 0  # where in the ramp: 0 is silent, len(ramp) is open
        self._deck = Deck()
        self._muted: frozenset[str] = frozenset()
        self._gains: dict[str, np.float32] = {}
        self._commands: deque[Callable[[], None]] = deque()
        self._in_silence: list[Callable[[], None]] = []
        self._handed_out = HandedOut(rate_hz)
        self._is_waiting = False
        self._rendered = 0  # frames of the block being made
        self._jumps_asked = self._jumps_made = 0
        self._jumped_at = 0

    # commands, from any thread

    def load(self, parts: Sequence[Part], place: Place = START) -> None:
        """Play other recordings, from ``place`` on; a range and a loop of the old ones are forgotten."""
        self._go_elsewhere(lambda: self._put_on(parts, place))

    def exchange(self, parts: Sequence[Part], scale: float) -> None:
        """Play on with the same recordings at another speed, ``scale`` times as many frames long.

        The place, a range that is played once and a loop stay where they are in the recording.
        """
        self._go_elsewhere(lambda: self._exchange(parts, scale))

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
        self._go_elsewhere(lambda: self._deck.go(place))

    def set_loop(self, stretch: Stretch | None) -> None:
        """Go back to the start of ``stretch`` at its end, as long as it is set; ``EVERYTHING`` loops all parts."""
        self._at_once(lambda: setattr(self._deck, "loop", stretch))

    def mute(self, lanes: Collection[str]) -> None:
        """Play these lanes as silence, all others as they are."""
        self._jump(lambda: setattr(self, "_muted", frozenset(lanes)))

    def set_gains(self, gains_db: Mapping[str, float]) -> None:
        """Play lanes louder or softer; one that is not named, or named with 0, keeps its samples as they are."""
        gains = {lane: np.float32(10 ** (gain_db / 20)) for lane, gain_db in gains_db.items()}
        self._jump(lambda: setattr(self, "_gains", gains))

    # what is known of it, from any thread

    @property
    def lanes(self) -> tuple[str, ...]:
        """The lanes that are played in turn."""
        return tuple(part.lane for part in self._deck.parts)

    @property
    def is_settled(self) -> bool:
        """Whether every command was taken up."""
        return not self._commands and not self._in_silence

    def heard(self, frame: float) -> tuple[str, float] | None:
        """The lane and its frame that sound when frame ``frame`` of all handed out is heard.

        None before the first, and until the last jump (a seek, another recording, a range) has become audible.
        """
        span = self._handed_out.at(frame)
        if span is None or self._jumps_made != self._jumps_asked or frame < self._jumped_at:
            return None
        moved = min(max(frame - span.first, 0.0), float(span.frames)) if span.is_moving else 0.0
        return span.lane, span.start + moved

    def sounded(self, first: float, last: float) -> list[Span]:
        """What sounded while frames ``first`` to ``last`` of all handed out were heard, piece by piece."""
        return self._handed_out.between(first, last)

    def is_still(self, frame: float) -> bool:
        """Whether nothing sounds any more when frame ``frame`` of all handed out is heard."""
        span = self._handed_out.at(frame)
        return not self.is_playing and self.is_settled and (span is None or not span.is_moving)

    def peak(self, frame: float) -> tuple[float, float]:
        """Peaks of left and right in the piece that holds frame ``frame``, full scale 1.0."""
        span = self._handed_out.at(frame)
        return (0.0, 0.0) if span is None else span.peak

    # the output's thread

    def render(self, count: int) -> NDArray[np.float32]:
        """The next ``count`` frames, shape (count, 2)."""
        block = np.zeros((count, EARS), np.float32)
        filled = self._rendered = 0
        self._take_commands()
        while filled < count:
            if not self.is_playing:
                self._note(self.frames + filled, block[filled:], is_moving=False)
                break
            taken = self._render_piece(block[filled:], self.frames + filled)
            if taken == 0 and self._is_waiting:
                self._note(self.frames + filled, block[filled:], is_moving=False)
                break
            filled = self._rendered = filled + taken
        self.frames += count
        self._handed_out.forget(self.frames)
        return block

    def _render_piece(self, room: NDArray[np.float32], first: int) -> int:
        """Fill the start of ``room`` up to the next change of the ramp or of the place; frames filled."""
        part, place = self._deck.part, self._deck.place
        distance = self._deck.limit - place.frame
        if part is None or distance <= 0:
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
        sound = part.pcm.read(place.frame, min(most, len(room)))
        taken = len(sound)
        if not taken:
            self._wait()
            return 0
        self._is_waiting = False
        if part.lane not in self._muted:
            np.multiply(sound, self._factors(part.lane, taken, goes_out), out=room[:taken])
        self._note(first, room[:taken], is_moving=True)
        if goes_out:
            self._level -= taken
        else:
            self._level = min(opens, self._level + taken)
        self._deck.move(taken)
        return taken

    def _factors(self, lane: str, count: int, goes_out: bool) -> NDArray[np.float32]:
        """What the samples are multiplied by: the gain of their lane, and the ramp where there is one."""
        gain = self._gains.get(lane, np.float32(1))
        if goes_out:
            ramp = self._ramp[self._level - count : self._level][::-1]
        elif self._level < len(self._ramp):
            ramp = self._ramp[self._level : self._level + count]
        else:
            return np.full((1, 1), gain, np.float32)
        return (ramp * gain)[:, None]

    def _turn(self) -> None:
        self._level = 0
        if not self._deck.turn():
            self._stop()

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
            self._is_waiting = False
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

    def _put_on(self, parts: Sequence[Part], place: Place) -> None:
        self._deck.put_on(parts, place)
        self.is_playing = self.is_playing and bool(parts)

    def _exchange(self, parts: Sequence[Part], scale: float) -> None:
        self._deck.exchange(parts, scale)
        self.speed /= scale

    def _start(self, stretch: Stretch | None = None) -> None:
        if self._deck.parts:
            self._deck.begin(stretch)
            self.is_playing = True

    def _stop(self) -> None:
        self.is_playing = False
        self._level = 0
        self._deck.once = None

    def _note(self, first: int, block: NDArray[np.float32], *, is_moving: bool) -> None:
        part = self._deck.part
        lane = "" if part is None else part.lane
        self._handed_out.note(first, block, lane, self._deck.place.frame, is_moving=is_moving, speed=self.speed)


def _ramp(frames: int) -> NDArray[np.float32]:
    """A raised cosine from silence to full, taken in the middle of each frame."""
    return np.array([math.sin(math.pi / 2 * (i + 0.5) / frames) ** 2 for i in range(frames)], np.float32)
