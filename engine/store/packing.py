"""What a pack carries out of a store: plain values with natural keys in place of row numbers, all JSON as its text."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from engine.errors import EngineError

Row = dict[str, Any]
CHUNK = 200

INSTANCE = ("subset", "key", "position", "question", "reference", "category", "language", "context", "labels",
            "record_sha256")  # fmt: skip
SYSTEM = ("name", "kind", "declaration", "created_at")
RUN = ("uid", "kind", "settings", "state", "planned", "done", "failed", "message", "started_at", "ended_at")
MAKER = ("key", "kind", "name", "code_version", "settings", "weights_sha256", "rubric_sha256", "libraries",
         "created_at")  # fmt: skip
FLOOR = ("language", "metric", "errors", "reference_length", "clip_count", "source", "measured_at")
ANSWER = ("uid", "repeat", "state", "text", "audio_fault", "timings", "flags", "error", "ask_sha256", "made_with",
          "created_at")  # fmt: skip
RESULTS = {
    "transcript": ("state", "text", "language", "words", "seconds", "flags", "error", "created_at"),
    "measurement": ("metric", "state", "value", "errors", "reference_length", "detail", "created_at"),
    "judgement": ("judge", "repeat", "state", "verdict", "score", "reason", "raw_reply", "flags", "error", "tokens_in",
                  "tokens_out", "cost", "seconds", "created_at"),
}  # fmt: skip
MADE = ("uid", "origin", "origin_seq", "made_at")  # what every row that a person makes carries
PEOPLE = {
    "tag": (*MADE, "name", "start_s", "end_s", "undoes"),
    "note": (*MADE, "text", "start_s", "end_s", "undoes"),
    "correction": (*MADE, "audio_sha256", "text", "undoes"),
}
CHOICE = (*MADE, "maker_key", "counts")
PLAYLIST = (*MADE, "name")


def origin_of(db: sqlite3.Connection) -> str:
    """The name of this installation, as people's rows carry it."""
    return str(db.execute("SELECT origin FROM installation WHERE id = 1").fetchone()[0])


def answers_of_run(db: sqlite3.Connection, named: str) -> list[int]:
    """The answers that a run brought; of one that only measured or judged, those that it wrote results of.

    Args:
        named: the run's number or its uid.

    Raises EngineError ``runs.no_such_run``.
    """
    row = db.execute("SELECT * FROM run WHERE uid = ? OR CAST(id AS TEXT) = ?", (named, named)).fetchone()
    if row is None:
        raise EngineError("runs.no_such_run", run=named)
    own = [found[0] for found in db.execute("SELECT id FROM response WHERE run_id = ? ORDER BY id", (row["id"],))]
    if own:
        return own
    written = " UNION ".join(
        f"SELECT response_id FROM {table} WHERE created_at BETWEEN :since AND ifnull(:until, '9')" for table in RESULTS
    )
    values = {"since": row["started_at"], "until": row["ended_at"]}
    return [found[0] for found in db.execute(f"{written} ORDER BY 1", values)]


def answers_by(db: sqlite3.Connection, system: str | None) -> list[int]:
    """All answers of a system, those that were answered again too; None takes all systems.

    Raises EngineError ``bring.no_such_system``.
    """
    if system is not None and db.execute("SELECT 1 FROM system WHERE name = ?", (system,)).fetchone() is None:
        raise EngineError("bring.no_such_system", system=system)
    rows = db.execute(
        "SELECT response.id FROM response JOIN system ON system.id = system_id WHERE ? IS NULL OR name = ?"
        " ORDER BY response.created_at, response.id",
        (system, system),
    )
    return [row[0] for row in rows]


def instances_for(db: sqlite3.Connection, ids: Sequence[int] | None) -> Iterator[Row]:
    """The instances that answers are to, or all of them; each with the names and hashes of its audios."""
    rows = db.execute(
        f"SELECT instance.id AS row, benchmark.name AS benchmark, {columns_of('instance', INSTANCE)} FROM instance"
        " JOIN benchmark ON benchmark.id = benchmark_id WHERE :ids IS NULL OR instance.id IN"
        " (SELECT instance_id FROM response WHERE id IN (SELECT value FROM json_each(:ids))) ORDER BY instance.id",
        {"ids": None if ids is None else json.dumps(ids)},
    )
    for row in rows:
        audio = db.execute(
            "SELECT part, name, sha256 FROM instance_audio LEFT JOIN audio ON audio.id = audio_id"
            " WHERE instance_id = ? ORDER BY part",
            (row["row"],),
        )
        yield {"benchmark": row["benchmark"], **values_of(row, INSTANCE), "audio": [dict(entry) for entry in audio]}


def systems_for(db: sqlite3.Connection, ids: Sequence[int] | None) -> Iterator[Row]:
    """The systems that gave answers, or all."""
    yield from _named(db, "system", SYSTEM, "system_id", ids)


def runs_for(db: sqlite3.Connection, ids: Sequence[int]) -> Iterator[Row]:
    """The runs that brought answers, each with the installation that made it."""
    own = origin_of(db)
    for row in _named(db, "run", RUN, "run_id", ids):
        origin = db.execute("SELECT origin FROM run_origin WHERE run_uid = ?", (row["uid"],)).fetchone()
        yield {**row, "origin": own if origin is None else origin[0]}


def makers_for(db: sqlite3.Connection, ids: Sequence[int]) -> Iterator[Row]:
    """The makers of what is known of answers, with their measured floors."""
    made = " UNION ".join(
        f"SELECT maker_id FROM {table} WHERE response_id IN (SELECT value FROM json_each(:ids))" for table in RESULTS
    )
    rows = db.execute(
        f"SELECT id, {', '.join(MAKER)} FROM maker WHERE id IN ({made}) ORDER BY id", {"ids": json.dumps(ids)}
    )
    for row in rows.fetchall():
        floors = db.execute(f"SELECT {', '.join(FLOOR)} FROM maker_floor WHERE maker_id = ?", (row["id"],))
        yield {**values_of(row, MAKER), "floors": [dict(floor) for floor in floors]}


def audio_for(db: sqlite3.Connection, ids: Sequence[int], with_questions: bool) -> list[sqlite3.Row]:
    """id, sha256, byte_count and facts of the audio of answers, and of what was asked where that is wanted."""
    wanted = "SELECT audio_id FROM response WHERE id IN (SELECT value FROM json_each(:ids))"
    if with_questions:
        wanted += (
            " UNION SELECT audio_id FROM instance_audio WHERE instance_id IN (SELECT instance_id FROM response"
            " WHERE id IN (SELECT value FROM json_each(:ids)))"
        )
    return db.execute(
        f"SELECT id, sha256, byte_count, facts FROM audio WHERE id IN ({wanted}) ORDER BY sha256",
        {"ids": json.dumps(ids)},
    ).fetchall()


def answers_for(db: sqlite3.Connection, ids: Sequence[int], without: Collection[str]) -> Iterator[Row]:
    """Answers with all that is known and was said of them, the oldest first; results of makers ``without`` left out."""
    for start in range(0, len(ids), CHUNK):
        wanted = json.dumps(ids[start : start + CHUNK])
        told = {table: _results(db, table, wanted, without) for table in RESULTS}
        told |= {table: _by_answer(db, table, PEOPLE[table], wanted) for table in PEOPLE}
        rows = db.execute(
            f"SELECT response.id AS row, {columns_of('response', ANSWER)}, run.uid AS run, benchmark.name AS benchmark,"
            " subset, key, system.name AS system, sha256 AS audio FROM response JOIN run ON run.id = run_id"
            " JOIN instance ON instance.id = instance_id JOIN benchmark ON benchmark.id = benchmark_id"
            " JOIN system ON system.id = system_id LEFT JOIN audio ON audio.id = audio_id"
            " WHERE response.id IN (SELECT value FROM json_each(?)) ORDER BY response.created_at, response.id",
            (wanted,),
        )
        for row in rows:
            place = {name: row[name] for name in ("run", "benchmark", "subset", "key", "system", "audio")}
            yield values_of(row, ANSWER) | place | {table: found.get(row["row"], []) for table, found in told.items()}


def choices_for(db: sqlite3.Connection, makers: Collection[str]) -> Iterator[Row]:
    """Whose results people let count, as far as it is about ``makers``."""
    rows = db.execute(f"SELECT {', '.join(CHOICE)} FROM maker_choice ORDER BY origin, origin_seq").fetchall()
    yield from (dict(row) for row in rows if row["maker_key"] in makers)


def playlists_for(db: sqlite3.Connection, ids: Collection[int]) -> Iterator[Row]:
    """The playlists of which every entry is among ``ids``, with their entries in order."""
    packed = set(ids)
    for row in db.execute(f"SELECT id, {', '.join(PLAYLIST)} FROM playlist ORDER BY id").fetchall():
        entries = db.execute(
            "SELECT response_id, uid AS response, start_s, end_s FROM playlist_entry"
            " JOIN response ON response.id = response_id WHERE playlist_id = ? ORDER BY position",
            (row["id"],),
        ).fetchall()
        if all(entry["response_id"] in packed for entry in entries):
            yield {**values_of(row, PLAYLIST), "entries": [[e["response"], e["start_s"], e["end_s"]] for e in entries]}


def steps_of(db: sqlite3.Connection) -> list[str]:
    """The migration steps that the store has had, as ``set/step``."""
    rows = db.execute("SELECT migration_set || '/' || name FROM _sqlite_migrations ORDER BY 1")
    return [row[0] for row in rows]


def _results(db: sqlite3.Connection, table: str, wanted: str, without: Collection[str]) -> dict[int, list[Row]]:
    rows = db.execute(
        f"SELECT response_id, maker.key AS maker, {columns_of(table, RESULTS[table])} FROM {table}"
        f" JOIN maker ON maker.id = maker_id WHERE response_id IN (SELECT value FROM json_each(?)) ORDER BY {table}.id",
        (wanted,),
    )
    found: dict[int, list[Row]] = {}
    for row in rows:
        if row["maker"] not in without:
            found.setdefault(row["response_id"], []).append({"maker": row["maker"], **values_of(row, RESULTS[table])})
    return found


def _by_answer(db: sqlite3.Connection, table: str, columns: Sequence[str], wanted: str) -> dict[int, list[Row]]:
    rows = db.execute(
        f"SELECT response_id, {', '.join(columns)} FROM {table}"
        " WHERE response_id IN (SELECT value FROM json_each(?)) ORDER BY id",
        (wanted,),
    )
    found: dict[int, list[Row]] = {}
    for row in rows:
        found.setdefault(row["response_id"], []).append(values_of(row, columns))
    return found


def _named(db: sqlite3.Connection, table: str, columns: Sequence[str], by: str, ids: Sequence[int] | None) -> list[Row]:
    rows = db.execute(
        f"SELECT {', '.join(columns)} FROM {table} WHERE :ids IS NULL OR id IN"
        f" (SELECT {by} FROM response WHERE id IN (SELECT value FROM json_each(:ids))) ORDER BY id",
        {"ids": None if ids is None else json.dumps(ids)},
    )
    return [dict(row) for row in rows]


def columns_of(table: str, columns: Sequence[str]) -> str:
    """Columns of a table for a SELECT, under their own names."""
    return ", ".join(f"{table}.{column} AS {column}" for column in columns)


def values_of(row: sqlite3.Row, columns: Sequence[str]) -> Row:
    """Some columns of a row."""
    return {column: row[column] for column in columns}
