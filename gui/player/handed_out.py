"""What was handed to a device, piece by piece: so that a frame heard now can be told by its lane, place and level."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

_REMEMBERED_S = 4.0  # a device's buffer is far shorter


@dataclass(frozen=True, slots=True)
class Span:
    """Frames handed out in one piece: ``first`` counts all frames ever handed out."""

    first: int
    frames: int
    lane: str
    start: int
    is_moving: bool
    peak: tuple[float, float]
    speed: float


class HandedOut:
    """Written by the output's thread, read by any."""

    def __init__(self, rate_hz: int) -> None:
        self._remembered = _REMEMBERED_S * rate_hz
        self._spans: deque[Span] = deque()

    def note(
        self, first: int, block: NDArray[np.float32], lane: str, start: int, *, is_moving: bool, speed: float = 1.0
    ) -> None:
        """Frames ``first`` and on were ``block``, from ``start`` of ``lane``; standing still they are silence."""
        peak = np.abs(block).max(axis=0) if is_moving else (0.0, 0.0)
        self._spans.append(Span(first, len(block), lane, start, is_moving, (float(peak[0]), float(peak[1])), speed))

    def forget(self, frames: int) -> None:
        """``frames`` have been handed out by now: those long heard are forgotten."""
        oldest = frames - self._remembered
        while len(self._spans) > 1 and self._spans[0].first + self._spans[0].frames < oldest:
            self._spans.popleft()

    def at(self, frame: float) -> Span | None:
        """The piece that holds frame ``frame`` of all handed out; None before the first."""
        spans = tuple(self._spans)
        if not spans or frame < spans[0].first:
            return spans[0] if spans and spans[0].first else None
        return next((span for span in reversed(spans) if span.first <= frame), None)

    def between(self, first: float, last: float) -> list[Span]:
        """What sounded while frames ``first`` to ``last`` of all handed out were heard, cut to these."""
        found = []
        for span in tuple(self._spans):
            start, end = max(round(first), span.first), min(round(last), span.first + span.frames)
            if span.is_moving and end > start:
                found.append(replace(span, first=start, frames=end - start, start=span.start + start - span.first))
        return found
