"""The order in which one rater meets things in one pass: balanced, shuffled, with what checks the rater among it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TypeVar

from engine.rating.draw import Item
from engine.rating.placing import Placed, letters_for, repeat, spread
from engine.rating.values import Protocol, Value
from engine.store.studies import NewAssignment

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class KnownItem:
    """An answer of known rating in its place among what is drawn: its item, and which of the item's answers."""

    item: Item
    expected: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Checked:
    """What is put among the items of one pass; ``repeats`` is how many hidden repeats are wanted."""

    training: Sequence[KnownItem] = ()
    gold: Sequence[KnownItem] = ()
    traps: Sequence[KnownItem] = ()
    repeats: int = 0


@cache
def williams(size: int) -> tuple[tuple[int, ...], ...]:
    """Orders of ``size`` treatments in which each follows each other equally often, and stands in each place as often.

    One square of ``size`` orders where ``size`` is even, two where it is odd (Williams, Australian Journal of
    Scientific Research A 2, 1949). Within the orders each ordered pair of neighbours occurs once, or twice.

    >>> williams(4)
    ((0, 3, 1, 2), (1, 0, 2, 3), (2, 1, 3, 0), (3, 2, 0, 1))
    >>> len(williams(3)), williams(1)
    (6, ((0,),))
    """
    first = [0]
    while len(first) < size:
        step = (len(first) + 1) // 2
        first.append(size - step if len(first) % 2 else step)
    square = [tuple((place + shift) % size for place in first) for shift in range(size)]
    if size % 2 and size > 1:
        square += [tuple(reversed(order)) for order in square]
    return tuple(square)


def ordered_session(
    protocol: Protocol,
    items: Sequence[Item],
    pairs: Sequence[tuple[int, int]],
    checked: Checked,
    choose: random.Random,
    pairs_per_item: int | None = None,
) -> tuple[NewAssignment, ...]:
    """All assignments of one rater's pass, in the order in which they are put.

    Items are shuffled. Within an item the answers of all systems follow one another in an order of a Williams square,
    whose systems are renamed at random for this session and whose orders are each used once before any is used again.
    In a comparison each of ``pairs`` (places of systems) is heard in both orders equally often. Letters are drawn for
    each item anew. Training comes first; gold, traps and hidden repeats stand between items, spread over the whole,
    a repeat at least the protocol's ``repeat_distance`` places after what it repeats and never next to its item.
    """
    shuffled = list(items)
    choose.shuffle(shuffled)
    groups = list(
        _compared(protocol, shuffled, pairs, pairs_per_item, choose)
        if protocol.compares
        else _alone(protocol, shuffled, choose)
    )
    width = len(items[0].responses) if items else 1
    for kind, known in (("gold", checked.gold), ("trap", checked.traps)):
        spread(groups, [[_known(protocol, entry, kind, width, choose)] for entry in known], choose)
    repeat(groups, checked.repeats, protocol.checks.repeat_distance, width, choose)
    training = [_known(protocol, entry, "training", width, choose) for entry in checked.training]
    placed = [*training, *(entry for group in groups for entry in group)]
    places = {id(entry): place for place, entry in enumerate(placed)}
    return tuple(
        entry.assignment if entry.source is None else replace(entry.assignment, repeats=places[id(entry.source)])
        for entry in placed
    )


def all_pairs(systems: Sequence[str], against: str = "") -> tuple[tuple[int, int], ...]:
    """The places of systems that are compared with each other, each pair once; with ``against`` only those with it."""
    pairs = combinations(range(len(systems)), 2)
    return tuple(pair for pair in pairs if not against or against in (systems[pair[0]], systems[pair[1]]))


def _alone(protocol: Protocol, items: Sequence[Item], choose: random.Random) -> Iterator[list[Placed]]:
    """The answers to each item, one after another."""
    width = len(items[0].responses) if items else 1
    names = choose.sample(range(width), width)
    orders = _blocks(williams(width), choose)
    for item in items:
        letters = letters_for(width, choose)
        yield [
            Placed(_assignment(protocol, item, "rated", item.responses[names[place]], letters[names[place]]))
            for place in next(orders)
        ]


def _compared(
    protocol: Protocol,
    items: Sequence[Item],
    pairs: Sequence[tuple[int, int]],
    count: int | None,
    choose: random.Random,
) -> Iterator[list[Placed]]:
    """The comparisons on each item, in an order drawn anew; each pair turned round every other time it comes."""
    each = len(pairs) if count is None else min(count, len(pairs))
    waiting: list[tuple[int, int]] = []
    turns = {pair: _blocks((False, True), choose) for pair in pairs}
    for item in items:
        letters = letters_for(len(item.responses), choose)
        group = []
        for pair in _take(waiting, pairs, each, choose):
            first, second = reversed(pair) if next(turns[pair]) else pair
            plain = _assignment(protocol, item, "rated", item.responses[first], letters[first])
            group.append(Placed(replace(plain, other_response_id=item.responses[second], other_letter=letters[second])))
        yield group


def _known(protocol: Protocol, known: KnownItem, kind: str, width: int, choose: random.Random) -> Placed:
    letters = letters_for(max(width, len(known.item.responses)), choose)
    plain = _assignment(protocol, known.item, kind, known.item.responses[0], letters[0])
    if len(known.item.responses) > 1:
        plain = replace(plain, other_response_id=known.item.responses[1], other_letter=letters[1])
    return Placed(replace(plain, expected=dict(known.expected)))


def _assignment(protocol: Protocol, item: Item, kind: str, response_id: int, letter: str) -> NewAssignment:
    return NewAssignment(
        kind, response_id, letter, protocol.perceived, protocol.dimension, item.selection, item.pi, item.stratum,
        item.split, item.stage,
    )  # fmt: skip


def _take(waiting: list[_T], values: Sequence[_T], count: int, choose: random.Random) -> list[_T]:
    """``count`` different ones of ``values``, from ``waiting``, which is filled with all of them when it runs out."""
    found: list[_T] = []
    later: list[_T] = []
    while len(found) < count:
        if not waiting:
            waiting.extend(choose.sample(values, len(values)))
        value = waiting.pop(0)
        (later if value in found else found).append(value)
    waiting[:0] = later
    return found


def _blocks(values: Sequence[_T], choose: random.Random) -> Iterator[_T]:
    """``values`` for ever, in another order each time round."""
    while True:
        yield from choose.sample(values, len(values))
