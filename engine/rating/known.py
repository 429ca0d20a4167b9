"""Answers of known rating, checked against their protocol before they are put among the items."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from engine.errors import EngineError
from engine.rating.design import Design, Known
from engine.rating.draw import Item
from engine.rating.order import KnownItem
from engine.rating.split import split_of
from engine.rating.values import Protocol
from engine.store.frame import AskedInstance, asked_instances, played_answers


def known_items(
    db: sqlite3.Connection, design: Design, protocols: Sequence[Protocol]
) -> dict[tuple[str, str], tuple[KnownItem, ...]]:
    """The items of known rating by (protocol, kind); kinds are training, gold and trap.

    Raises EngineError ``rating.known_answer``, ``known_value`` or ``known_pair``.
    """
    by_kind = {"training": design.training, "gold": design.gold, "trap": design.traps}
    every = [entry for entries in by_kind.values() for entry in entries]
    ids = [n for entry in every for n in (entry.response_id, entry.other_response_id) if n is not None]
    instance_of = {answer.response_id: answer.instance_id for answer in played_answers(db, ids)}
    asked = asked_instances(db, sorted(set(instance_of.values())))
    found: dict[tuple[str, str], tuple[KnownItem, ...]] = {}
    for protocol in protocols:
        for kind, entries in by_kind.items():
            mine = [entry for entry in entries if entry.protocol == protocol.id]
            for entry in mine:
                _check(entry, protocol, instance_of)
            found[protocol.id, kind] = tuple(
                KnownItem(_item(design, entry, asked[instance_of[entry.response_id]]), entry.expected) for entry in mine
            )
    return found


def _item(design: Design, entry: Known, asked: AskedInstance) -> Item:
    both = (entry.response_id,) if entry.other_response_id is None else (entry.response_id, entry.other_response_id)
    split = split_of(asked.benchmark, asked.subset, asked.key)
    return Item(asked.id, both, None, "", split, "manual", design.stage)


def _check(entry: Known, protocol: Protocol, there: dict[int, int]) -> None:
    for number in (entry.response_id, entry.other_response_id):
        if number is not None and number not in there:
            raise EngineError("rating.known_answer", id=number)
    if protocol.compares != (entry.other_response_id is not None):
        raise EngineError("rating.known_pair", protocol=protocol.title, id=entry.response_id)
    scales = {scale.id: scale for scale in protocol.scales}
    if not entry.expected:
        raise EngineError("rating.known_value", id=entry.response_id, scale=protocol.main.id, value="", steps="")
    for name, value in entry.expected.items():
        steps = scales[name].values if name in scales else ()
        if value not in steps:
            told = ", ".join(map(str, steps))
            raise EngineError("rating.known_value", id=entry.response_id, scale=name, value=value, steps=told)
