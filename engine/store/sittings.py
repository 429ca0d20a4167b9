"""What a rater does at a sitting: every act is committed as a whole before the screen moves on, and undone by rows.

All of it is written on ``workspace.connect(durable=True)``. What returned is on the disk; what raised was not written
at all, and the same call may be made again.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import engine
from engine.errors import EngineError
from engine.killpoints import point
from engine.store.added import add_row
from engine.store.notes import LONGEST_NOTE
from engine.store.standings import (
    CurrentRating,
    SpanTag,
    Stands,
    Value,
    current_ratings,
    flagged_in,
    notes_in,
    skipped_in,
    what_stands,
)
from engine.store.studies import json_text, plain
from engine.store.transaction import transaction
from engine.store.undoing import Act, add_act, redoable, undo, undoable

__all__ = [
    "Act", "CurrentRating", "Heard", "Remark", "SpanTag", "Stands", "begin_sitting", "commit", "current_ratings",
    "flagged_in", "listened", "notes_in", "present", "redoable", "remark", "skip", "skipped_in", "undo", "undoable",
    "what_stands",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Heard:
    """What was heard of one clip in a presentation, all of it so far.

    Attributes:
        clip: question, answer or other.
        spans: (start_s, end_s, speed) of what reached the device.
        voiced_share: of the clip's speech, 0 to 1; None where it is not known.
    """

    clip: str
    spans: tuple[tuple[float, float, float], ...]
    voiced_share: float | None
    underruns: int = 0


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said of an item beside its ratings: a skip with its reason, a flag, a note, a tag on a span.

    A second note takes the place of the first, an empty one takes it away. ``holds`` False says that a flag, a tag on
    the same span, or a skip is no longer so.
    """

    kind: str
    text: str = ""
    clip: str | None = None
    start_s: float | None = None
    end_s: float | None = None
    holds: bool = True


def begin_sitting(
    db: sqlite3.Connection, rater_id: int, *, device: str, sample_rate_hz: int | None, setup: Mapping[str, Any]
) -> int:
    """Write down that a rater sat down: on what device, and what the check of level and sides found."""
    with transaction(db):
        told = {"rater_id": rater_id, "device": plain(device), "sample_rate_hz": sample_rate_hz}
        return add_row(db, "sitting", {**told, "app_version": engine.__version__, "setup": json_text(setup)})


def present(db: sqlite3.Connection, assignment_id: int, sitting_id: int, gains: Mapping[str, Any]) -> int:
    """Write down that an item stands before the rater, with the gains and seconds left out on playback.

    Raises ValueError for an item of somebody else's: what was said there would be refused wherever it is merged.
    """
    told = {"assignment_id": assignment_id, "sitting_id": sitting_id, "gains": json_text(gains)}
    with transaction(db):
        if db.execute(_OF_ANOTHER, (assignment_id, sitting_id)).fetchone() is not None:
            raise ValueError("an item of one rater at the sitting of another")
        return add_row(db, "presentation", told)


def commit(
    db: sqlite3.Connection,
    presentation_id: int,
    values: Mapping[str, Value | None],
    heard: Sequence[Heard] = (),
    remarks: Sequence[Remark] = (),
    *,
    active_s: float | None = None,
    is_before_reveal: bool = True,
    at: datetime | None = None,
) -> Act:
    """Keep what a rater says of an item, its fields and remarks and what was heard, in one transaction.

    Args:
        values: by scale. A scale that was answered before and is not named keeps its value; None leaves it open again,
            as a severity when the answer turns out to be a refusal.
        active_s: seconds spent on it, pauses left out.
        at: when, timezone-aware; now by default.

    Raises EngineError ``store.note_long``, ``store.busy``, ``store.cannot_write`` and ``store.gone``.
    """
    told = {"active_s": active_s, "is_before_reveal": int(is_before_reveal), "undoes": None}
    ratings = [{"scale": scale, "value": _checked(value), **told} for scale, value in values.items()]
    return _act(db, presentation_id, ratings, remarks, heard, at)


def skip(
    db: sqlite3.Connection,
    presentation_id: int,
    reason: str,
    heard: Sequence[Heard] = (),
    remarks: Sequence[Remark] = (),
    *,
    at: datetime | None = None,
) -> Act:
    """Pass over an item, for a reason, in one act with what else is said of it.

    What was rated of it before counts no longer, until this is undone.
    """
    return _act(db, presentation_id, [], [*remarks, Remark("skip", reason)], heard, at)


def remark(db: sqlite3.Connection, presentation_id: int, said: Remark, *, at: datetime | None = None) -> Act:
    """Say one thing of an item beside its ratings; raises what ``commit`` raises."""
    return _act(db, presentation_id, [], [said], (), at)


def listened(
    db: sqlite3.Connection, presentation_id: int, heard: Sequence[Heard], *, at: datetime | None = None
) -> None:
    """Keep what was heard of an item that is left without a rating."""
    with transaction(db):
        _put_heard(db, presentation_id, heard, at)


_OF_ANOTHER = (
    "SELECT 1 FROM assignment JOIN session ON session.id = session_id JOIN sitting ON sitting.id = ?2"
    " WHERE assignment.id = ?1 AND session.rater_id <> sitting.rater_id"
)


def _act(
    db: sqlite3.Connection,
    presentation_id: int,
    ratings: Sequence[Mapping[str, object]],
    remarks: Sequence[Remark],
    heard: Sequence[Heard],
    at: datetime | None,
) -> Act:
    """One thing that a rater did: all its rows, or none."""
    said = [_row_of(remark) for remark in remarks]
    with transaction(db):
        _put_heard(db, presentation_id, heard, at)
        act = add_act(db, presentation_id, ratings, said, at)
    point("act_committed")
    return act


def _put_heard(db: sqlite3.Connection, presentation_id: int, heard: Sequence[Heard], at: datetime | None) -> None:
    for clip in heard:
        told = {"presentation_id": presentation_id, "clip": clip.clip, "spans": json_text(clip.spans)}
        add_row(db, "heard", {**told, "voiced_share": clip.voiced_share, "underruns": clip.underruns}, at)


def _row_of(remark: Remark) -> dict[str, object]:
    text = plain(remark.text).rstrip()
    if len(text) > LONGEST_NOTE:
        raise EngineError("store.note_long", most=LONGEST_NOTE)
    told: dict[str, object] = {"kind": remark.kind, "text": text, "clip": remark.clip, "holds": int(remark.holds)}
    return {**told, "start_s": remark.start_s, "end_s": remark.end_s, "undoes": None}


def _checked(value: Value | None) -> Value | None:
    """The value as it is; SQLite would keep True as 1 and NaN as nothing without a word."""
    if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        raise ValueError(f"{value!r} is no step of a scale")
    return plain(value) if isinstance(value, str) else value
