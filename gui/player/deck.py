"""What a mixer plays: recordings in turn, and the place among them; where the sound goes at the end of something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Samples(Protocol):
    """Frames that may still be coming, as ``Pcm`` has them."""

    @property
    def length(self) -> int:
        """Frames in the whole recording."""

    def read(self, start: int, count: int) -> NDArray[np.float32]:
        """Up to ``count`` frames from ``start``, fewer where the rest is not ready; not to be written to."""


@dataclass(frozen=True, slots=True)
class Part:
    """One recording of a deck; the parts of a deck are played in turn."""

    lane: str
    pcm: Samples


@dataclass(frozen=True, slots=True)
class Place:
    """A frame of one part."""

    part: int
    frame: int


START = Place(0, 0)


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


class Deck:
    """The parts, the place that comes next, and the range or the loop that it is in."""

    def __init__(self) -> None:
        self.parts: tuple[Part, ...] = ()
        self.place = START
        self.once: Stretch | None = None
        self.loop: Stretch | None = None

    @property
    def part(self) -> Part | None:
        """The part of the place; None on an empty deck."""
        return self.parts[self.place.part] if self.parts else None

    def put_on(self, parts: Sequence[Part], place: Place) -> None:
        """Take other recordings; a range and a loop of the old ones are forgotten."""
        self.parts, self.place = tuple(parts), place
        self.once = self.loop = None

    def exchange(self, parts: Sequence[Part], scale: float) -> None:
        """Take the same recordings at another speed, ``scale`` times as many frames long; the place stays."""
        self.parts = tuple(parts)
        self.place = Place(self.place.part, round(self.place.frame * scale))
        self.once, self.loop = (_scaled(stretch, scale) for stretch in (self.once, self.loop))

    def begin(self, once: Stretch | None) -> None:
        """Go to where a play begins: the start of ``once``, of a loop that the place is not in, or right here."""
        self.once = once
        loop = self.loop
        if once is not None:
            self.place = Place(once.part, once.start)
        elif loop is not None and loop is not EVERYTHING and not self._is_in(loop):
            self.place = Place(loop.part, loop.start)

    def go(self, place: Place) -> None:
        """Go to ``place``; a range that was to be played once is forgotten."""
        self.place, self.once = place, None

    def move(self, frames: int) -> None:
        """Go on by ``frames``."""
        self.place = Place(self.place.part, self.place.frame + frames)

    @property
    def limit(self) -> int:
        """The frame of the current part at which something else comes."""
        if not self.parts:
            return 0
        part, frame = self.place.part, self.place.frame
        for stretch in (self.once, self.loop):
            if stretch is not None and stretch.part == part and stretch.start <= frame <= stretch.end:
                return min(stretch.end, self.parts[part].pcm.length)
        return self.parts[part].pcm.length

    def turn(self) -> bool:
        """At the end of a range, a loop or a part: go to what comes then; False where nothing does."""
        if self.once is not None:
            self.place = Place(self.once.part, self.once.start)
            return False
        if self.loop is not None and self.place.part == self.loop.part:
            return self._loop_to(self.loop.part, self.loop.start)
        at_end = self.parts and self.place.frame >= self.parts[self.place.part].pcm.length
        if at_end and self.place.part < len(self.parts) - 1:
            self.place = Place(self.place.part + 1, 0)
            return True
        if self.loop is not None and self.parts:
            return self._loop_to(max(0, self.loop.part), self.loop.start)
        return False

    def _loop_to(self, part: int, frame: int) -> bool:
        self.place = Place(part, frame)
        return self.limit > frame  # a loop of nothing would never end

    def _is_in(self, stretch: Stretch) -> bool:
        return stretch.part == self.place.part and stretch.start <= self.place.frame < stretch.end


def _scaled(stretch: Stretch | None, scale: float) -> Stretch | None:
    if stretch is None or stretch is EVERYTHING:
        return stretch
    end = stretch.end if stretch.end == TO_THE_END else round(stretch.end * scale)
    return Stretch(stretch.part, round(stretch.start * scale), end)
