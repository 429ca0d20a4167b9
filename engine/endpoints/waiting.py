"""How long to wait before asking again: what the server asks for, or a backoff with jitter."""

from __future__ import annotations

import asyncio
import math
import random
import re
import time
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

_FIRST_S, _LONGEST_S = 1.0, 60.0
_LARGEST_DELAY_JITTER_S = 2.0


class Clock:
    """Time as the calls see it; a test hands in one that does not make it wait."""

    def time(self) -> float:
        """Seconds since 1970, for dates that a server gives."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds that only go forward."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait that long."""
        await asyncio.sleep(seconds)


def asked_wait_s(headers: Mapping[str, str], now: float) -> float | None:
    """The wait that a reply's headers ask for, in seconds from ``now`` (since 1970); never negative.

    ``retry-after-ms``, ``retry-after`` in seconds or as an HTTP date. None where neither is there, unreadable or
    negative; a date that is past gives 0. May be absurdly long, even infinite: the caller has the limit.
    """
    lower = {name.casefold(): value.strip() for name, value in headers.items()}
    if (milliseconds := _number(lower.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    value = lower.get("retry-after", "")
    if (seconds := _number(value)) is not None:
        return seconds
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)


def backoff_s(tries: int, chance: random.Random) -> float:
    """The usual wait after that many failed tries: doubled each time up to a minute, between half of it and all."""
    return min(_LONGEST_S, _FIRST_S * 2.0 ** (tries - 1)) * chance.uniform(0.5, 1.0)


def after_asked_s(asked: float, chance: random.Random) -> float:
    """The wait that a server asked for and a little more, so that all who were sent away do not return at once."""
    return asked + chance.uniform(0.0, min(_LARGEST_DELAY_JITTER_S, 0.5 + asked / 10))


def _number(text: str) -> float | None:
    if not re.fullmatch(r"\d+(?:\.\d+)?", text, re.ASCII):
        return None
    return float(text) if len(text) < 300 else math.inf
