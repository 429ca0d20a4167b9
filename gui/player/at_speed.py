"""A recording at another speed, its pitch kept: stretched piece by piece, where it is heard next.

python-stretch (Signalsmith Stretch, MIT) takes a sound whole, and nothing else runs in Python meanwhile. So the
recording is cut about every 0.8 s where it is quietest; each piece is stretched with some sound around it and goes
over into the next one within 10 ms of the same sound. What a piece holds depends on the recording and the speed
alone: a loop is the same at every turn.
"""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from engine.progress import Progress
from gui.player.pcm import Pcm

SLOWEST, FASTEST, STEP = 0.5, 2.0, 0.1

_BLOCK_S, _HOP_S = 0.06, 0.015  # of the library's analysis: four periods of a low voice, 3 ms off at most
_PIECE_S = 0.8  # 17 ms of work at most at 48 kHz
_SEARCH_S = 0.2  # how far a cut moves to where it is quiet
_QUIET_S = 0.02
_AROUND_S = 0.15
_JOIN_S = 0.01
_AHEAD_S = 10.0  # of the recording; what is heard next is there before it is
_MOST_BYTES = 64 << 20  # six minutes of mono at 48 kHz


def can_stretch() -> bool:
    """Whether the library is installed: there are platforms for which it is not built."""
    return find_spec("python_stretch") is not None


class PcmAtSpeed:
    """Frames of ``source`` at ``speed`` times its pace, as a mixer reads them; ``make`` brings them on a pool thread.

    Attributes:
        loop_start: a frame to which the place will jump back, so that it is there too; None for none.
    """

    def __init__(self, source: Pcm, speed: float) -> None:
        self.speed, self.rate_hz = speed, source.rate_hz
        self.loop_start: int | None = None
        self._source = source
        self._at = 0
        self._piece, self._search = round(_PIECE_S * self.rate_hz), round(_SEARCH_S * self.rate_hz)
        self._around, self._join = round(_AROUND_S * self.rate_hz), round(_JOIN_S * self.rate_hz)
        self._cuts: dict[int, int] = {}
        self._pieces: dict[int, tuple[int, NDArray[np.float32]]] = {}
        self._last_raw: tuple[int, NDArray[np.float32]] | None = None

    @property
    def length(self) -> int:
        """Frames in the whole recording at this speed; until it is read, what its header promises."""
        return self._out(self._source.length)

    @property
    def lacks(self) -> bool:
        """Whether something that is heard next is not there yet and could be made."""
        return self._next() is not None

    def read(self, start: int, count: int) -> NDArray[np.float32]:
        """Up to ``count`` frames from ``start``, fewer where the rest is not ready; a view, not to be written to."""
        self._at = start
        guess = int(start * self.speed) // self._piece
        for number in (guess, guess - 1, guess + 1):
            first, frames = self._pieces.get(number, (0, None))
            if frames is not None and first <= start < first + len(frames):
                return frames[start - first : start - first + count]
        return np.zeros((0, 1), np.float32)

    def make(self) -> Generator[Progress, None, None]:
        """Stretch what is heard next, nearest first, as far as the recording was read; yields after each piece."""
        while (number := self._next()) is not None:
            self._pieces[number] = (self._out(self._cut(number)), self._made(number))
            self._forget()
            yield Progress(len(self._pieces), 0)

    # which piece

    def _next(self) -> int | None:
        return next((n for n in self._wanted() if n not in self._pieces and self._can_make(n)), None)

    def _wanted(self) -> list[int]:
        """Numbers of the pieces that are heard next, from the place that was read and from the loop's start."""
        starts = [self._at] if self.loop_start is None else [self._at, self.loop_start]
        many = round(_AHEAD_S / _PIECE_S)
        return [number for start in starts for number in range(self._number(start), self._number(start) + many)]

    def _number(self, frame: int) -> int:
        """The piece that holds a frame, or the one before it."""
        number = int(frame * self.speed) // self._piece
        return number - 1 if number and (not self._is_known(number) or self._out(self._cut(number)) > frame) else number

    def _is_known(self, number: int) -> bool:
        return self._source.complete or self._source.ready >= number * self._piece + self._search

    def _can_make(self, number: int) -> bool:
        source = self._source
        if not source.complete:  # the next piece but one begins what is behind the join
            return source.ready >= (number + 2) * self._piece + self._search + self._around
        return self._cut(number) < source.length

    def _cut(self, number: int) -> int:
        """The frame of the recording at which a piece begins; its end behind the last one."""
        middle, source = number * self._piece, self._source
        if number == 0:
            return 0
        if source.complete and middle + self._search > source.length:
            return source.length
        if number not in self._cuts:
            self._cuts[number] = (
                middle
                - self._search
                + _quietest(source.read(middle - self._search, 2 * self._search), round(_QUIET_S * self.rate_hz))
            )
        return self._cuts[number]

    def _out(self, frame: int) -> int:
        return round(frame / self.speed)

    # what is in it

    def _made(self, number: int) -> NDArray[np.float32]:
        """The piece; over its last 10 ms it goes over into what the next one has there."""
        raw = self._raw(number)
        body = raw[self._join :]
        end = self._cut(number + 1)
        if not (self._source.complete and end == self._source.length):
            coming = self._raw(number + 1)[: self._join]
            share = np.sin(np.pi / 2 * (np.arange(self._join) + 0.5) / self._join)[:, None] ** 2
            body = body.copy()
            body[-self._join :] += ((coming - body[-self._join :]) * share).astype(np.float32)
        return np.ascontiguousarray(body)

    def _raw(self, number: int) -> NDArray[np.float32]:
        """The piece with 10 ms before it, stretched by itself; the last one is kept, for it is asked for twice."""
        if self._last_raw is None or self._last_raw[0] != number:
            self._last_raw = (number, self._stretched(self._cut(number), self._cut(number + 1)))
        return self._last_raw[1]

    def _stretched(self, start: int, end: int) -> NDArray[np.float32]:
        from python_stretch.Signalsmith import Stretch

        first = max(0, start - self._around)
        sound = self._source.read(first, end + self._around - first)
        stretch = Stretch(0)  # a seed: the same sound each time
        stretch.configure(sound.shape[1], round(_BLOCK_S * self.rate_hz), round(_HOP_S * self.rate_hz))
        stretch.setTimeFactor(self.speed)
        made = np.asarray(stretch.process(np.ascontiguousarray(sound.T)), np.float32).T
        before = self._out(start) - self._join - self._out(first)
        frames = np.zeros((self._out(end) - self._out(start) + self._join, sound.shape[1]), np.float32)
        skipped = max(0, -before)  # nothing comes before the first piece
        taken = made[max(0, before) : before + len(frames)]
        frames[skipped : skipped + len(taken)] = taken
        return frames

    def _forget(self) -> None:
        """Let go of what is not heard next, when it is much."""
        if sum(frames.nbytes for _, frames in self._pieces.values()) > _MOST_BYTES:
            for number in self._pieces.keys() - set(self._wanted()):
                del self._pieces[number]


def _quietest(frames: NDArray[np.float32], width: int) -> int:
    """The middle of the ``width`` frames with the least power."""
    power = np.cumsum(np.square(frames, dtype=np.float64).sum(axis=1))
    return int(np.argmin(power[width:] - power[:-width])) + width // 2
