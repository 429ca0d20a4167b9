"""How long each part of a cascade took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


class Spent:
    """Seconds by part. The parts take turns, so that their sum is the whole but for what the cascade itself does."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def call(self, part: str, work: Callable[[], Item]) -> Item:
        """What ``work`` gives; its time goes to ``part``."""
        began = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds[part] = self.seconds.get(part, 0.0) + time.perf_counter() - began

    def each(self, part: str, items: Iterator[Item]) -> Iterator[Item]:
        """The items; the time until each of them goes to ``part``, what the reader does meanwhile does not."""
        none = object()
        try:
            while (item := self.call(part, lambda: next(items, none))) is not none:
                yield item  # type: ignore[misc]
        finally:
            if close := getattr(items, "close", None):
                close()
