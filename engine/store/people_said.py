"""All that people said of one answer when they rated it: with its history, and nothing of a study that is sealed."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from engine.store.declared_rule import declared_rule
from engine.store.human_rows import REVEALED, HumanVotes, votes_on
from engine.store.standings import Standing, Value, given_where, in_order, remarked_where, said_where, standings
from engine.store.transaction import one_state

Holds = Literal["now", "replaced", "taken_back"]


@dataclass(frozen=True, slots=True)
class Said:
    """One rating, or a remark: ``kind`` is rating, skip, flag, note or span_tag.

    Attributes:
        scale, value: of a rating. text: the reason of a skip, the words of a note, the name of a tag.
        holds: now; or it was rated over, skipped or said otherwise since; or taken back.
        counts: it is what results are made of. Of a protocol that hides the words until a rating is committed, that is
            what was rated before they were shown.
    """

    kind: str
    scale: str | None
    value: Value | None
    text: str
    start_s: float | None
    end_s: float | None
    made_at: str
    holds: Holds
    is_before_reveal: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class RatedItem:
    """One time that the answer was put before a rater, and what was said of it, the oldest first.

    Attributes:
        kind: rated, training, gold, trap or repeat.
        declaration: of the protocol, as it was put to the rater.
        other_system: with whose answer it was compared; None where it was rated by itself.
        is_second: it was heard second in the comparison.
        expected: by scale, of training, gold and trap items.
    """

    study_uid: str
    study: str
    protocol: str
    protocol_version: int
    declaration: Mapping[str, Any]
    rater: str
    kind: str
    other_system: str | None
    is_second: bool
    expected: Mapping[str, Value]
    said: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class PeopleSaid:
    """What people said of an answer under studies whose letters were revealed, and what filters make of it.

    ``is_sealed``: answers to the same question are rated in a study that is sealed. Which of them, and whether any was
    rated yet, is not told: who rates knows what they rated last, and would read from it whose answer it was.
    """

    items: tuple[RatedItem, ...] = ()
    votes: tuple[HumanVotes, ...] = ()
    is_sealed: bool = False


NOBODY_SAID = PeopleSaid()


def people_said(db: sqlite3.Connection, response_id: int) -> PeopleSaid:
    """What people said of an answer, by study, protocol and rater, the newest study first."""
    with one_state(db):
        is_sealed = db.execute(_IS_SEALED, {"answer": response_id}).fetchone() is not None
        places = db.execute(f"{_PLACES} WHERE {_OF}", {"answer": response_id}).fetchall()
        numbers = json.dumps([place["id"] for place in places])
        votes = votes_on(db, response_id)
        given = [*given_where(db, _AMONG, numbers), *remarked_where(db, _AMONG, numbers)] if places else []
        standing = said_where(db, _AMONG, numbers) if places else []
    how = _How(_uids(standings(standing)), _uids(standings(standing, before_reveal=True)), {r["uid"] for r in standing})
    said: dict[int, list[sqlite3.Row]] = defaultdict(list)
    for row in in_order(given):
        if row["value"] is not None or (row["kind"] is not None and row["holds"]):
            said[row["assignment_id"]].append(row)
    items = [_item(place, said[place["id"]], how, response_id) for place in places if said[place["id"]]]
    return PeopleSaid(tuple(items), votes, is_sealed)


_AMONG = "assignment.id IN (SELECT value FROM json_each(?))"
_OF = (
    f"(assignment.response_id = :answer OR other_response_id = :answer) AND {REVEALED}"
    " ORDER BY study.made_at DESC, study.uid, pass, rater.name, rater.uid, position"
)
_PLACES = """
SELECT assignment.id, study.uid AS study_uid, study.title AS study, protocol.name AS protocol, protocol.version,
    protocol.declaration, rater.name AS rater, assignment.kind, assignment.response_id, other_response_id, expected,
    system.name AS system, other_system.name AS other_system
FROM assignment JOIN session ON session.id = session_id JOIN study ON study.id = study_id
    JOIN rater ON rater.id = rater_id JOIN protocol ON protocol.id = protocol_id
    JOIN response ON response.id = assignment.response_id JOIN system ON system.id = response.system_id
    LEFT JOIN response AS other ON other.id = other_response_id
    LEFT JOIN system AS other_system ON other_system.id = other.system_id
"""
_IS_SEALED = f"""
SELECT 1 FROM response AS mine JOIN response AS asked ON asked.instance_id = mine.instance_id
    JOIN assignment ON assignment.response_id = asked.id OR assignment.other_response_id = asked.id
WHERE mine.id = :answer AND NOT {REVEALED} LIMIT 1
"""


@dataclass(frozen=True, slots=True)
class _How:
    """The uids of rows that hold now, of those that did before the words were shown, and of all not taken back."""

    now: set[str]
    before_reveal: set[str]
    stands: set[str]


def _uids(found: Mapping[int, Standing]) -> set[str]:
    rows = (row for here in found.values() for row in (*here.ratings.values(), *here.remarks.values(), here.skip))
    return {row["uid"] for row in rows if row is not None}


def _said(row: sqlite3.Row, how: _How, counting: set[str]) -> Said:
    uid = row["uid"]
    holds: Holds = "now" if uid in how.now else "replaced" if uid in how.stands else "taken_back"
    return Said(
        row["kind"] or "rating", row["scale"], row["value"], row["text"] or "", row["start_s"], row["end_s"],
        row["made_at"], holds, bool(row["is_before_reveal"]), uid in counting,
    )  # fmt: skip


def _item(place: sqlite3.Row, rows: list[sqlite3.Row], how: _How, response_id: int) -> RatedItem:
    is_second = place["response_id"] != response_id
    counting = how.before_reveal if declared_rule(place["declaration"]).is_before_reveal else how.now
    said = (_said(row, how, counting) for row in rows)
    return RatedItem(
        place["study_uid"], place["study"], place["protocol"], place["version"], _mapping(place["declaration"]),
        place["rater"], place["kind"], place["system"] if is_second else place["other_system"], is_second,
        _mapping(place["expected"]), tuple(said),
    )  # fmt: skip


def _mapping(told: str | None) -> Mapping[str, Any]:
    found = json.loads(told) if told else None
    return found if isinstance(found, dict) else {}
