"""A person's correction of what a recogniser heard: kept, compared with the answer's text, and counted, at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from engine.metrics.located import carried_words
from engine.runs.before import rederive
from engine.runs.driver import Drive
from engine.runs.error_rates import rate_rows, rates_maker
from engine.scoring.derive import refresh
from engine.scoring.flips import COLUMNS, Flip, flips_of_rows
from engine.store.audit_row import columns_of
from engine.store.corrections import (
    PERSON,
    add_correction,
    answers_with,
    corrected_sounds,
    holding,
    sound_of,
    take_back,
    undo,
)
from engine.store.makers import maker_id
from engine.store.plans import heard_by, newest_words
from engine.store.results import TranscriptRow, drop_results, put_measurements, put_transcripts
from engine.store.transaction import transaction

Rederive = Callable[[Sequence[int]], None]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What a correction did: the row that was added (None where there was nothing to do), and what flipped."""

    uid: str | None
    flips: tuple[Flip, ...]


def correct(db: sqlite3.Connection, response_id: int, text: str, at: datetime | None = None) -> Corrected:
    """Write down what a person heard in an answer; rates and verdicts that rest on it are derived in one transaction.

    Every answer with the same sound follows. Raises what ``add_correction`` raises.
    """
    return _acted(db, response_id, lambda: add_correction(db, response_id, text, at))


def take_correction_back(db: sqlite3.Connection, response_id: int, at: datetime | None = None) -> Corrected:
    """Let an earlier correction hold again, or the recogniser where there is none."""
    holds = holding(db, sound_of(db, response_id))
    return _acted(db, response_id, lambda: None if holds is None else take_back(db, holds.uid, at))


def undo_correction(db: sqlite3.Connection, response_id: int, uid: str, at: datetime | None = None) -> Corrected:
    """Undo one thing that was done to the transcript of an answer, by the row ``uid`` that it added."""
    return _acted(db, response_id, lambda: undo(db, uid, at))


def settle_all(drive: Drive) -> None:
    """Let answers that came since have the corrections of their sound; those of other installations too."""
    for sha256 in corrected_sounds(drive.db):
        with transaction(drive.db):
            if not _is_settled(drive.db, sha256):
                settle(drive.db, sha256, lambda answers: rederive(drive, answers))


def settle(db: sqlite3.Connection, sha256: str, derive: Rederive) -> None:
    """Make the person's transcripts of a sound and what rests on them follow its corrections; in a transaction."""
    answers, holds = answers_with(db, sha256), holding(db, sha256)
    person = maker_id(db, PERSON)
    rates = maker_id(db, rates_maker(PERSON.key))
    if holds is None:
        drop_results(db, (person, rates), list(answers))
    else:
        put_transcripts(db, person, [_transcript(db, *answer, holds.text) for answer in answers.items()])
        rows = [row for heard in heard_by(db, person, list(answers)) for row in rate_rows(heard)]
        put_measurements(db, rates, rows)
    derive(list(answers))


def _acted(db: sqlite3.Connection, response_id: int, act: Callable[[], str | None]) -> Corrected:
    with transaction(db):
        sha256 = sound_of(db, response_id)
        answers = list(answers_with(db, sha256))
        before = columns_of(db, answers, COLUMNS)
        uid = act()
        if uid is None:
            return Corrected(None, ())
        settle(db, sha256, lambda found: refresh(db, found))
        return Corrected(uid, tuple(flips_of_rows(before, columns_of(db, answers, COLUMNS))))


def _transcript(db: sqlite3.Connection, response_id: int, audio_id: int, text: str) -> TranscriptRow:
    """With times carried over from the newest recogniser that gave some."""
    heard, words = newest_words(db, audio_id)
    carried = [(word.text, word.start_s, word.end_s, 1.0) for word in carried_words(heard, words, text)]
    return TranscriptRow(response_id, audio_id, "scored", text, words=carried)


def _is_settled(db: sqlite3.Connection, sha256: str) -> bool:
    holds = holding(db, sha256)
    wanted = None if holds is None else holds.text
    answers = list(answers_with(db, sha256))
    said = {heard.response_id: heard.transcript for heard in heard_by(db, maker_id(db, PERSON), answers)}
    return all(said.get(number) == wanted for number in answers)
