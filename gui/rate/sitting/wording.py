"""How the rating screen words times and shares. No widget, no rule."""

from __future__ import annotations

import time

from gui.rate.sitting.item import ROUNDING
from gui.strings import words


def say(key: str, **values: object) -> str:
    """One sentence of the rating screen."""
    return words.text(f"rate.{key}", **values)


def seconds(length_s: float | None) -> str:
    """The length of a clip: ``6.6 s``; a dash where it is not known."""
    return say("clip.length", seconds="—" if length_s is None else f"{length_s:.1f}")


def minutes(left_s: float) -> str:
    """A time of work: whole minutes, at least one."""
    return say("time.minutes", n=max(1, round(left_s / 60)))


def percent(share: float) -> int:
    """A share in whole percent; 100 only for all of it."""
    return min(int(share * 100 + 0.5), 99) if share < 0.998 else 100


def percent_of_needed(share: float, needed: float) -> int:
    """The same of speech that was heard; what is too little never reads like what is needed."""
    return percent(share) if share >= needed - ROUNDING else min(percent(share), percent(needed) - 1)


def clock(at: float) -> str:
    """A time of day to the second, as the rater's own clock shows it."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def family_of(language: str) -> str:
    """The face of sentences that are read: in Chinese the Chinese one first, or “ ” … would be half as wide."""
    return "content" if language == "zh" else "ui"
