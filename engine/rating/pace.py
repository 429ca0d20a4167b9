"""How long a rater is at it: active time without the pauses, the pace, and when a break is due."""

from __future__ import annotations

import statistics

#: A longer time without a key, a click or sound is a pause, and no work.
IDLE_S = 30.0
#: The pace is that of the last so many items: a rater becomes quicker.
RECENT = 12


class ActiveClock:
    """Adds up the time between signs of life that follow each other within ``IDLE_S``.

    >>> clock = ActiveClock()
    >>> for second in (0.0, 10.0, 15.0, 500.0, 503.0): clock.touch(second)
    >>> clock.active_s
    18.0
    """

    def __init__(self) -> None:
        self.active_s = 0.0
        self._last_s: float | None = None

    def touch(self, now_s: float) -> None:
        """The rater did something, or heard something, at ``now_s`` of a clock that never goes back."""
        if self._last_s is not None and 0 <= now_s - self._last_s <= IDLE_S:
            self.active_s += now_s - self._last_s
        self._last_s = now_s

    def begin(self) -> None:
        """Count from nothing again, from the next touch on."""
        self.active_s, self._last_s = 0.0, None


def time_left_s(taken_s: list[float], left: int, first_guess_s: float) -> float:
    """Seconds for ``left`` items at the median pace of the last ones; by ``first_guess_s`` an item before the third.

    >>> time_left_s([10.0, 30.0, 12.0, 11.0], 10, 20.0)
    115.0
    """
    pace_s = statistics.median(taken_s[-RECENT:]) if len(taken_s) >= 3 else first_guess_s
    return pace_s * left
