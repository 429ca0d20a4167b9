"""Figures that ``make bench`` measures: each is a function registered under its name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure; ``ratio`` is how many times better than ``baseline``, measured in the same run."""

    name: str
    value: float
    unit: str
    baseline: float | None = None
    ratio: float | None = None
    note: str = ""


FIGURES: dict[str, Callable[[], Figure]] = {}


def figure(name: str) -> Callable[[Callable[[], Figure]], Callable[[], Figure]]:
    """Register the function that measures the figure ``name``."""

    def keep(measure: Callable[[], Figure]) -> Callable[[], Figure]:
        FIGURES[name] = measure
        return measure

    return keep


LONG: set[str] = set()  # names of figures that take more than a minute
