"""Answers whose right rating is known, as an owner tags them: ``gold:4``, ``training:empathy_acoustic:2``."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.query.grammar import parse
from engine.query.rows import sorted_ids
from engine.rating.design import Known
from engine.rating.values import Protocol, Scale, Value
from engine.store.tags import tags_in_use

Use = Literal["gold", "trap", "training"]
_TAG = re.compile(r"(gold|trap|training)\s*[:：]\s*(?:([a-z_0-9]+)\s*[:：]\s*)?(\S+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tagged:
    """One answer to be put among the items, and as what.

    ``names_scale`` says whether its tag did; one that names none says nothing where several questions are asked.
    """

    use: Use
    known: Known
    names_scale: bool


def known_by_tags(db: sqlite3.Connection, protocols: Sequence[Protocol]) -> tuple[Tagged, ...]:
    """What the tags that stand now make known under each of ``protocols``; comparisons need a second answer: none.

    A tag whose value is no step of the scale is passed over: it is a word like any other.
    """
    found: list[Tagged] = []
    for tag in tags_in_use(db):
        match = _TAG.fullmatch(tag.name)
        if match is None:
            continue
        use, scale, written = match[1].lower(), match[2], match[3]
        meant = list(_meant(protocols, scale, written))
        ids = sorted_ids(db, parse(f'tag:"{tag.name}"'), (), "corrected").tolist() if meant else []
        for protocol, of, value in meant:
            known = (Known(protocol.id, int(number), {of.id: value}) for number in ids)
            found += [Tagged(use, each, scale is not None) for each in known]  # type: ignore[arg-type]  # of the pattern
    return tuple(found)


def _meant(protocols: Sequence[Protocol], scale: str | None, written: str) -> Iterator[tuple[Protocol, Scale, Value]]:
    """The scales on which ``written`` is a step: the named one, else each protocol's main one."""
    for protocol in protocols:
        if protocol.compares:
            continue
        for of in protocol.scales if scale is not None else (protocol.main,):
            steps = {str(value).lower(): value for value in of.values}
            if (scale is None or of.id == scale.lower()) and written.lower() in steps:
                yield protocol, of, steps[written.lower()]
