"""Where what checks a rater stands among the items, and the letters that stand for systems."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from engine.store.studies import NewAssignment

_TRIES = 50  # at finding what may be repeated here
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(eq=False, slots=True)
class Placed:
    """An assignment on its way to its place; ``source`` is what it repeats."""

    assignment: NewAssignment
    source: Placed | None = None


def letters_for(width: int, choose: random.Random) -> list[str]:
    """The first ``width`` letters, A to Z, AA …, in an order drawn anew."""
    letters = [_LETTERS[at] if at < 26 else _LETTERS[at // 26 - 1] + _LETTERS[at % 26] for at in range(width)]
    choose.shuffle(letters)
    return letters


def spread(groups: list[list[Placed]], added: Sequence[list[Placed]], choose: random.Random) -> None:
    """Put each of ``added`` between two groups, one in each of as many stretches of equal length; none comes first."""
    size = len(groups)
    edges = [1 + (size - 1) * part // max(len(added), 1) for part in range(len(added) + 1)]
    places = [choose.randint(low, max(low, high)) for low, high in pairwise(edges)]
    shuffled = choose.sample(list(added), len(added))
    for place, group in sorted(zip(places, shuffled), key=lambda entry: -entry[0]):
        groups.insert(min(place, size), group)


def repeat(groups: list[list[Placed]], wanted: int, distance: int, width: int, choose: random.Random) -> None:
    """Put hidden repeats between groups, as far as there is room for ``wanted``."""
    starts = [0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    sources = [entry for group in groups for entry in group]  # each at its place
    first = next((at for at, start in enumerate(starts) if start >= distance and at >= 2), len(starts))
    room = range(first, len(starts))
    taken: set[int] = set()
    added: list[tuple[int, Placed]] = []
    for part in range(wanted if room else 0):
        low, high = (first + len(room) * edge // wanted for edge in (part, part + 1))
        boundary = choose.randint(low, max(low, high - 1))
        free = min(starts[boundary] - distance + 1, starts[boundary - 1])
        for place in choose.sample(range(free), min(free, _TRIES)):
            if sources[place].assignment.kind == "rated" and place not in taken:
                taken.add(place)
                added.append((boundary, Placed(_again(sources[place].assignment, width, choose), sources[place])))
                break
    for boundary, entry in sorted(added, key=lambda one: -one[0]):
        groups.insert(boundary, [entry])


def _again(assignment: NewAssignment, width: int, choose: random.Random) -> NewAssignment:
    letters = letters_for(width, choose)
    other = letters[1] if assignment.other_response_id is not None else None
    return replace(assignment, kind="repeat", letter=letters[0], other_letter=other)
