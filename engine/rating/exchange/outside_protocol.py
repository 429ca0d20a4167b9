"""A protocol for ratings that came without one: the scales as the values show them, and no rule at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.rating.values import Checks, Planning, Protocol, Scale, Screening, Step, Training
from engine.store.standings import Value
from engine.strings import text

NAME = "outside"
_RANGES = ((0, 1), (1, 5), (1, 7), (0, 10), (-3, 3), (0, 100))  # whichever holds all values first
_MOST_STEPS = 100


def outside_protocol(values: Mapping[str, Iterable[Value]], language: str) -> Protocol:
    """A protocol named ``NAME`` with a scale for each key, whose steps hold the values seen under it."""
    scales = tuple(_scale(name, list(dict.fromkeys(seen))) for name, seen in sorted(values.items()))
    return Protocol(
        id=NAME,
        version=1,
        language=language,
        title=text("exchange.outside.title", language),
        instruction=text("exchange.outside.instruction", language),
        warning="",
        perceived="both",
        question="both",
        dimension=scales[0].id,
        scales=scales,
        compares=False,
        reveals="from_the_start",
        shows_reference=False,
        is_speed_locked=False,
        heard_at_least=0.0,
        gain="none",
        may_trim=False,
        break_after_min=45,
        training=Training(0, False, 0),
        checks=Checks(0.0, 0.0, 0.0, 1),
        screening=Screening(scales[0].id),
        planning=Planning(0.0, 1.0, None, 0.0),
    )


def _scale(name: str, seen: list[Value]) -> Scale:
    numbers = [value for value in seen if isinstance(value, int)]
    if len(numbers) < len(seen):
        words = sorted(str(value) for value in seen)
        return Scale(name, name, "choice", tuple(_step(place, word) for place, word in enumerate(words)))
    lowest, highest = min(numbers), max(numbers)
    low, high = next((r for r in _RANGES if r[0] <= lowest and highest <= r[1]), (lowest, highest))
    steps = range(low, high + 1) if high - low <= _MOST_STEPS else sorted(numbers)
    return Scale(name, name, "signed" if low < 0 else "steps", tuple(_step(*step) for step in enumerate(steps)))


def _step(place: int, value: int | str) -> Step:
    return Step(value, str(value), "", str(place % 10))
