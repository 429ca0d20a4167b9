"""Takes in answers with what is known and was said of them; the rest of a pack is ``merging``'s, to the same rules."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable

from engine.store.merging import Conflict, Taken, audio_row, insert_row, put_said, values_of
from engine.store.packing import ANSWER, PEOPLE, RESULTS, Row

_IDENTITY = {"transcript": (), "measurement": ("metric",), "judgement": ("judge", "repeat")}
_NOT_TOLD = {
    "created_at",
    "seconds",
    "tokens_in",
    "tokens_out",
    "cost",
}  # of a result: how it was got, not what it says
_SAYS = ("state", "text", "timings", "flags", "error")  # of an answer, with its audio
_AT = "system_id = ? AND instance_id = ? AND repeat = ?"


def put_answers(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> tuple[dict[str, int], list[str]]:
    """Answers with what is known and was said of them.

    Returns their rows by the uid that the pack knows them by, and those of their sounds that were corrected.
    """
    touched: dict[str, int] = {}
    corrected: set[str] = set()
    for row in rows:
        number = _put_answer(db, row, taken)
        if number is None:
            continue
        for table in RESULTS:
            if sum([_put_result(db, table, number, result, row["audio"], taken) for result in row[table]]):
                _in_order(db, table, number)
        for table in PEOPLE:
            for said in row[table]:
                put_said(db, table, PEOPLE[table], said, {"response_id": number}, taken)
        corrected |= {said["audio_sha256"] for said in row["correction"]}
        if row["audio"] is not None and _is_corrected(db, row["audio"]):
            corrected.add(row["audio"])
        touched[row["uid"]] = number
    return touched, sorted(corrected)


def _put_answer(db: sqlite3.Connection, row: Row, taken: Taken) -> int | None:
    """The row of an answer, new or the same as one that is here; None where it says otherwise than this store."""
    place = (row["benchmark"], row["subset"], row["key"])
    instance = db.execute(
        "SELECT instance.id FROM instance JOIN benchmark ON benchmark.id = benchmark_id"
        " WHERE name = ? AND subset = ? AND key = ?",
        place,
    ).fetchone()[0]
    if Conflict("instance", "/".join(place[1:])) in taken.conflicts:
        taken.left_out += 1  # it answers a question that reads otherwise here
        return None
    system = db.execute("SELECT id FROM system WHERE name = ?", (row["system"],)).fetchone()[0]
    at = (system, instance, row["repeat"])
    audio = None if row["audio"] is None else db.execute(
        "SELECT id FROM audio WHERE sha256 = ?", (row["audio"],)).fetchone()[0]  # fmt: skip
    says = [row[column] for column in _SAYS]
    known = db.execute("SELECT * FROM response WHERE uid = ?", (row["uid"],)).fetchone()
    if known is not None:
        there = (known["system_id"], known["instance_id"], known["repeat"], known["audio_id"])
        if there != (*at, audio) or says != [known[column] for column in _SAYS]:
            taken.clash("response", row["uid"])
            return None
        return int(known["id"])
    current = db.execute(f"SELECT * FROM response WHERE {_AT} AND current = 1", at).fetchone()
    if current is not None and current["audio_id"] == audio and says == [current[column] for column in _SAYS]:
        return int(current["id"])  # the same recorded answer was taken in on both sides
    taken.added["response"] += 1
    return _added_answer(db, row, at, audio)


def _added_answer(db: sqlite3.Connection, row: Row, at: tuple[int, int, int], audio: int | None) -> int:
    """A new answer of (system, instance, repeat); of all that are there, the newest is the current one."""
    system, instance, repeat = at
    run = db.execute("SELECT id FROM run WHERE uid = ?", (row["run"],)).fetchone()[0]
    content = [row["state"], row["text"], audio, json.loads(row["timings"]), json.loads(row["flags"]), row["error"]]
    told = {
        "run_id": run, "instance_id": instance, "system_id": system, "audio_id": audio, "current": 0,
        "content_sha256": hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest(),
    }  # fmt: skip
    number = insert_row(db, "response", {**values_of(row, ANSWER), **told})
    if repeat < 0:
        return number  # a clip that checks raters: never an answer
    db.execute(f"UPDATE response SET current = 0 WHERE {_AT}", at)
    newest = f"SELECT id FROM response WHERE {_AT} ORDER BY created_at DESC, uid DESC LIMIT 1"
    db.execute(f"UPDATE response SET current = 1 WHERE id = ({newest})", at)
    return number


def _put_result(db: sqlite3.Connection, table: str, answer: int, row: Row, sha256: str | None, taken: Taken) -> bool:
    maker = db.execute("SELECT id FROM maker WHERE key = ?", (row["maker"],)).fetchone()[0]
    identity = {"response_id": answer, "maker_id": maker} | {name: row[name] for name in _IDENTITY[table]}
    where = " AND ".join(f"{name} = :{name}" for name in identity)
    known = db.execute(f"SELECT * FROM {table} WHERE {where}", identity).fetchone()
    values = values_of(row, RESULTS[table]) | identity
    if table == "transcript":
        values["audio_id"] = None if sha256 is None else audio_row(db, sha256)
    if known is None:
        insert_row(db, table, values)
        taken.added[table] += 1
        return True
    told = [column for column in RESULTS[table] if column not in _NOT_TOLD]
    if all(known[column] == values[column] for column in told):
        return False
    if known["state"] != "scored" and row["state"] == "scored":  # there a result, here a failure of the same maker
        db.execute(f"DELETE FROM {table} WHERE id = ?", (known["id"],))
        insert_row(db, table, values)
        taken.added[table] += 1
        return True
    if not (known["state"] == "scored" and row["state"] != "scored"):
        uid = db.execute("SELECT uid FROM response WHERE id = ?", (answer,)).fetchone()[0]
        taken.clash(table, f"{uid} {row['maker'][:8]}")
    return False


def _in_order(db: sqlite3.Connection, table: str, answer: int) -> None:
    """Number an answer's results as they were made, for the newest counts whichever store was merged first."""
    rows = db.execute(
        f"SELECT {table}.id FROM {table} JOIN maker ON maker.id = maker_id WHERE response_id = ?"
        f" ORDER BY {table}.created_at, maker.key, {table}.id",
        (answer,),
    ).fetchall()
    ids = [row[0] for row in rows]
    if ids == sorted(ids):
        return
    first = db.execute(f"SELECT MAX(id) FROM {table}").fetchone()[0] + 1
    db.executemany(f"UPDATE {table} SET id = ? WHERE id = ?", [(first + place, row) for place, row in enumerate(ids)])


def _is_corrected(db: sqlite3.Connection, sha256: str) -> bool:
    return db.execute("SELECT 1 FROM correction WHERE audio_sha256 = ? LIMIT 1", (sha256,)).fetchone() is not None
