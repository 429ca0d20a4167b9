"""A clock for tests of waiting: time passes only when someone sleeps on it, and every sleep is written down."""

from __future__ import annotations

import asyncio

from engine.endpoints.waiting import Clock


class FakeClock(Clock):
    """Starts at ``now`` seconds since 1970; ``slept`` holds the seconds of every sleep."""

    def __init__(self, now: float = 1_796_025_600.0) -> None:
        self._start, self._passed = now, 0.0
        self.slept: list[float] = []

    def time(self) -> float:
        return self._start + self._passed

    def monotonic(self) -> float:
        return self._passed

    async def sleep(self, seconds: float) -> None:
        until = self._passed + seconds
        self.slept.append(seconds)
        await asyncio.sleep(0)
        self._passed = max(self._passed, until)
