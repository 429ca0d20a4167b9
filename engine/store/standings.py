"""What holds now of what a rater said: the newest standing row of each kind, whatever clocks did and stores merged.

Rows of one assignment are ordered by their turn, and only where two installations took the same turn without knowing of
each other by time, then by installation: so every store that holds the same rows reads the same from them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.store.evidence import standing
from engine.store.transaction import one_state, transaction

Value = int | float | str


@dataclass(frozen=True, slots=True)
class CurrentRating:
    """The rating that counts now on one scale, and the presentation in which it was given."""

    value: Value
    presentation_id: int
    made_at: str
    is_before_reveal: bool


@dataclass(frozen=True, slots=True)
class SpanTag:
    """A tag that stands on a stretch of a clip (question, answer or other)."""

    name: str
    clip: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Stands:
    """What was said at a session and holds now, each by the assignment it was said of."""

    ratings: Mapping[int, Mapping[str, CurrentRating]]
    skipped: Mapping[int, str]
    flagged: frozenset[int]
    notes: Mapping[int, str]
    tags: Mapping[int, tuple[SpanTag, ...]]


@dataclass(slots=True)
class Standing:
    """What holds of one assignment: ratings by scale, or the skip; flag, note and tags by what they are about."""

    ratings: dict[str, sqlite3.Row] = field(default_factory=dict)
    skip: sqlite3.Row | None = None
    remarks: dict[tuple[object, ...], sqlite3.Row] = field(default_factory=dict)


def said_where(db: sqlite3.Connection, condition: str, *values: object) -> list[sqlite3.Row]:
    """Standing ratings and remarks, in the order in which they count; ``condition`` is SQL over ``assignment``."""
    with one_state(db):
        ratings = db.execute(f"{_RATINGS} WHERE {standing('rating')} AND {condition}", values).fetchall()
        remarks = db.execute(f"{_REMARKS} WHERE {standing('remark')} AND {condition}", values).fetchall()
    return in_order(ratings + remarks)


def given_where(db: sqlite3.Connection, condition: str, *values: object) -> list[sqlite3.Row]:
    """All ratings that were ever given, those taken back too, but not the rows that took back or gave back."""
    return db.execute(f"{_RATINGS} WHERE undoes IS NULL AND {condition}", values).fetchall()


def remarked_where(db: sqlite3.Connection, condition: str, *values: object) -> list[sqlite3.Row]:
    """All remarks that were ever made, those taken back too."""
    return db.execute(f"{_REMARKS} WHERE undoes IS NULL AND {condition}", values).fetchall()


def in_order(rows: Iterable[sqlite3.Row]) -> list[sqlite3.Row]:
    """Rows as they were said of their assignments."""
    return sorted(rows, key=lambda row: (row["turn"], row["made_at"], row["origin"], row["origin_seq"]))


def standings(rows: Sequence[sqlite3.Row], *, before_reveal: bool = False) -> dict[int, Standing]:
    """What holds of each assignment of which something was said.

    A rating makes a skip before it void, and a skip the ratings before it.

    Args:
        rows: of ``said_where``.
        before_reveal: as if nothing had been rated once the transcript was shown.
    """
    found: dict[int, Standing] = {}
    for row in rows:
        here = found.setdefault(row["assignment_id"], Standing())
        if row["scale"] is not None:
            if not before_reveal or row["is_before_reveal"]:
                _rate(here, row)
        elif row["kind"] == "skip":
            here.skip = row if row["holds"] else None
            if row["holds"]:
                here.ratings.clear()
        else:
            _remark(here, row)
    return found


def what_stands(db: sqlite3.Connection, session_id: int) -> Stands:
    """All that was said at a session and holds now, in one reading."""
    found = _of_session(db, session_id)
    return Stands(_ratings(found), _skipped(found), _flagged(found), _notes(found), _tags(found))


def current_ratings(db: sqlite3.Connection, session_id: int) -> dict[int, dict[str, CurrentRating]]:
    """The ratings that count now, by assignment and scale; an assignment without any is not in it."""
    return _ratings(_of_session(db, session_id))


def skipped_in(db: sqlite3.Connection, session_id: int) -> dict[int, str]:
    """The assignments that were skipped and not rated since, with the reason."""
    return _skipped(_of_session(db, session_id))


def flagged_in(db: sqlite3.Connection, session_id: int) -> frozenset[int]:
    """The assignments on which a flag stands."""
    return _flagged(_remarks_in(db, session_id))


def notes_in(db: sqlite3.Connection, session_id: int) -> dict[int, str]:
    """The note of each assignment that has one: the newest; an empty one takes its place away."""
    return _notes(_remarks_in(db, session_id))


def settle(db: sqlite3.Connection, assignment_ids: Sequence[int]) -> None:
    """Bring ``assignment_state`` up to date; in the transaction that added rows about these assignments."""
    for number in assignment_ids:
        state = _state(standings(said_where(db, "assignment.id = ?", number)).get(number, Standing()))
        if state is None:
            db.execute("DELETE FROM assignment_state WHERE assignment_id = ?", (number,))
            continue
        db.execute(
            "INSERT INTO assignment_state SELECT id, session_id, ? FROM assignment WHERE id = ?"
            " ON CONFLICT DO UPDATE SET state = excluded.state",
            (state, number),
        )


def settle_all(db: sqlite3.Connection) -> int:
    """Derive ``assignment_state`` anew from all that was said, in one transaction; how many are rated or skipped."""
    count = 0
    with transaction(db):
        db.execute("DELETE FROM assignment_state")
        for (session,) in db.execute("SELECT id FROM session").fetchall():
            found = ((number, session, _state(here)) for number, here in _of_session(db, session).items())
            rows = [row for row in found if row[2] is not None]
            db.executemany("INSERT INTO assignment_state VALUES (?, ?, ?)", rows)
            count += len(rows)
    return count


def _state(here: Standing) -> str | None:
    return "rated" if here.ratings else "skipped" if here.skip is not None else None


_SAID = (
    "SELECT assignment_id, presentation_id, {0}.uid, {0}.origin, {0}.origin_seq, {0}.made_at, turn, act, undoes, {1}"
    " FROM assignment JOIN presentation ON assignment_id = assignment.id JOIN {0} ON presentation_id = presentation.id"
)
_RATINGS = _SAID.format(
    "rating",
    "scale, value, active_s, is_before_reveal, NULL AS kind, NULL AS text, NULL AS clip, NULL AS start_s,"
    " NULL AS end_s, 1 AS holds",
)
_REMARKS = _SAID.format(
    "remark",
    "NULL AS scale, NULL AS value, NULL AS active_s, 1 AS is_before_reveal, remark.kind, text, clip, start_s,"
    " end_s, holds",
)


def _of_session(db: sqlite3.Connection, session_id: int) -> dict[int, Standing]:
    return standings(said_where(db, "session_id = ?", session_id))


def _remarks_in(db: sqlite3.Connection, session_id: int) -> dict[int, Standing]:
    """What holds beside ratings, without reading these."""
    rows = db.execute(f"{_REMARKS} WHERE {standing('remark')} AND session_id = ?", (session_id,))
    return standings(in_order(rows))


def _ratings(found: Mapping[int, Standing]) -> dict[int, dict[str, CurrentRating]]:
    return {
        n: {scale: _current(row) for scale, row in here.ratings.items()} for n, here in found.items() if here.ratings
    }


def _skipped(found: Mapping[int, Standing]) -> dict[int, str]:
    return {n: here.skip["text"] for n, here in found.items() if here.skip is not None}


def _flagged(found: Mapping[int, Standing]) -> frozenset[int]:
    return frozenset(n for n, here in found.items() if ("flag",) in here.remarks)


def _notes(found: Mapping[int, Standing]) -> dict[int, str]:
    return {n: here.remarks[("note",)]["text"] for n, here in found.items() if ("note",) in here.remarks}


def _tags(found: Mapping[int, Standing]) -> dict[int, tuple[SpanTag, ...]]:
    """By assignment, in the order in which they were set; of those without a place nothing can be drawn."""
    told = {
        n: tuple(
            SpanTag(row["text"], row["clip"], row["start_s"], row["end_s"])
            for row in here.remarks.values()
            if row["kind"] == "span_tag" and None not in (row["clip"], row["start_s"], row["end_s"])
        )
        for n, here in found.items()
    }
    return {n: tags for n, tags in told.items() if tags}


def _current(row: sqlite3.Row) -> CurrentRating:
    return CurrentRating(row["value"], row["presentation_id"], row["made_at"], bool(row["is_before_reveal"]))


def _rate(here: Standing, row: sqlite3.Row) -> None:
    here.skip = None
    here.ratings.pop(row["scale"], None)
    if row["value"] is not None:
        here.ratings[row["scale"]] = row


def _remark(here: Standing, row: sqlite3.Row) -> None:
    about: tuple[object, ...] = (row["kind"],)
    if row["kind"] == "span_tag":
        about = (row["kind"], row["text"], row["clip"], row["start_s"], row["end_s"])
    here.remarks.pop(about, None)
    if row["holds"] and (row["text"] or row["kind"] != "note"):
        here.remarks[about] = row
