"""Systems and what they answered; an answer that is there already is not stored again, an older one is kept."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.clock import utc_text


@dataclass(frozen=True, slots=True)
class NewResponse:
    """One answer to be stored; ``state`` is answered, no_answer or failed, ``file`` how its audio was called."""

    instance_id: int
    state: str
    text: str | None
    audio_id: int | None
    timings: Mapping[str, float]
    flags: tuple[str, ...] = ()
    error: str | None = None
    repeat: int = 0
    file: str = ""


def system_id(db: sqlite3.Connection, name: str, kind: str, declaration: Mapping[str, Any] | None = None) -> int:
    """The row of a system, added or its declaration brought up to date."""
    told = json.dumps(declaration or {}, ensure_ascii=False, sort_keys=True)
    db.execute(
        "INSERT INTO system (name, kind, declaration, created_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET declaration = excluded.declaration WHERE excluded.declaration <> '{}'",
        (name, kind, told, utc_text()),
    )
    return int(db.execute("SELECT id FROM system WHERE name = ?", (name,)).fetchone()[0])


def instance_ids(db: sqlite3.Connection, benchmark: str) -> dict[tuple[str, str], int]:
    """Row ids of a benchmark's instances by (subset, Qid)."""
    rows = db.execute(
        "SELECT subset, key, instance.id FROM instance JOIN benchmark ON benchmark.id = benchmark_id WHERE name = ?",
        (benchmark,),
    )
    return {(row[0], row[1]): row[2] for row in rows}


def current_ids(db: sqlite3.Connection, benchmark: str) -> dict[tuple[str, str, str], int]:
    """Row ids of the current first answers by (system, subset, Qid)."""
    rows = db.execute(
        "SELECT system.name, subset, key, response.id FROM response JOIN system ON system.id = system_id"
        " JOIN instance ON instance.id = instance_id JOIN benchmark ON benchmark.id = benchmark_id"
        " WHERE current = 1 AND repeat = 0 AND benchmark.name = ?",
        (benchmark,),
    )
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def answers_to(db: sqlite3.Connection, instances: Iterable[int]) -> list[int]:
    """Current answers to the instances, of every system."""
    rows = db.execute(
        "SELECT id FROM response WHERE current = 1 AND instance_id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(instances)),),
    )
    return [row[0] for row in rows]


def known_responses(db: sqlite3.Connection, system: str) -> dict[tuple[int, int], tuple[int, str]]:
    """The current answers of the system of that name: (instance, repeat) -> (row, hash of the content)."""
    rows = db.execute(
        "SELECT instance_id, repeat, id, content_sha256 FROM response"
        " WHERE system_id = (SELECT id FROM system WHERE name = ?) AND current = 1",
        (system,),
    )
    return {(row[0], row[1]): (row[2], row[3]) for row in rows}


def add_responses(
    db: sqlite3.Connection,
    run_id: int,
    system: int,
    responses: Iterable[NewResponse],
    known: dict[tuple[int, int], tuple[int, str]],
) -> tuple[list[int], int]:
    """Store answers; returns the ids of the new rows and how many were there already with the same content.

    A different answer to an instance that was answered before becomes the current one; the earlier row stays.
    ``known`` is what ``known_responses`` gave; it is kept up to date.
    """
    added: list[int] = []
    same = 0
    for response in responses:
        content = _content_hash(response)
        place = (response.instance_id, response.repeat)
        before = known.get(place)
        if before is not None and before[1] == content:
            same += 1
            continue
        if before is not None:
            db.execute("UPDATE response SET current = 0 WHERE id = ?", (before[0],))
        added.append(_insert(db, run_id, system, response, content))
        known[place] = (added[-1], content)
    return added, same


def _content_hash(response: NewResponse) -> str:
    told = [
        response.state,
        response.text,
        response.audio_id,
        dict(response.timings),
        list(response.flags),
        response.error,
    ]
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _insert(db: sqlite3.Connection, run_id: int, system: int, response: NewResponse, content: str) -> int:
    cursor = db.execute(
        "INSERT INTO response (uid, run_id, instance_id, system_id, repeat, state, text, audio_id,"
        " timings, flags, error,"
        " content_sha256, created_at, made_with) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            str(uuid.uuid4()),
            run_id,
            response.instance_id,
            system,
            response.repeat,
            response.state,
            response.text,
            response.audio_id,
            json.dumps(dict(response.timings), sort_keys=True),
            json.dumps(list(response.flags)),
            response.error,
            content,
            utc_text(),
            json.dumps({"file": response.file}, ensure_ascii=False) if response.file else None,
        ),
    )
    return int(cursor.lastrowid or 0)
