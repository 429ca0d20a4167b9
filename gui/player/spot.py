"""Where something is heard, as screens and player say it to each other."""

from __future__ import annotations

from dataclasses import dataclass

from gui.player.clip import Lane

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on one lane's own time line, in seconds of the recording."""

    lane: Lane
    position_s: float
