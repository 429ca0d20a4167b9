"""Runs a generator of long work to its end, for tests that want its result."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from engine.progress import Progress

Result = TypeVar("Result")


def finish(work: Generator[Progress, None, Result]) -> Result:
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value
