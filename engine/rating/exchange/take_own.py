"""Takes rows of our own export into a store that has not seen them, whole: sessions, order, kinds, protocols, skips.

Every row keeps its uid, so the same file again, and a longer one, bring only what is new. What the table does not tell
(when an item was put up, what was heard where) is left open.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.clock import utc_text
from engine.errors import EngineError
from engine.rating.exchange.own_rows import OwnRow
from engine.rating.protocols import load_protocol
from engine.rating.values import Protocol
from engine.store.merging import Taken
from engine.store.planned_ratings import planned_ratings
from engine.store.raters import raters_of
from engine.store.rating_merging import put_raters, put_session, put_studies, ratings_in
from engine.store.studies import keep_protocol, protocol_declaration, sessions_of, studies_of
from engine.store.transaction import transaction
from engine.strings import text

_SPACE = uuid.UUID("0d3bb1a4-0f5f-5b1d-8f0e-5d7f6f0f4c25")  # of names that are made of what a row says
_LONG_AGO = "2000-01-01T00:00:00.000000Z"  # where the table tells no time; never now: the same file is the same rows

Answers = tuple[int, int | None]  # the answer of a row, and what it was compared with


@dataclass(frozen=True, slots=True)
class TakenWhole:
    """The studies that rows went into; how many ratings and skips were new; how many rows say otherwise than here."""

    studies: tuple[int, ...]
    ratings: int
    skips: int
    clashes: int


def protocols_here(db: sqlite3.Connection, rows: Sequence[OwnRow]) -> dict[tuple[str, str], Protocol]:
    """The protocols of rows by hash and language, as far as they are in the store or ship with the program."""
    kept = {(one.protocol_sha256, one.language): one.protocol_id for one in sessions_of(db)}
    found = {}
    for row in rows:
        at = (row.sha256, row.language)
        if at in found:
            continue
        protocol = Protocol.of(protocol_declaration(db, kept[at])) if at in kept else _shipped(row)
        if protocol is not None and protocol.sha256 == row.sha256:
            found[at] = protocol
    return found


def take_whole(
    db: sqlite3.Connection,
    path: Path,
    rows: Sequence[OwnRow],
    protocols: Mapping[tuple[str, str], Protocol],
    answers: Callable[[OwnRow], Answers],
    title: str,
) -> TakenWhole:
    """Put rows into the store, all or none; their letters are revealed, for the table names the systems.

    Args:
        protocols: of ``protocols_here``, those of all rows among them.
        title: of a study that is new here.
    """
    taken = Taken()
    by_session: dict[str, list[OwnRow]] = {}
    for row in rows:
        by_session.setdefault(row.session, []).append(row)
    with transaction(db):
        _put_raters(db, rows, taken)
        _put_studies(db, path, rows, title, taken)
        own = {study.uid: study.id for study in studies_of(db) if study.is_imported}
        known = {one.assignment_uid for number in own.values() for one in planned_ratings(db, number)}
        there = {one.uid: study_uid for one, study_uid in _sessions(db)}
        for uid, theirs in by_session.items():
            if uid in there and there[uid] not in own:
                continue  # the session itself is here, not a copy of it that came by a table
            _keep(db, protocols[(theirs[0].sha256, theirs[0].language)])
            new = [row for row in theirs if row.assignment not in known]
            placed = {row.assignment: answers(row) for row in new}
            if new:
                put_session(db, _session(new, placed), taken, _named(placed))
        said = ratings_in(db, {"sittings": _sittings(rows), "presentations": _presentations(rows)})
    numbers = {study.uid: study.id for study in studies_of(db)}
    clashes = len(taken.conflicts) + len(said.conflicts) + len(said.refused)
    skips = sum(1 for row in rows if row.skipped) if said.added["remark"] else 0
    return TakenWhole(tuple(numbers[uid] for uid in dict.fromkeys(row.study for row in rows)), said.added["rating"],
                      skips, clashes)  # fmt: skip


def _shipped(row: OwnRow) -> Protocol | None:
    try:
        return load_protocol(row.protocol, row.language)
    except EngineError:
        return None


def _keep(db: sqlite3.Connection, protocol: Protocol) -> None:
    keep_protocol(
        db, name=protocol.id, version=protocol.version, language=protocol.language, sha256=protocol.sha256,
        declaration=protocol.declaration(),
    )  # fmt: skip


def _sessions(db: sqlite3.Connection) -> list[tuple[Any, str]]:
    uids = {study.id: study.uid for study in studies_of(db)}
    return [(one, uids[one.study_id]) for one in sessions_of(db)]


def _made(table: str, uid: str, made_at: str = _LONG_AGO, **told: Any) -> dict[str, Any]:
    """A row under its uid; as if an installation of its own had made it, so that its number is nobody else's."""
    return {
        "uid": uid,
        "origin": str(uuid.uuid5(_SPACE, f"{table}|{uid}")),
        "origin_seq": 1,
        "made_at": made_at,
        **told,
    }


def _put_raters(db: sqlite3.Connection, rows: Sequence[OwnRow], taken: Taken) -> None:
    known = raters_of(db)
    uids, names = {rater.uid for rater in known}, {rater.name for rater in known}
    for uid, wanted in {row.rater: row.rater_name for row in rows}.items():
        if uid in uids:
            continue
        name, number = wanted, 2
        while name in names or name == "owner":  # another workspace's owner is a rater like all here
            name, number = f"{wanted} {number}", number + 1
        names.add(name)
        put_raters(db, [_made("rater", uid, name=name, language="", is_owner=0)], taken)


def _put_studies(db: sqlite3.Connection, path: Path, rows: Sequence[OwnRow], title: str, taken: Taken) -> None:
    there = {study.uid for study in studies_of(db)}
    for uid in dict.fromkeys(row.study for row in rows):
        if uid in there:
            continue
        theirs = [row for row in rows if row.study == uid]
        usual = Counter(row.selection for row in theirs if row.kind == "rated") or Counter(["manual"])
        design = {
            "imported": {"file": path.name, "is_whole": True}, "language": theirs[0].language, "fixes": {},
            "protocols": list(dict.fromkeys(row.protocol for row in theirs)),
        }  # fmt: skip
        reason = text("exchange.revealed_elsewhere", theirs[0].language, file=path.name)
        told = _made(
            "study", uid, utc_text(), title=title, seed=0, selection=usual.most_common(1)[0][0],
            stage=theirs[0].stage, design=json.dumps(design, ensure_ascii=False, sort_keys=True), leaks=None,
        )  # fmt: skip
        revealed = _made("disclosure", str(uuid.uuid5(_SPACE, f"revealed|{uid}")), utc_text(), reason=reason)
        put_studies(db, [{**told, "disclosures": [revealed]}], taken)


def _named(placed: Mapping[str, Answers]) -> dict[str, int]:
    return {str(number): number for pair in placed.values() for number in pair if number is not None}


def _session(rows: Sequence[OwnRow], placed: Mapping[str, Answers]) -> dict[str, Any]:
    first = rows[0]
    place = {"study": first.study, "rater": first.rater, "protocol": [first.sha256, first.language]}
    expected: dict[str, dict[str, Any]] = {}
    for row in rows:
        if row.expected is not None and row.scale:
            expected.setdefault(row.assignment, {})[row.scale] = row.expected
    by_place = {row.assignment: row for row in sorted(rows, key=lambda row: row.position)}
    told = [_assignment(row, placed[uid], expected.get(uid)) for uid, row in by_place.items()]
    return {**_made("session", first.session), "pass": first.number, **place, "assignments": told}


def _assignment(row: OwnRow, placed: Answers, expected: Mapping[str, Any] | None) -> dict[str, Any]:
    answer, other = placed
    other_letter = row.other_letter or ("B" if row.letter == "A" else "A")
    return _made(
        "assignment", row.assignment, position=row.position, kind=row.kind, letter=row.letter,
        other_letter=None if other is None else other_letter, response=str(answer),
        other_response=None if other is None else str(other),
        expected=None if expected is None else json.dumps(expected, ensure_ascii=False, sort_keys=True),
        repeat_of=row.repeat_of or None, perceived=row.perceived, dimension=row.dimension, blind=int(row.blind),
        selection=row.selection, pi=row.pi, stratum=row.stratum, split=row.split, stage=row.stage,
    )  # fmt: skip


def _sittings(rows: Sequence[OwnRow]) -> list[dict[str, Any]]:
    setup = json.dumps({"imported": True})
    return [
        _made("sitting", uid, device=row.device, sample_rate_hz=None, app_version="", setup=setup, rater=row.rater)
        for uid, row in {row.sitting: row for row in rows}.items()
    ]


def _presentations(rows: Sequence[OwnRow]) -> list[dict[str, Any]]:
    shown: dict[str, list[OwnRow]] = {}
    for row in rows:
        shown.setdefault(row.presentation, []).append(row)
    noted = set()  # a note and a flag are told with each row of their assignment
    found = []
    for uid, theirs in shown.items():
        first = theirs[0]
        ratings = [_rating(row) for row in theirs if row.rating]
        remarks = [_remark(row, "skip", row.skipped) for row in theirs if row.skipped]
        if first.assignment not in noted:
            noted.add(first.assignment)
            remarks += [_remark(first, "note", first.note)] if first.note else []
            remarks += [_remark(first, "flag", "")] if first.flagged else []
        told = _made("presentation", uid, gains="{}", assignment=first.assignment, sitting=first.sitting)
        found.append({**told, "heard": _heard(uid, theirs), "rating": ratings, "remark": remarks})
    return found


def _heard(presentation: str, rows: Sequence[OwnRow]) -> list[dict[str, Any]]:
    share = next((row.voiced_share for row in rows if row.voiced_share is not None), None)
    if share is None:
        return []
    uid = str(uuid.uuid5(_SPACE, f"heard|{presentation}"))
    return [_made("heard", uid, clip="answer", spans="[]", voiced_share=share, underruns=0)]


def _rating(row: OwnRow) -> dict[str, Any]:
    return _made(
        "rating", row.rating, row.made_at, scale=row.scale, value=row.value, active_s=row.active_s,
        is_before_reveal=int(row.is_before_reveal), undoes=None, act=1, turn=_turn(row.made_at),
    )  # fmt: skip


def _remark(row: OwnRow, kind: str, said: str) -> dict[str, Any]:
    uid = str(uuid.uuid5(_SPACE, f"{kind}|{row.presentation}|{row.made_at}|{said}"))
    return _made(
        "remark", uid, row.made_at, kind=kind, text=said, clip=None, start_s=None, end_s=None, holds=1, undoes=None,
        act=1, turn=_turn(row.made_at),
    )  # fmt: skip


def _turn(made_at: str) -> int:
    """A number that grows with the time something was said: a longer file finds the same one again."""
    told = datetime.fromisoformat(made_at) - datetime(2000, 1, 1, tzinfo=UTC)
    return max(1, round(told.total_seconds() * 1000))
