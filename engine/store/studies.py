"""Studies: what an owner sets up to be rated, kept in one transaction, and how far each has come."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError
from engine.store.added import add_row, add_rows
from engine.store.assignments import AssignmentRow, Shown, Turn, assignments_of
from engine.store.disclosures import LetterRow, disclose, letters_of
from engine.store.selections import selection_of
from engine.store.transaction import transaction

__all__ = [
    "AssignmentRow", "LetterRow", "NewAssignment", "NewSession", "NewStudy", "SessionRow", "Shown", "StudyRow", "Turn",
    "add_study", "assignments_of", "disclose", "keep_protocol", "letters_of", "protocol_declaration", "session_of",
    "sessions_of", "studies_of", "study_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewAssignment:
    """One thing to be rated, at its place in a session.

    Attributes:
        kind: rated, training, gold, trap or repeat.
        letter: what the rater sees in place of a system's name; ``other_letter`` that of what it is compared with.
        expected: {scale: value} of training, gold and trap items.
        repeats: of a hidden repeat, the index of what it repeats in the same session's assignments.
        pi: inclusion probability of the item; None where it was picked by hand.
    """

    kind: str
    response_id: int
    letter: str
    perceived: str
    dimension: str
    selection: str
    pi: float | None
    stratum: str
    split: str
    stage: str
    other_response_id: int | None = None
    other_letter: str | None = None
    expected: Mapping[str, int | float | str] | None = None
    repeats: int | None = None
    blind: bool = True


@dataclass(frozen=True, slots=True)
class NewSession:
    """One rater's pass: ``number`` is 1 for the first; the assignments in the order in which they are put."""

    rater_id: int
    protocol_id: int
    number: int
    assignments: Sequence[NewAssignment]


@dataclass(frozen=True, slots=True)
class NewStudy:
    """A study as it is set up; ``leaks`` is what the blind-leak check found, None where it was not asked."""

    title: str
    seed: int
    selection: str
    stage: str
    design: Mapping[str, Any]
    leaks: Mapping[str, Any] | None
    sessions: Sequence[NewSession]


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study and how far it is: assignments planned, rated and skipped over all its sessions."""

    id: int
    uid: str
    title: str
    made_at: str
    selection: str
    stage: str
    seed: int
    design: dict[str, Any]
    leaks: dict[str, Any] | None
    raters: tuple[str, ...]
    protocols: tuple[str, ...]
    planned: int
    rated: int
    skipped: int
    disclosed_at: str | None

    @property
    def is_imported(self) -> bool:
        """Whether its ratings were given elsewhere and came by a table, whose rows name the systems."""
        return "imported" in self.design

    @property
    def is_sealed(self) -> bool:
        """Whether nobody is to be shown a system: the letters were not revealed, and no table has named them."""
        return self.disclosed_at is None and not self.is_imported


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One rater's pass through a study, ``number`` of ``passes``, and how far it is."""

    id: int
    uid: str
    study_id: int
    study_title: str
    rater_id: int
    rater_name: str
    protocol_id: int
    protocol_name: str
    protocol_version: int
    protocol_sha256: str
    language: str
    number: int
    passes: int
    planned: int
    rated: int
    skipped: int


def keep_protocol(
    db: sqlite3.Connection, *, name: str, version: int, language: str, sha256: str, declaration: Mapping[str, Any]
) -> int:
    """The row of a protocol as it is put to raters, written when first met; equal ones are kept once."""
    with transaction(db):
        known = db.execute("SELECT id FROM protocol WHERE sha256 = ? AND language = ?", (sha256, language)).fetchone()
        if known is not None:
            return int(known[0])
        cursor = db.execute(
            "INSERT INTO protocol (name, version, language, sha256, declaration) VALUES (?, ?, ?, ?, ?)",
            (name, version, language, sha256, json_text(declaration)),
        )
        return int(cursor.lastrowid or 0)


def protocol_declaration(db: sqlite3.Connection, protocol_id: int) -> dict[str, Any]:
    """The whole protocol as it was when it was kept, for ``Protocol.of``."""
    row = db.execute("SELECT declaration FROM protocol WHERE id = ?", (protocol_id,)).fetchone()
    if row is None:
        raise EngineError("rating.no_such_protocol")
    return dict(json.loads(row[0]))


def add_study(db: sqlite3.Connection, new: NewStudy) -> int:
    """Keep a study with all its sessions and assignments, whole or not at all; the number of its row."""
    with transaction(db):
        study = add_row(
            db,
            "study",
            {
                "title": plain(new.title), "seed": new.seed, "selection": new.selection, "stage": new.stage,
                "design": json_text(new.design), "leaks": None if new.leaks is None else json_text(new.leaks),
            },
        )  # fmt: skip
        for session in new.sessions:
            told = {"study_id": study, "rater_id": session.rater_id, "protocol_id": session.protocol_id}
            _add_assignments(db, add_row(db, "session", {**told, "pass": session.number}), session.assignments)
    return study


def studies_of(db: sqlite3.Connection) -> tuple[StudyRow, ...]:
    """All studies, the newest first."""
    return tuple(_study(db, row) for row in db.execute(f"{_STUDY} ORDER BY made_at DESC, uid").fetchall())


def study_of(db: sqlite3.Connection, study_id: int) -> StudyRow:
    """One study; raises EngineError ``rating.no_such_study``."""
    row = db.execute(f"{_STUDY} WHERE id = ?", (study_id,)).fetchone()
    if row is None:
        raise EngineError("rating.no_such_study")
    return _study(db, row)


def sessions_of(
    db: sqlite3.Connection, *, study_id: int | None = None, rater_id: int | None = None
) -> tuple[SessionRow, ...]:
    """Sessions of a study, of a rater, or all: the newest study first, then by rater and pass."""
    rows = db.execute(
        f"{_SESSION} WHERE (:study IS NULL OR session.study_id = :study)"
        " AND (:rater IS NULL OR session.rater_id = :rater)"
        " ORDER BY study.made_at DESC, study.uid, rater.name, rater.uid, pass",
        {"study": study_id, "rater": rater_id},
    )
    return tuple(SessionRow(*row) for row in rows)


def session_of(db: sqlite3.Connection, session_id: int) -> SessionRow:
    """One session; raises EngineError ``rating.no_such_session``."""
    row = db.execute(f"{_SESSION} WHERE session.id = ?", (session_id,)).fetchone()
    if row is None:
        raise EngineError("rating.no_such_session")
    return SessionRow(*row)


def json_text(values: Any) -> str:
    """Values as the store keeps them: JSON, keys sorted, NaN refused."""
    return json.dumps(values, ensure_ascii=False, sort_keys=True, allow_nan=False)


def plain(text: str) -> str:
    """Text that can be stored: a half of a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


_COUNTED = "(SELECT COUNT(*) FROM assignment_state AS state WHERE state.session_id = session.id AND state.state = '{}')"
_PLANNED = "(SELECT COUNT(*) FROM assignment WHERE session_id = session.id)"
_FAR = f"{_PLANNED} AS planned, {_COUNTED.format('rated')} AS rated, {_COUNTED.format('skipped')} AS skipped"
_STUDY = (
    f"SELECT study.*, {selection_of('study')} AS picked,"
    " (SELECT MIN(made_at) FROM disclosure WHERE study_id = study.id) AS disclosed_at FROM study"
)
_SESSION = (
    "SELECT session.id, session.uid, session.study_id, study.title, session.rater_id, rater.name, session.protocol_id,"
    " protocol.name, protocol.version, protocol.sha256, protocol.language, session.pass, (SELECT COUNT(*) FROM session"
    " AS mine WHERE mine.study_id = session.study_id AND mine.rater_id = session.rater_id) AS passes,"
    f" {_FAR} FROM session JOIN study ON study.id = study_id JOIN rater ON rater.id = rater_id"
    " JOIN protocol ON protocol.id = protocol_id"
)


def _study(db: sqlite3.Connection, row: sqlite3.Row) -> StudyRow:
    sessions = sessions_of(db, study_id=row["id"])
    return StudyRow(
        row["id"], row["uid"], row["title"], row["made_at"], row["picked"], row["stage"], row["seed"],
        json.loads(row["design"]), None if row["leaks"] is None else json.loads(row["leaks"]),
        tuple(dict.fromkeys(session.rater_name for session in sessions)),
        tuple(dict.fromkeys(session.protocol_name for session in sorted(sessions, key=lambda one: one.number))),
        sum(session.planned for session in sessions), sum(session.rated for session in sessions),
        sum(session.skipped for session in sessions), row["disclosed_at"],
    )  # fmt: skip


def _add_assignments(db: sqlite3.Connection, session_id: int, assignments: Sequence[NewAssignment]) -> None:
    """In order; those that repeat others come after all of these have their uids."""
    uids: dict[int, str] = {}
    for repeats in (False, True):
        numbered = [(i, new) for i, new in enumerate(assignments) if (new.repeats is not None) == repeats]
        rows = [_assignment(session_id, i + 1, new, uids) for i, new in numbered]
        added = add_rows(db, "assignment", rows)
        uids |= {i: uid for (i, _), uid in zip(numbered, added, strict=True)}


def _assignment(session_id: int, position: int, new: NewAssignment, uids: Mapping[int, str]) -> dict[str, Any]:
    return {
        "session_id": session_id, "position": position, "kind": new.kind, "response_id": new.response_id,
        "letter": new.letter, "other_response_id": new.other_response_id, "other_letter": new.other_letter,
        "expected": None if new.expected is None else json_text(new.expected),
        "repeat_of": None if new.repeats is None else uids[new.repeats], "perceived": new.perceived,
        "dimension": new.dimension, "blind": int(new.blind), "selection": new.selection, "pi": new.pi,
        "stratum": new.stratum, "split": new.split, "stage": new.stage,
    }  # fmt: skip
