"""What people's ratings of an answer come to: a derived row for each protocol, of revealed studies alone.

A sealed study leaves no trace in it, so that nobody who still rates can look up what was rated. Every rater has one
vote on an answer under a protocol: what they rated last. Training, gold and trap items, hidden repeats and comparisons
do not count.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.store.declared_rule import DeclaredRule, declared_rule
from engine.store.derivation import VOTES_VERSION, are_votes_of_now
from engine.store.standings import Standing, said_where, standings
from engine.store.transaction import transaction

CHUNK = 2000

REVEALED = (
    "EXISTS (SELECT 1 FROM session JOIN disclosure ON disclosure.study_id = session.study_id"
    " WHERE session.id = assignment.session_id)"
)
_COUNTS = f"assignment.kind = 'rated' AND other_response_id IS NULL AND {REVEALED}"
_OF = f"assignment.response_id IN (SELECT value FROM json_each(?)) AND {_COUNTS}"
_PLACES = (
    "SELECT assignment.id, assignment.uid, assignment.response_id, dimension, rater.uid AS rater, protocol.id AS"
    " protocol_id, protocol.name AS protocol, protocol.version FROM assignment JOIN session ON session.id = session_id"
    f" JOIN rater ON rater.id = rater_id JOIN protocol ON protocol.id = protocol_id WHERE {_OF}"
)


@dataclass(frozen=True, slots=True)
class HumanVotes:
    """A row: how many raters pass and fail an answer by a protocol's rule, and their mean on its main scale."""

    protocol: str
    dimension: str
    raters: int
    passed: int | None
    failed: int | None
    mean: float | None


@dataclass(frozen=True, slots=True)
class _Vote:
    """What one rater says of one answer under a protocol; ``said_at`` orders what the same rater said twice."""

    rater: str
    version: int
    dimension: str
    said_at: tuple[str, str]
    passes: bool | None
    number: float | None


def votes_on(db: sqlite3.Connection, response_id: int) -> tuple[HumanVotes, ...]:
    """What people's ratings of an answer come to, by protocol."""
    rows = db.execute(
        "SELECT protocol, dimension, raters, passed, failed, mean FROM human_row WHERE response_id = ?"
        " ORDER BY protocol",
        (response_id,),
    )
    return tuple(HumanVotes(*row) for row in rows)


def settle_answers(db: sqlite3.Connection, response_ids: Sequence[int]) -> None:
    """Derive the rows of these answers anew; in the transaction that changed what they rest on."""
    for start in range(0, len(response_ids), CHUNK):
        wanted = json.dumps(list(response_ids[start : start + CHUNK]))
        db.execute("DELETE FROM human_row WHERE response_id IN (SELECT value FROM json_each(?))", (wanted,))
        rows = [(*key, *_row(votes)) for key, votes in _votes(db, wanted).items()]
        db.executemany("INSERT INTO human_row VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def settle_said(db: sqlite3.Connection, assignment_id: int) -> None:
    """Something was said of an assignment: derive its answer's rows anew, once the study is revealed."""
    found = db.execute(f"SELECT response_id FROM assignment WHERE assignment.id = ? AND {_COUNTS}", (assignment_id,))
    settle_answers(db, [row[0] for row in found.fetchall()])


def settle_study(db: sqlite3.Connection, study_id: int) -> None:
    """A study was revealed: derive the rows of all its answers; in that transaction."""
    found = db.execute(
        "SELECT DISTINCT response_id FROM session JOIN assignment ON session_id = session.id WHERE study_id = ?"
        " ORDER BY response_id",
        (study_id,),
    )
    settle_answers(db, [row[0] for row in found.fetchall()])


def settle_everyone(db: sqlite3.Connection) -> None:
    """Derive all rows anew from what was said, in one transaction."""
    with transaction(db):
        db.execute("DELETE FROM human_row")
        for (study,) in db.execute("SELECT DISTINCT study_id FROM disclosure ORDER BY study_id").fetchall():
            settle_study(db, study)
        db.execute(
            "INSERT INTO human_derivation VALUES (1, ?) ON CONFLICT DO UPDATE SET version = ?", (VOTES_VERSION,) * 2
        )


def ensure_settled(db: sqlite3.Connection) -> None:
    """Derive the rows where other code derived them, or none did: a store from before there were any."""
    if not are_votes_of_now(db):
        settle_everyone(db)


def _votes(db: sqlite3.Connection, wanted: str) -> dict[tuple[int, str], list[_Vote]]:
    """The votes on each answer under each protocol, the newest of a rater last."""
    places = db.execute(_PLACES, (wanted,)).fetchall()
    rules = _rules(db, {place["protocol_id"] for place in places})
    said = said_where(db, _OF, wanted) if places else []
    whole, before = standings(said), standings(said, before_reveal=True)
    found: dict[tuple[int, str], list[_Vote]] = defaultdict(list)
    for place in places:
        rule = rules[place["protocol_id"]]
        vote = _vote(place, rule, (before if rule.is_before_reveal else whole).get(place["id"]))
        if vote is not None:
            found[place["response_id"], place["protocol"]].append(vote)
    return {key: sorted(votes, key=lambda vote: vote.said_at) for key, votes in sorted(found.items())}


def _rules(db: sqlite3.Connection, protocol_ids: Iterable[int]) -> dict[int, DeclaredRule]:
    rows = db.execute(
        "SELECT id, declaration FROM protocol WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(protocol_ids)),),
    )
    return {row[0]: declared_rule(row[1]) for row in rows}


def _vote(place: sqlite3.Row, rule: DeclaredRule, here: Standing | None) -> _Vote | None:
    """None where nothing that the protocol is about was said."""
    if here is None or not ({rule.main, rule.scale} & set(here.ratings)):
        return None
    values = {scale: row["value"] for scale, row in here.ratings.items()}
    at = max(row["made_at"] for row in here.ratings.values())
    return _Vote(
        place["rater"], place["version"], place["dimension"], (at, place["uid"]), rule.passes(values),
        rule.number(values),
    )  # fmt: skip


def _row(votes: Sequence[_Vote]) -> tuple[str, int, int | None, int | None, float | None]:
    """Dimension, raters, how many pass and fail it, and the mean."""
    newest = max(vote.version for vote in votes)
    last = {vote.rater: vote for vote in votes if vote.version == newest}
    passes = [vote.passes for vote in last.values() if vote.passes is not None]
    numbers = sorted(vote.number for vote in last.values() if vote.number is not None)
    return (
        votes[-1].dimension,
        len(last),
        sum(passes) if passes else None,
        len(passes) - sum(passes) if passes else None,
        sum(numbers) / len(numbers) if numbers else None,
    )
