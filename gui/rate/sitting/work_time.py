"""How long a rater has worked at this sitting, how fast, and when a break is due."""

from __future__ import annotations

from collections.abc import Callable

from engine.rating.pace import ActiveClock, time_left_s


class WorkTime:
    """Counts by a clock that never goes back, whatever the time of day does."""

    def __init__(self, now: Callable[[], float]) -> None:
        self.now = now
        self.clock = ActiveClock()
        self._rested_s = 0.0
        self._taken_s: list[float] = []

    def touch(self, item: ActiveClock | None) -> None:
        """The rater does something, at an item or between two."""
        now = self.now()
        self.clock.touch(now)
        if item is not None:
            item.touch(now)

    def finish(self, taken_s: float) -> None:
        """An item is done after so many seconds of work."""
        self._taken_s.append(taken_s)

    def rest(self) -> None:
        """A break ends here."""
        self._rested_s = self.clock.active_s

    @property
    def worked_s(self) -> float:
        """Seconds of work since the last break."""
        return self.clock.active_s - self._rested_s

    def left_s(self, items: int, first_guess_s: float) -> float:
        """Seconds of work for so many more items, at the median pace."""
        return time_left_s(self._taken_s, items, first_guess_s)

    def break_in_s(self, after_min: int) -> float:
        """Seconds of work until a break is due."""
        return max(after_min * 60 - self.worked_s, 0.0)

    def is_break_due(self, after_min: int) -> bool:
        """Whether the rater has worked so many minutes without a break; 0 minutes ask for none."""
        return self.worked_s >= after_min * 60 > 0
