"""Ratings in long form, one row for each assignment and scale: what statistics, exports and tables read."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.store.selections import pi_of, selection_of
from engine.store.standings import Value, given_where, in_order, said_where, standings
from engine.store.transaction import one_state

#: Of assignments whose ratings are about an answer, not about the rater.
ABOUT_ANSWERS = ("rated", "repeat")


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One rating with all that places it.

    Attributes:
        expected: the value on this scale that a training, gold or trap item should get.
        repeat_of: uid of the assignment that this one repeats.
        clip_s: seconds of the answer, of a comparison those of both.
        voiced_share: of the answer's speech that was heard in this presentation, of a comparison the lesser one.
        is_current: it counts now; only False with the history.
        stands: it was not taken back; what stands and is not current was rated over or skipped.
    """

    study_uid: str
    session_uid: str
    rater_uid: str
    rater: str
    protocol: str
    protocol_version: int
    protocol_sha256: str
    language: str
    pass_number: int
    assignment_uid: str
    position: int
    kind: str
    letter: str
    response_id: int
    response_uid: str
    benchmark: str
    subset: str
    instance_key: str
    instance_id: int
    system: str
    other_system: str | None
    dimension: str
    perceived: str
    blind: bool
    selection: str
    pi: float | None
    stratum: str
    split: str
    stage: str
    scale: str
    value: Value | None
    expected: Value | None
    repeat_of: str | None
    active_s: float | None
    clip_s: float | None
    voiced_share: float | None
    is_before_reveal: bool
    device: str
    sitting_uid: str
    presentation_uid: str
    rating_uid: str
    made_at: str
    is_current: bool = True
    stands: bool = True


@dataclass(frozen=True, slots=True)
class RemarkRow:
    """One remark that holds, with what it is about; ``kind`` is skip, flag, note or span_tag."""

    study_uid: str
    session_uid: str
    rater_uid: str
    rater: str
    protocol: str
    assignment_uid: str
    position: int
    assignment_kind: str
    letter: str
    response_id: int
    response_uid: str
    benchmark: str
    subset: str
    instance_key: str
    system: str
    other_system: str | None
    kind: str
    text: str
    clip: str | None
    start_s: float | None
    end_s: float | None
    presentation_uid: str
    remark_uid: str
    made_at: str


def rating_rows(
    db: sqlite3.Connection, study_id: int | None = None, *, with_history: bool = False, before_reveal: bool = False
) -> tuple[RatingRow, ...]:
    """The ratings of a study or of all, by session and position.

    Args:
        with_history: those that were rated over, skipped since or taken back too, as they were given.
        before_reveal: what counts is what was rated before the transcript was shown.
    """
    condition = "study_id = ?" if study_id is not None else "? IS NULL"
    with one_state(db):
        return tuple(_rows(db, condition, study_id, with_history, before_reveal))


def remark_rows(db: sqlite3.Connection, study_id: int | None = None) -> tuple[RemarkRow, ...]:
    """The skips, flags, notes and tags of a study or of all that hold, by session and position."""
    condition = "study_id = ?" if study_id is not None else "? IS NULL"
    with one_state(db):
        placed, shown = _places(db, condition, study_id), _presentations(db, condition, study_id)
        told = standings(said_where(db, _IN_STUDY.format(condition), study_id))
    found = []
    for number, here in told.items():
        said = [*([] if here.skip is None else [here.skip]), *here.remarks.values()]
        found += [_remark(placed[number], shown[row["presentation_id"]], row) for row in said]
    return tuple(sorted(found, key=lambda row: (row.session_uid, row.position)))


_IN_STUDY = "session_id IN (SELECT session.id FROM session WHERE {})"
_PLACES = f"""
SELECT assignment.id, study.uid AS study_uid, session.uid AS session_uid, rater.uid AS rater_uid, rater.name AS rater,
    protocol.name AS protocol, protocol.version AS protocol_version, protocol.sha256 AS protocol_sha256,
    protocol.language, pass AS pass_number, assignment.uid AS assignment_uid, assignment.position, assignment.kind,
    letter, response_id, response.uid AS response_uid, benchmark.name AS benchmark, subset,
    instance.key AS instance_key, instance.id AS instance_id, system.name AS system,
    other_system.name AS other_system, dimension, perceived, blind,
    {selection_of("assignment")} AS selection, {pi_of()} AS pi, stratum, split, assignment.stage, expected, repeat_of,
    json_extract(audio.facts, '$.duration_s') AS first_s, json_extract(other_audio.facts, '$.duration_s') AS other_s
FROM assignment JOIN session ON session.id = session_id JOIN study ON study.id = study_id
    JOIN rater ON rater.id = rater_id JOIN protocol ON protocol.id = protocol_id
    JOIN response ON response.id = response_id JOIN instance ON instance.id = response.instance_id
    JOIN benchmark ON benchmark.id = benchmark_id JOIN system ON system.id = response.system_id
    LEFT JOIN audio ON audio.id = response.audio_id LEFT JOIN response AS other ON other.id = other_response_id
    LEFT JOIN audio AS other_audio ON other_audio.id = other.audio_id
    LEFT JOIN system AS other_system ON other_system.id = other.system_id
WHERE """
_PRESENTATIONS = """
SELECT presentation.id, presentation.uid AS presentation_uid, sitting.uid AS sitting_uid, device,
    (SELECT MIN(share) FROM (SELECT MAX(voiced_share) AS share FROM heard
        WHERE presentation_id = presentation.id AND clip <> 'question' GROUP BY clip)) AS voiced_share
FROM presentation JOIN assignment ON assignment.id = assignment_id JOIN sitting ON sitting.id = sitting_id
    JOIN session ON session.id = session_id
WHERE """
_PLACED = (
    "study_uid", "session_uid", "rater_uid", "rater", "protocol", "protocol_version", "protocol_sha256", "language",
    "pass_number", "assignment_uid", "position", "kind", "letter", "response_id", "response_uid", "benchmark", "subset",
    "instance_key", "instance_id", "system", "other_system", "dimension", "perceived", "selection", "pi", "stratum",
    "split", "stage", "repeat_of",
)  # fmt: skip
_REMARKED = ("study_uid", "session_uid", "rater_uid", "rater", "protocol", "assignment_uid", "position", "letter",
             "response_id", "response_uid", "benchmark", "subset", "instance_key", "system",
             "other_system")  # fmt: skip


def _rows(
    db: sqlite3.Connection, condition: str, value: object, with_history: bool, before_reveal: bool
) -> Iterator[RatingRow]:
    placed, shown = _places(db, condition, value), _presentations(db, condition, value)
    where = _IN_STUDY.format(condition)
    said = said_where(db, where, value)
    current = {
        row["uid"]: row
        for here in standings(said, before_reveal=before_reveal).values()
        for row in here.ratings.values()
    }
    stands = {row["uid"] for row in said}
    wanted = in_order(given_where(db, where, value)) if with_history else list(current.values())
    wanted.sort(key=lambda row: _place_of(placed[row["assignment_id"]]))
    told: dict[int, dict[str, Any]] = {}
    for row in wanted:
        uid, number = row["uid"], row["assignment_id"]
        if number not in told:
            told[number] = _told_of(placed[number])
        yield _rating(told[number], shown[row["presentation_id"]], row, uid in current, uid in stands)


def _places(db: sqlite3.Connection, condition: str, value: object) -> dict[int, sqlite3.Row]:
    return {row["id"]: row for row in db.execute(_PLACES + condition, (value,))}


def _presentations(db: sqlite3.Connection, condition: str, value: object) -> dict[int, sqlite3.Row]:
    return {row["id"]: row for row in db.execute(_PRESENTATIONS + condition, (value,))}


def _place_of(place: sqlite3.Row) -> tuple[str, int]:
    return place["session_uid"], place["position"]


def _told_of(place: sqlite3.Row) -> dict[str, Any]:
    """What all ratings of an assignment share; ``expected`` still by scale."""
    expected = json.loads(place["expected"]) if place["expected"] else {}
    seconds = [place[name] for name in ("first_s", "other_s") if place[name] is not None]
    shared = {name: place[name] for name in _PLACED}
    return {**shared, "blind": bool(place["blind"]), "expected": expected, "clip_s": sum(seconds) if seconds else None}


def _rating(told: Mapping[str, Any], shown: sqlite3.Row, row: sqlite3.Row, is_current: bool, stands: bool) -> RatingRow:
    return RatingRow(
        **{**told, "expected": told["expected"].get(row["scale"])}, scale=row["scale"], value=row["value"],
        active_s=row["active_s"], voiced_share=shown["voiced_share"], is_before_reveal=bool(row["is_before_reveal"]),
        device=shown["device"], sitting_uid=shown["sitting_uid"], presentation_uid=shown["presentation_uid"],
        rating_uid=row["uid"], made_at=row["made_at"], is_current=is_current, stands=stands,
    )  # fmt: skip


def _remark(place: sqlite3.Row, shown: sqlite3.Row, row: sqlite3.Row) -> RemarkRow:
    told: dict[str, Any] = {name: place[name] for name in _REMARKED}
    return RemarkRow(
        **told, assignment_kind=place["kind"], kind=row["kind"], text=row["text"], clip=row["clip"],
        start_s=row["start_s"], end_s=row["end_s"], presentation_uid=shown["presentation_uid"],
        remark_uid=row["uid"], made_at=row["made_at"],
    )  # fmt: skip
