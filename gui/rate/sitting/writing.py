"""What the rating screen writes, each as one function for the writing thread, on a durable connection.

A row that others hang on (the sitting, the presentation) is made by the first that needs it, so that what failed once
can be tried again as a whole.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.errors import EngineError
from engine.store.sittings import (
    Act,
    Heard,
    Remark,
    Stands,
    begin_sitting,
    commit,
    listened,
    present,
    redoable,
    remark,
    skip,
    undo,
    undoable,
    what_stands,
)
from engine.store.workspace import Workspace


@dataclass(slots=True)
class Seat:
    """The rater, and where and how they sit; ``id`` is the sitting's row, once there is one."""

    rater_id: int
    device: str = ""
    sample_rate_hz: int | None = None
    setup: Mapping[str, Any] = field(default_factory=dict)
    id: int | None = None


@dataclass(slots=True)
class Presented:
    """An item that stands before the rater; ``id`` is the presentation's row, once there is one."""

    assignment_id: int
    gains: Mapping[str, Any]
    id: int | None = None


@dataclass(frozen=True, slots=True)
class Answers:
    """What is committed of an item in one go."""

    values: Mapping[str, int | str | None]
    heard: Sequence[Heard]
    remarks: Sequence[Remark]
    active_s: float | None
    is_before_reveal: bool


@dataclass(frozen=True, slots=True)
class Undone:
    """What stands after an undo or redo, and of which assignment it was; None where there was nothing to undo."""

    assignment_id: int | None
    said: Stands


class Pen:
    """The durable connection on which one sitting is written; for the writing thread.

    It stays open as long as the rater sits: a store's last connection writes its log back when it closes, which takes
    longer than a commit. After anything went wrong the next write opens it anew.
    """

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._db: sqlite3.Connection | None = None
        self._thread = 0

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The connection; raises EngineError ``rate.not_written`` where SQLite gives way in a way of its own."""
        try:
            db = self._opened()
            yield db
        except sqlite3.Error as error:
            self.put_down()
            raise EngineError("rate.not_written", why=str(error)) from error
        except EngineError:
            self.put_down()
            raise

    def put_down(self) -> None:
        """Close the connection; the next write opens another."""
        if self._db is not None and self._thread == threading.get_ident():
            self._db.close()
        self._db = None

    def _opened(self) -> sqlite3.Connection:
        if self._db is None or self._thread != threading.get_ident():  # while the window goes, it is the GUI thread
            self._db, self._thread = self._workspace.connect(durable=True), threading.get_ident()
        return self._db


def write_presented(pen: Pen, seat: Seat, presented: Presented) -> None:
    """Write down that an item stands before the rater."""
    with pen.writing() as db:
        _presentation(db, seat, presented)


def write_answers(pen: Pen, seat: Seat, presented: Presented, answers: Answers) -> Act:
    """Commit what the rater says of an item."""
    with pen.writing() as db:
        return commit(
            db,
            _presentation(db, seat, presented),
            answers.values,
            answers.heard,
            answers.remarks,
            active_s=answers.active_s,
            is_before_reveal=answers.is_before_reveal,
        )


def write_skip(
    pen: Pen, seat: Seat, presented: Presented, reason: str, heard: Sequence[Heard], remarks: Sequence[Remark]
) -> Act:
    """Pass over an item; what else was said of it is kept before."""
    with pen.writing() as db:
        place = _presentation(db, seat, presented)
        for said in remarks:
            remark(db, place, said)
        return skip(db, place, reason, heard)


def write_remark(pen: Pen, seat: Seat, presented: Presented, said: Remark) -> Act:
    """Say one thing of an item."""
    with pen.writing() as db:
        return remark(db, _presentation(db, seat, presented), said)


def write_heard(pen: Pen, seat: Seat, presented: Presented, heard: Sequence[Heard], remarks: Sequence[Remark]) -> None:
    """Keep what was heard, and what was noted, of an item that is left without a rating."""
    with pen.writing() as db:
        place = _presentation(db, seat, presented)
        for said in remarks:
            remark(db, place, said)
        listened(db, place, heard)


def write_undone(pen: Pen, session_id: int, again: bool) -> Undone:
    """Undo the last thing that was done at a session, or with ``again`` do what was undone last."""
    with pen.writing() as db:
        act = redoable(db, session_id) if again else undoable(db, session_id)
        if act is not None:
            undo(db, act)
        return Undone(None if act is None else act.assignment_id, what_stands(db, session_id))


def _presentation(db: sqlite3.Connection, seat: Seat, presented: Presented) -> int:
    if seat.id is None:
        seat.id = begin_sitting(
            db, seat.rater_id, device=seat.device, sample_rate_hz=seat.sample_rate_hz, setup=seat.setup
        )
    if presented.id is None:
        presented.id = present(db, presented.assignment_id, seat.id, presented.gains)
    return presented.id
