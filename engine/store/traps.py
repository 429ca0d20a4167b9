"""Clips that check whether a rater listens: the beginning of an answer and a spoken instruction, kept beside it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import uuid
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from engine.audio.read import inspect_audio
from engine.clock import utc_text
from engine.store.audio import audio_of, set_facts, take_audio
from engine.store.workspace import Workspace

#: In the place of a repeat's number: such a row is never a system's current answer, and no table or score has it.
TRAP_REPEAT = -1
FLAG = "listening_check"


def put_trap(db: sqlite3.Connection, workspace: Workspace, response_id: int, sound: Path, text: str) -> int:
    """Keep ``sound``, made of the answer ``response_id`` and saying ``text`` at its end; its row as a response."""
    audio = take_audio(db, workspace, sound, "copy")
    set_facts(db, audio, asdict(inspect_audio(sound)))
    content = hashlib.sha256(json.dumps([FLAG, text, audio]).encode()).hexdigest()
    cursor = db.execute(
        "INSERT INTO response (uid, run_id, instance_id, system_id, repeat, current, state, text, audio_id, flags,"
        " content_sha256, created_at)"
        " SELECT ?, run_id, instance_id, system_id, ?, 0, 'answered', ?, ?, ?, ?, ? FROM response WHERE id = ?",
        (str(uuid.uuid4()), TRAP_REPEAT, text, audio, json.dumps([FLAG]), content, utc_text(), response_id),
    )
    return int(cursor.lastrowid or 0)


def sounds_of_answers(db: sqlite3.Connection, workspace: Workspace, response_ids: Iterable[int]) -> dict[int, Path]:
    """The files of the answers that have a sound, by response id. Raises EngineError ``store.audio_moved``."""
    rows = db.execute(
        "SELECT id, audio_id FROM response WHERE audio_id IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(response_ids)),),
    ).fetchall()
    return {int(row[0]): audio_of(db, workspace, row[1]).path for row in rows}
