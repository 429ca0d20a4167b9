"""How many calls run at once: more while all goes well, half when the endpoint pushes back, none while it rests."""

from __future__ import annotations

import asyncio
from collections import deque

from engine.endpoints.waiting import Clock


class Pace:
    """Additive increase, multiplicative decrease over the calls of one event loop.

    ``limit`` grows by one for each full round of good calls, up to ``most``, and is halved when a call that began
    after the last halving is pushed back: one burst of refusals counts once. ``rest`` holds back every call.
    """

    def __init__(self, start: int, most: int, clock: Clock) -> None:
        self._limit, self._most, self._clock = float(min(start, most)), most, clock
        self._running = 0
        self._halved_at = self._rests_until = -1.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.lowest = self.highest = int(self._limit)

    @property
    def limit(self) -> int:
        """How many calls may run at once now, 1 or more."""
        return int(self._limit)

    @property
    def rests_s(self) -> float:
        """How much longer every call is held back, 0 as a rule."""
        return max(0.0, self._rests_until - self._clock.monotonic())

    async def enter(self) -> float:
        """Wait for a free place; returns the time of entry, which ``pushed_back`` wants."""
        while True:
            if (rest := self.rests_s) > 0:
                await self._clock.sleep(rest)
            elif self._running < self.limit:
                self._running += 1
                return self._clock.monotonic()
            else:
                await self._place()

    def leave(self) -> None:
        """Give the place back."""
        self._running -= 1
        self._wake()

    def went_well(self) -> None:
        """One call was answered."""
        self._limit = min(float(self._most), self._limit + 1 / self._limit)
        self.highest = max(self.highest, self.limit)
        self._wake()

    def pushed_back(self, entered: float) -> None:
        """The endpoint had too much (429, 503, no answer in time) when a call that entered then came."""
        if entered > self._halved_at:
            self._limit = max(1.0, self._limit / 2)
            self._halved_at = self._clock.monotonic()
            self.lowest = min(self.lowest, self.limit)

    def rest(self, seconds: float) -> None:
        """Let no call begin for that long."""
        self._rests_until = max(self._rests_until, self._clock.monotonic() + seconds)

    async def _place(self) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            self._wake()
            raise

    def _wake(self) -> None:
        free = self.limit - self._running
        while self._waiting and free > 0:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1
