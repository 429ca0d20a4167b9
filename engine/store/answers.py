"""Instances to be asked, and the answers that a run got: written once each, with how they came about."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import uuid
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.clock import utc_text
from engine.errors import EngineError
from engine.store.workspace import Workspace

_SYNCS_AT_ONCE = 16  # a journal takes many together: a fifth of a millisecond a file instead of four


@dataclass(frozen=True, slots=True)
class KnownAudio:
    """One audio of an instance; ``path`` is as the store keeps it."""

    audio_id: int
    sha256: str
    path: str


@dataclass(frozen=True, slots=True)
class Question:
    """An instance as it is put before a system; ``missing`` counts audios that are named and not there.

    ``context`` are earlier turns, (role, text) each.
    """

    id: int
    benchmark: str
    subset: str
    key: str
    language: str
    category: str | None
    question: str
    context: tuple[tuple[str, str], ...]
    audios: tuple[KnownAudio, ...]
    missing: int


@dataclass(frozen=True, slots=True)
class Answered:
    """The current answer of a system to one instance in one repeat."""

    id: int
    ask_sha256: str | None
    state: str
    error: str | None


@dataclass(frozen=True, slots=True)
class NewAudio:
    """A FLAC file that a worker wrote, not synced yet."""

    path: Path
    sha256: str
    byte_count: int


@dataclass(frozen=True, slots=True)
class NewAnswer:
    """One answer to be stored; ``state`` is answered, no_answer or failed, ``error`` the code of what went wrong."""

    instance_id: int
    repeat: int
    state: str
    text: str | None
    audio: NewAudio | None
    timings: Mapping[str, float]
    flags: tuple[str, ...]
    error: str | None
    ask_sha256: str
    made_with: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Usual:
    """What an answer of a system takes, by those that there are: seconds and bytes; None without any."""

    seconds: float | None
    byte_count: float | None


def questions(
    db: sqlite3.Connection, benchmark: str | None, subsets: Sequence[str], categories: Sequence[str]
) -> list[Question]:
    """The instances of a scope in the order of their files; () and None mean all."""
    audios = _question_audios(db)
    rows = db.execute(
        "SELECT instance.id, benchmark.name, subset, key, language, category, question, context FROM instance"
        " JOIN benchmark ON benchmark.id = benchmark_id WHERE (:benchmark IS NULL OR benchmark.name = :benchmark)"
        " AND (:subsets = '[]' OR subset IN (SELECT value FROM json_each(:subsets)))"
        " AND (:categories = '[]' OR category IN (SELECT value FROM json_each(:categories)))"
        " ORDER BY benchmark.name, subset, position, instance.id",
        {
            "benchmark": benchmark,
            "subsets": json.dumps(list(subsets)),
            "categories": json.dumps(list(categories)),
        },
    )
    return [_question(row, audios.get(row[0], ())) for row in rows]


def instances_answered_by(db: sqlite3.Connection, response_ids: Iterable[int]) -> set[int]:
    """The instances that these answers belong to."""
    rows = db.execute(
        "SELECT DISTINCT instance_id FROM response WHERE id IN (SELECT value FROM json_each(?))",
        (json.dumps([int(number) for number in response_ids]),),
    )
    return {row[0] for row in rows}


def answers_of(db: sqlite3.Connection, system: str) -> dict[tuple[int, int], Answered]:
    """The current answers of a system by (instance, repeat)."""
    rows = db.execute(
        "SELECT instance_id, repeat, response.id, ask_sha256, state, error FROM response"
        " JOIN system ON system.id = system_id WHERE system.name = ? AND current = 1",
        (system,),
    )
    return {(row[0], row[1]): Answered(row[2], row[3], row[4], row[5]) for row in rows}


def usual_of(db: sqlite3.Connection, system: str) -> Usual:
    """What an answer of this system took so far, on average."""
    row = db.execute(
        "SELECT AVG(json_extract(timings, '$.generation_s')), AVG(byte_count) FROM response"
        " JOIN system ON system.id = system_id LEFT JOIN audio ON audio.id = audio_id"
        " WHERE system.name = ? AND current = 1 AND ask_sha256 IS NOT NULL AND state = 'answered'",
        (system,),
    ).fetchone()
    return Usual(row[0], row[1])


def put_answers(
    db: sqlite3.Connection,
    workspace: Workspace,
    run_id: int,
    system: int,
    answers: Sequence[NewAnswer],
    known: dict[tuple[int, int], Answered],
) -> list[int]:
    """Store answers and return their rows; inside a transaction.

    An answer that was there becomes an earlier one. The audio lies synced under its hash before a row names it.
    ``known`` is kept up to date. Raises EngineError ``store.cannot_write`` or ``store.gone``.
    """
    audio_ids = _keep(db, workspace, [answer.audio for answer in answers if answer.audio is not None])
    now, rows = utc_text(), []
    for answer in answers:
        place = (answer.instance_id, answer.repeat)
        if (before := known.get(place)) is not None:
            db.execute("UPDATE response SET current = 0 WHERE id = ?", (before.id,))
        audio = audio_ids[answer.audio.sha256] if answer.audio is not None else None
        timings, flags = json.dumps(dict(answer.timings), sort_keys=True), json.dumps(list(answer.flags))
        content = json.dumps([answer.state, answer.text, audio, timings, flags, answer.error])
        cursor = db.execute(
            "INSERT INTO response (uid, run_id, instance_id, system_id, repeat, state, text, audio_id, timings, flags,"
            " error, content_sha256, created_at, ask_sha256, made_with) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
            " ?, ?)",
            (
                str(uuid.uuid4()), run_id, answer.instance_id, system, answer.repeat, answer.state, answer.text, audio,
                timings, flags, answer.error, hashlib.sha256(content.encode()).hexdigest(), now, answer.ask_sha256,
                json.dumps(dict(answer.made_with), ensure_ascii=False, sort_keys=True, default=str),
            ),
        )  # fmt: skip
        rows.append(int(cursor.lastrowid or 0))
        known[place] = Answered(rows[-1], answer.ask_sha256, answer.state, answer.error)
    return rows


def _question_audios(db: sqlite3.Connection) -> dict[int, list[KnownAudio | None]]:
    """The audios of each question in their order; None for one that is named and not there."""
    found: dict[int, list[KnownAudio | None]] = {}
    for instance, *known in db.execute(
        "SELECT instance_id, audio.id, sha256, path FROM instance_audio LEFT JOIN audio ON audio.id = audio_id"
        " ORDER BY instance_id, part"
    ):
        found.setdefault(instance, []).append(None if known[0] is None else KnownAudio(*known))
    return found


def _question(row: sqlite3.Row, audios: Sequence[KnownAudio | None]) -> Question:
    known = tuple(audio for audio in audios if audio is not None)
    turns = tuple((turn["role"], turn["text"]) for turn in json.loads(row[7] or "[]"))
    missing = len(audios) - len(known)
    return Question(row[0], row[1], row[2], row[3], row[4], row[5], row[6], turns, known, missing)


def _keep(db: sqlite3.Connection, workspace: Workspace, audios: Sequence[NewAudio]) -> dict[str, int]:
    """The rows of these files by hash, each in its place; equal bytes are kept once."""
    found: dict[str, int] = {}
    wanted = {audio.sha256: audio for audio in audios}
    for row in db.execute(
        "SELECT sha256, id, path, kept FROM audio WHERE sha256 IN (SELECT value FROM json_each(?))",
        (json.dumps(list(wanted)),),
    ):
        if row[3] != "reference" and (workspace.audio / row[2]).exists():
            found[row[0]] = row[1]
    new = [audio for sha256, audio in wanted.items() if sha256 not in found]
    if not workspace.audio.is_dir():
        raise EngineError("store.gone", path=str(workspace.folder))
    try:
        _sync([audio.path for audio in new])
        for audio in new:
            stored = f"{audio.sha256[:2]}/{audio.sha256[2:4]}/{audio.sha256}.flac"
            (workspace.audio / stored).parent.mkdir(parents=True, exist_ok=True)
            os.replace(audio.path, workspace.audio / stored)
            cursor = db.execute(
                "INSERT INTO audio (sha256, byte_count, kept, path) VALUES (?, ?, 'copy', ?)"
                " ON CONFLICT (sha256) DO UPDATE SET path = excluded.path, kept = 'copy', modified_ns = NULL"
                " RETURNING id",
                (audio.sha256, audio.byte_count, stored),
            )
            found[audio.sha256] = int(cursor.fetchone()[0])
    except OSError as error:
        raise EngineError("store.cannot_write", path=str(workspace.audio), why=error.strerror or str(error)) from error
    return found


def _sync(paths: Sequence[Path]) -> None:
    def sync(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY if os.name == "posix" else os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    if paths:
        with ThreadPoolExecutor(min(_SYNCS_AT_ONCE, len(paths)), "sync") as pool:
            list(pool.map(sync, paths))
