from __future__ import annotations

import asyncio
import math
import random
from datetime import UTC, datetime

import pytest

from engine.endpoints.waiting import after_asked_s, asked_wait_s, backoff_s
from engine.judges.pace import Pace
from tests.engine.judges.clocks import FakeClock

NOW = datetime(2026, 11, 30, 8, 0, 0, tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after": "7.5"}, 7.5),
        ({"retry-after": "Mon, 30 Nov 2026 08:00:20 GMT"}, 20.0),
        ({"retry-after": "Mon, 30 Nov 2026 08:00:20 -0000"}, 20.0),
        ({"retry-after": "Mon, 30 Nov 2026 07:00:00 GMT"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "9" * 400}, math.inf),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": "Mon, 99 Nov 2026 08:00:20 GMT"}, None),
        ({}, None),
    ],
)
def test_every_form_of_retry_after_is_read_or_passed_over(headers: dict[str, str], seconds: float | None):
    assert asked_wait_s(headers, NOW) == seconds


def test_the_backoff_doubles_to_a_minute_with_jitter_below():
    chance = random.Random(1)
    for tries, most in ((1, 1), (2, 2), (3, 4), (7, 60), (50, 60)):
        waits = [backoff_s(tries, chance) for _ in range(50)]
        assert most / 2 <= min(waits) < max(waits) <= most


def test_never_less_than_asked_is_waited():
    chance = random.Random(1)
    assert all(7 <= after_asked_s(7, chance) < 10 for _ in range(50))
    assert all(600 <= after_asked_s(600, chance) <= 602 for _ in range(50))


def in_loop(steps):
    asyncio.run(steps())


def test_the_pace_grows_by_one_a_round_and_halves_once_for_a_burst():
    async def steps():
        pace = Pace(32, 128, FakeClock())
        entered = [await pace.enter() for _ in range(32)]
        for _ in range(33):
            pace.went_well()
        assert pace.limit == 33
        for when in entered:
            pace.pushed_back(when)
        assert pace.limit == 16
        assert (pace.lowest, pace.highest) == (16, 33)

    in_loop(steps)


def test_the_pace_never_falls_below_one_nor_grows_over_the_most():
    async def steps():
        clock = FakeClock()
        pace = Pace(2, 3, clock)
        for _ in range(5):
            await clock.sleep(1)
            pace.pushed_back(clock.monotonic())
        assert pace.limit == 1
        for _ in range(50):
            pace.went_well()
        assert pace.limit == 3

    in_loop(steps)


def test_a_rest_holds_back_every_call():
    async def steps():
        clock = FakeClock()
        pace = Pace(4, 4, clock)
        pace.rest(20)
        entered = await asyncio.gather(*(pace.enter() for _ in range(4)))
        assert all(when >= 20 for when in entered)

    in_loop(steps)


def test_a_full_pace_lets_the_next_in_when_one_leaves():
    async def steps():
        pace = Pace(1, 1, FakeClock())
        await pace.enter()
        waiting = asyncio.create_task(pace.enter())
        await asyncio.sleep(0)
        assert not waiting.done()
        pace.leave()
        await asyncio.wait_for(waiting, 5)

    in_loop(steps)


def test_a_cancelled_wait_does_not_lose_the_place():
    async def steps():
        pace = Pace(1, 1, FakeClock())
        await pace.enter()
        first, second = (asyncio.create_task(pace.enter()) for _ in range(2))
        await asyncio.sleep(0)
        pace.leave()
        first.cancel()
        await asyncio.wait_for(second, 5)

    in_loop(steps)
