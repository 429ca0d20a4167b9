"""Which items are rated, each with the probability it had of being drawn."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.rating.design import Design, SelectionKind, Split
from engine.rating.frame import Frame, verdict_names
from engine.rating.split import split_of

HIGHEST_RATIO = 3.0  # between the probabilities of two strata: more gains nothing (design of calibration, 1.11)
FEWEST_IN_STRATUM = 2  # or all there are: of one alone nothing tells how far items differ in it


@dataclass(frozen=True, slots=True)
class Item:
    """A drawn instance with the answers to it, in the order of the systems; ``pi`` None where picked by hand."""

    instance_id: int
    responses: tuple[int, ...]
    pi: float | None
    stratum: str
    split: Split
    selection: SelectionKind
    stage: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """What was drawn. ``strata`` has (drawn, there) of each; ``size`` is of what was drawn from, without the picked."""

    items: tuple[Item, ...]
    strata: Mapping[str, tuple[int, int]]
    size: int


def draw(design: Design, frame: Frame, beside: Frame | None = None) -> Drawn:
    """The items of ``design`` from ``frame``; ``beside`` is what is drawn from beside items picked by hand."""
    if design.given:
        return _given(design, frame)
    if design.selection == "manual":
        return _picked(design, frame, beside)
    if design.selection == "stratified":
        return _stratified(design, frame)
    return _random(design, frame, design.items)


def allocate(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """How many of ``count`` items each stratum gets: more of a rare one than its share, to a ratio of at most 3.

    Power allocation (Bankier, The American Statistician 42, 1988) with exponent 1/2: drawn in proportion to the root
    of a stratum's size, so its probability is that of the largest times the root of how often it is smaller, capped
    at ``HIGHEST_RATIO``. Then at least ``FEWEST_IN_STRATUM`` each, as far as there are so many and ``count`` allows;
    of a tiny stratum that may exceed the ratio.

    >>> allocate({"right": 900, "wrong": 100}, 100)
    {'right': 75, 'wrong': 25}
    >>> allocate({"right": 990, "wrong": 6}, 30)
    {'right': 28, 'wrong': 2}
    >>> allocate({"right": 3, "wrong": 2}, 30)
    {'right': 3, 'wrong': 2}
    """
    present = {name: size for name, size in sizes.items() if size > 0}
    count = min(count, sum(present.values()))
    largest = max(present.values(), default=1)
    weights = {name: min((largest / size) ** 0.5, HIGHEST_RATIO) * size for name, size in present.items()}
    wanted = _filled(weights, present, count)
    got = {name: int(value) for name, value in wanted.items()}
    for name in sorted(got, key=lambda name: (got[name] - wanted[name], name))[: count - sum(got.values())]:
        got[name] += 1  # those whose rounding lost most
    floor = min(FEWEST_IN_STRATUM, count // max(len(got), 1))
    for name in sorted(got):
        while got[name] < min(floor, present[name]):
            got[max(got, key=lambda other: (got[other], other))] -= 1
            got[name] += 1
    return {name: got.get(name, 0) for name in sizes}


def _filled(weights: Mapping[str, float], sizes: Mapping[str, int], count: int) -> dict[str, float]:
    """``count`` in proportion to ``weights``, no stratum above its size; what is over goes to the others."""
    found: dict[str, float] = {}
    while len(found) < len(weights):
        rest = {name: weight for name, weight in weights.items() if name not in found}
        scale = (count - sum(found.values())) / sum(rest.values())
        full = {name: float(sizes[name]) for name, weight in rest.items() if weight * scale >= sizes[name]}
        found |= full or {name: weight * scale for name, weight in rest.items()}
    return found


def highest_ratio(drawn: Drawn) -> float:
    """Between the greatest and the smallest probability of the strata drawn from; 1.0 with one."""
    rates = [got / size for got, size in drawn.strata.values() if got]
    return max(rates) / min(rates) if rates else 1.0


def effective_items(drawn: Drawn) -> float:
    """Items with equal weight that the drawn ones are worth (Kish): (sum w)^2 / sum w^2 with w = 1/pi.

    Picked items are not counted; 0.0 where all are.
    """
    weights = np.array([1.0 / item.pi for item in drawn.items if item.pi], np.float64)
    return float(weights.sum() ** 2 / (weights**2).sum()) if len(weights) else 0.0


def _random(design: Design, frame: Frame, count: int | None) -> Drawn:
    """A simple random sample without replacement: pi = n / N."""
    size = len(frame)
    n = size if count is None else max(0, min(count, size))
    rows = sorted(random.Random(f"{design.seed}:draw").sample(range(size), n))
    pi = n / size if size else None
    items = tuple(_item(design, frame, row, pi, "", "random") for row in rows)
    return Drawn(items, {"": (n, size)}, size)


def _stratified(design: Design, frame: Frame) -> Drawn:
    """A simple random sample inside each stratum."""
    choose = random.Random(f"{design.seed}:draw")
    rows_of: dict[str, list[int]] = {}
    for row, name in enumerate(_strata(design, frame)):
        rows_of.setdefault(name, []).append(row)
    sizes = {name: len(rows_of[name]) for name in sorted(rows_of)}
    counts = allocate(sizes, len(frame) if design.items is None else design.items)
    items = [
        _item(design, frame, row, counts[name] / sizes[name], name, "stratified")
        for name in sizes
        for row in sorted(choose.sample(rows_of[name], counts[name]))
    ]
    return Drawn(tuple(items), {name: (counts[name], sizes[name]) for name in sizes}, len(frame))


def _strata(design: Design, frame: Frame) -> list[str]:
    asked = [frame.instances[number] for number in frame.instance_ids.tolist()]
    columns: dict[str, Sequence[str]] = {
        "verdict": verdict_names(frame),
        "subset": [instance.subset for instance in asked],
        "category": [instance.category for instance in asked],
    }
    return ["/".join(columns[field][row] for field in design.strata) for row in range(len(frame))]


def _given(design: Design, frame: Frame) -> Drawn:
    """What was drawn elsewhere, as far as it can be rated here."""
    rows = {number: row for row, number in enumerate(frame.instance_ids.tolist())}
    given = [entry for entry in design.given if entry.instance_id in rows]
    items = tuple(
        _item(design, frame, rows[entry.instance_id], entry.pi, entry.stratum, design.selection) for entry in given
    )
    strata: dict[str, tuple[int, int]] = {}
    for entry in given:
        if entry.pi:
            drawn, there = strata.get(entry.stratum, (0, 0))
            strata[entry.stratum] = (drawn + 1, max(there, round((drawn + 1) / entry.pi)))
    return Drawn(items, strata, sum(there for _, there in strata.values()))


def _picked(design: Design, frame: Frame, beside: Frame | None) -> Drawn:
    """All that was picked by hand, and items drawn at random from ``beside``: one that is both counts as drawn."""
    added = _random(design, beside, design.added_random) if beside is not None else Drawn((), {}, 0)
    drawn = {item.instance_id for item in added.items}
    picked = (
        _item(design, frame, row, None, "", "manual")
        for row, number in enumerate(frame.instance_ids.tolist())
        if number not in drawn
    )
    by_hand = [replace(item, stage="diagnosis") for item in picked]
    return Drawn((*added.items, *by_hand), added.strata, added.size)


def _item(design: Design, frame: Frame, row: int, pi: float | None, stratum: str, selection: SelectionKind) -> Item:
    asked = frame.instances[int(frame.instance_ids[row])]
    split = split_of(asked.benchmark, asked.subset, asked.key)
    return Item(asked.id, tuple(frame.responses[row].tolist()), pi, stratum, split, selection, design.stage)
