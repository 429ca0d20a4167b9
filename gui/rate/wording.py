"""How studies, people and sizes are put into words. No widget, no rule."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from engine.store.raters import OWNER
from gui.run.wording import DASH, count, day, duration
from gui.strings import words

if TYPE_CHECKING:
    from engine.store.raters import Rater
    from engine.store.studies import StudyRow

__all__ = [
    "DASH", "count", "day", "duration", "figure", "is_owners", "minus", "named", "names", "of", "percent",
    "rater_name", "say", "several", "short", "signed", "study_line",
]  # fmt: skip

MINUS = "\u2212"


def say(key: str, **values: object) -> str:
    """One sentence of the room."""
    return words.text(f"rate_owner.{key}", **values)


def several(key: str, number: int) -> str:
    """``key`` for one, ``key_s`` for any other number; the number stands in it with its thousands."""
    return say(key if number == 1 else f"{key}_s", n=count(number))


def of(done: int, planned: int) -> str:
    """How many of how many."""
    return say("of", done=count(done), all=count(planned))


def figure(value: float | None, places: int = 2) -> str:
    """A number with so many decimals and the real minus; a dash where there is none."""
    if value is None or not math.isfinite(value):
        return DASH
    return f"{value:.{places}f}".replace("-", MINUS)


def signed(value: float | None, places: int = 2) -> str:
    """The same with its sign."""
    if value is None or not math.isfinite(value):
        return DASH
    return f"{value:+.{places}f}".replace("-", MINUS)


def minus(text: str) -> str:
    """``text`` with the real minus before its figures.

    >>> minus("Bradley-Terry: -0.24")
    'Bradley-Terry: −0.24'
    """
    return re.sub(r"(?<![\w-])-(?=\d)", MINUS, text)


def percent(share: float | None, places: int = 0) -> str:
    """A share of one as percent."""
    if share is None or not math.isfinite(share):
        return DASH
    return f"{100 * share:.{places}f} %"


def names(found: tuple[str, ...], most: int = 3) -> str:
    """A few names, and how many more there are."""
    shown = say("comma").join(found[:most])
    return shown if len(found) <= most else say("and_more", names=shown, n=len(found) - most)


def study_line(study: StudyRow) -> str:
    """What stands under a study's title in the list."""
    return say(
        "list.line",
        done=of(study.rated + study.skipped, study.planned),
        raters=several("rater", len(study.raters)),
        how=say(f"selection.{study.selection}"),
    )


def rater_name(rater: Rater) -> str:
    """A rater's name; whoever owns the workspace is told apart by a word of ours."""
    return say("me") if rater.is_owner and is_owners(rater.name) else rater.name


def named(name: str) -> str:
    """The same where only the name is known."""
    return say("me") if is_owners(name) else name


def is_owners(name: str) -> bool:
    """Whether it is the name that an owner has who gave none: there ``named`` says who it is."""
    return name == OWNER


def short(name: str, most: int = 14) -> str:
    """A name for a button."""
    return name if len(name) <= most else f"{name[: most - 1]}…"
