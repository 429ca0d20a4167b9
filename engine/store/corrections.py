"""What a person heard in a sound where a recogniser erred: rows that are only ever added, taken back and given back.

A correction is of a sound, known by the hash of its bytes: every answer that has the same one says the same. The newest
one that stands holds; taking it back lets the one before it hold again.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.evidence import standing
from engine.store.makers import Maker
from engine.store.origin import next_origin
from engine.store.transaction import transaction

LONGEST = 20_000
PERSON = Maker("person", "person")  # makes the transcripts that corrections give


@dataclass(frozen=True, slots=True)
class Correction:
    """One text of one sound.

    Attributes:
        is_own: it was written in this workspace; else it came from another installation.
        taken_back_at: when it was taken back; None where it stands.
    """

    uid: str
    response_id: int
    audio_sha256: str
    text: str
    is_own: bool
    made_at: str
    taken_back_at: str | None


def add_correction(db: sqlite3.Connection, response_id: int, text: str, at: datetime | None = None) -> str | None:
    """Write down what a person heard in an answer's sound; "" says that nothing is said.

    Returns the uid of the row; None where the same text holds already. Raises EngineError ``store.correction_long``,
    and ``store.correction_no_sound`` for an answer without audio.
    """
    kept = text.encode("utf-8", "replace").decode().replace("\x00", "").strip()
    if len(kept) > LONGEST:
        raise EngineError("store.correction_long", most=LONGEST)
    with transaction(db):
        sha256 = sound_of(db, response_id)
        holds = holding(db, sha256)
        if holds is not None and holds.text == kept:
            return None
        return _add(db, (response_id, sha256, kept, None), at)


def take_back(db: sqlite3.Connection, uid: str, at: datetime | None = None) -> str | None:
    """Take a correction back; returns the uid of the row that does, None where it did not stand."""
    with transaction(db):
        row = db.execute(
            f"SELECT response_id, audio_sha256, text FROM correction WHERE uid = ? AND {standing('correction')}", (uid,)
        ).fetchone()
        return None if row is None else _add(db, (*row, uid), at)


def undo(db: sqlite3.Connection, uid: str, at: datetime | None = None) -> str | None:
    """Add the row that makes things as they were before the row ``uid``, whether that wrote, took or gave back.

    Returns the uid of the new row, which can be undone in turn; None where there is nothing to do any more.
    """
    with transaction(db):
        row = db.execute(
            "SELECT mine.response_id, mine.audio_sha256, mine.text, mine.undoes, its.undoes AS root,"
            " EXISTS (SELECT 1 FROM correction AS given WHERE given.undoes = mine.uid) AS is_undone"
            " FROM correction AS mine LEFT JOIN correction AS its ON its.uid = mine.undoes WHERE mine.uid = ?",
            (uid,),
        ).fetchone()
        if row is None:
            return None
        if row["undoes"] is None or row["root"] is not None:
            return take_back(db, row["root"] or uid, at)
        return None if row["is_undone"] else _add(db, (row[0], row[1], row[2], uid), at)


def holding(db: sqlite3.Connection, sha256: str) -> Correction | None:
    """What holds of a sound: the newest correction that stands, None where none does."""
    found = [c for c in _corrections(db, "audio_sha256 = ?", sha256) if c.taken_back_at is None]
    return found[-1] if found else None


def corrections_of(db: sqlite3.Connection, response_id: int) -> tuple[Correction, ...]:
    """Every correction of an answer's sound, the one made last last; also those that were taken back."""
    row = db.execute(
        "SELECT sha256 FROM response JOIN audio ON audio.id = audio_id WHERE response.id = ?", (response_id,)
    ).fetchone()
    return () if row is None else tuple(_corrections(db, "audio_sha256 = ?", row[0]))


def corrected_sounds(db: sqlite3.Connection) -> list[str]:
    """The sounds of which anybody ever corrected anything."""
    return [row[0] for row in db.execute("SELECT DISTINCT audio_sha256 FROM correction ORDER BY 1")]


def sound_of(db: sqlite3.Connection, response_id: int) -> str:
    """The hash of an answer's sound; raises EngineError ``store.correction_no_sound``."""
    row = db.execute(
        "SELECT sha256 FROM response JOIN audio ON audio.id = audio_id WHERE response.id = ?", (response_id,)
    ).fetchone()
    if row is None:
        raise EngineError("store.correction_no_sound", id=response_id)
    return str(row[0])


def answers_with(db: sqlite3.Connection, sha256: str) -> dict[int, int]:
    """The current answers that have a sound, each with the row of that audio."""
    rows = db.execute(
        "SELECT response.id, audio_id FROM audio JOIN response ON response.audio_id = audio.id"
        " WHERE sha256 = ? AND current = 1 ORDER BY response.id",
        (sha256,),
    )
    return {row[0]: row[1] for row in rows}


def _corrections(db: sqlite3.Connection, where: str, value: object) -> list[Correction]:
    own = db.execute("SELECT origin FROM installation WHERE id = 1").fetchone()[0]
    rows = db.execute(
        "SELECT uid, response_id, audio_sha256, text, origin, made_at,"
        f" CASE WHEN {standing('correction')} THEN NULL ELSE (SELECT MAX(taken.made_at) FROM correction AS taken"
        "   WHERE taken.undoes = correction.uid) END AS taken_back_at"
        f" FROM correction WHERE {where} AND undoes IS NULL ORDER BY made_at, origin, origin_seq",
        (value,),
    )
    return [Correction(row[0], row[1], row[2], row[3], row[4] == own, row[5], row[6]) for row in rows]


def _add(db: sqlite3.Connection, row: tuple[int, str, str, str | None], at: datetime | None) -> str:
    uid, origin, sequence = next_origin(db)
    db.execute(
        "INSERT INTO correction (uid, origin, origin_seq, response_id, audio_sha256, text, undoes, made_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (uid, origin, sequence, *row, utc_text(at)),
    )
    return uid
