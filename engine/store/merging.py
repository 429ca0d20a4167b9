"""Takes in what ``packing`` carries out: each row once, in any order; what is there and says otherwise stays.

Every function runs inside a transaction of the caller's and does nothing to a row that is there already.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.clock import utc_text
from engine.store.audio import take_audio
from engine.store.packing import (
    CHOICE,
    FLOOR,
    INSTANCE,
    MAKER,
    PEOPLE,
    PLAYLIST,
    RUN,
    SYSTEM,
    Row,
    origin_of,
)
from engine.store.rating_tables import PEOPLES_ROWS
from engine.store.workspace import Workspace

_JSON = {"context", "labels", "declaration", "settings", "libraries", "timings", "flags", "made_with", "words",
         "detail", "audio_fault"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two rows with one identity that say different things; the one that was here stays."""

    table: str
    name: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A row that was not taken in, and why.

    ``unknown``: what it is about is not here. ``other_rater``: it is about another one's. ``unreadable``: it says what
    cannot be.
    """

    table: str
    uid: str
    why: str


@dataclass(slots=True)
class Taken:
    """What was new, by table; what conflicted; how many answers were left out, for they are to another question.

    ``refused`` are rows of people that could not be taken in; they came with results, not with a pack.
    """

    added: Counter[str] = field(default_factory=Counter)
    conflicts: dict[Conflict, None] = field(default_factory=dict)  # in the order in which they were found
    left_out: int = 0
    refused: list[Refused] = field(default_factory=list)

    def clash(self, table: str, name: str) -> None:
        """Keep a conflict to be told, once."""
        self.conflicts[Conflict(table, name)] = None


def put_audio(db: sqlite3.Connection, workspace: Workspace, file: Path, facts: str | None, taken: Taken) -> None:
    """Keep a file whose bytes were checked, with what reading it found; the file itself may go afterwards."""
    number = take_audio(db, workspace, file, "link")
    db.execute("UPDATE audio SET kept = 'copy' WHERE id = ? AND kept = 'link'", (number,))  # nobody else has the file
    db.execute("UPDATE audio SET facts = ? WHERE id = ? AND facts IS NULL", (_checked("facts", facts), number))
    taken.added["audio"] += 1


def has_audio(db: sqlite3.Connection, workspace: Workspace, sha256: str) -> bool:
    """Whether the workspace keeps a sound with these bytes, and its file is there."""
    row = db.execute("SELECT path FROM audio WHERE sha256 = ?", (sha256,)).fetchone()
    return row is not None and (workspace.audio / row[0]).exists()


def put_instances(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> None:
    """Benchmarks and their instances; audio that is named and not here is stored as missing."""
    for row in rows:
        db.execute(
            "INSERT INTO benchmark (name, folder, imported_at) VALUES (?, NULL, ?) ON CONFLICT DO NOTHING",
            (row["benchmark"], utc_text()),
        )
        bench = db.execute("SELECT id FROM benchmark WHERE name = ?", (row["benchmark"],)).fetchone()[0]
        known = db.execute(
            "SELECT id, record_sha256 FROM instance WHERE benchmark_id = ? AND subset = ? AND key = ?",
            (bench, row["subset"], row["key"]),
        ).fetchone()
        if known is None:
            number = insert_row(db, "instance", {"benchmark_id": bench, **values_of(row, INSTANCE)})
            taken.added["instance"] += 1
        elif known["record_sha256"] != row["record_sha256"]:
            taken.clash("instance", f"{row['subset']}/{row['key']}")
            continue
        else:
            number = known["id"]
        for audio in row["audio"]:
            _put_part(db, number, f"{row['subset']}/{row['key']}", audio, taken)


def put_systems(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> None:
    """Systems by name; one that is declared otherwise here keeps its own declaration."""
    for row in rows:
        known = db.execute("SELECT * FROM system WHERE name = ?", (row["name"],)).fetchone()
        if known is None:
            insert_row(db, "system", values_of(row, SYSTEM))
            taken.added["system"] += 1
            continue
        db.execute(
            "UPDATE system SET created_at = min(created_at, :created_at),"
            " declaration = CASE declaration WHEN '{}' THEN :declaration ELSE declaration END WHERE name = :name",
            values_of(row, SYSTEM),
        )
        told = [_declared(text) for text in (known["declaration"], row["declaration"])]
        if known["kind"] != row["kind"] or ({} not in told and told[0] != told[1]):
            taken.clash("system", row["name"])


def put_runs(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> None:
    """Runs by uid; one that was packed while it ran is brought up to date by a later pack of it."""
    own = origin_of(db)
    for row in rows:
        values = values_of(row, RUN)
        if values["state"] == "running":
            values["state"] = "stopped"  # its process is on another machine: nothing here may close or stop it
        known = db.execute("SELECT ended_at, kind FROM run WHERE uid = ?", (row["uid"],)).fetchone()
        if known is None:
            insert_row(db, "run", values)
            taken.added["run"] += 1
        elif known["kind"] != row["kind"]:
            taken.clash("run", row["uid"])
            continue
        elif row["origin"] != own and (row["ended_at"] or "") > (known["ended_at"] or ""):
            told = ", ".join(f"{column} = :{column}" for column in RUN if column != "uid")
            db.execute(f"UPDATE run SET {told} WHERE uid = :uid", values)
        if row["origin"] != own:
            db.execute("INSERT INTO run_origin VALUES (?, ?) ON CONFLICT DO NOTHING", (row["uid"], row["origin"]))


def put_makers(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> list[str]:
    """Makers by key, first seen at the earlier time, and their floors, of which the one measured last holds.

    Returns the keys of those that were here and whose floors changed: verdicts rest on them.
    """
    changed = []
    for row in rows:
        values = values_of(row, MAKER)
        known = db.execute("SELECT id FROM maker WHERE key = ?", (row["key"],)).fetchone()
        if known is None:
            number = insert_row(db, "maker", values)
            taken.added["maker"] += 1
        else:
            number = known["id"]
            db.execute(
                "UPDATE maker SET created_at = :created_at, libraries = :libraries"
                " WHERE key = :key AND created_at > :created_at",
                values,
            )
        columns = ", ".join(f"{column} = excluded.{column}" for column in FLOOR[2:])
        before = db.total_changes
        for floor in row["floors"]:
            db.execute(
                f"INSERT INTO maker_floor (maker_id, {', '.join(FLOOR)})"
                f" VALUES (:maker, {', '.join(f':{column}' for column in FLOOR)}) ON CONFLICT DO UPDATE SET {columns}"
                " WHERE excluded.measured_at > maker_floor.measured_at",
                {"maker": number, **values_of(floor, FLOOR)},
            )
        if known is not None and db.total_changes > before:
            changed.append(row["key"])
    return changed


def put_choices(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken) -> list[str]:
    """Whose results people let count; returns the makers of whom something new was said."""
    return [row["maker_key"] for row in rows if put_said(db, "maker_choice", CHOICE, row, {}, taken)]


def put_playlists(db: sqlite3.Connection, rows: Iterable[Row], taken: Taken, answers: Mapping[str, int]) -> None:
    """Playlists by uid; one to which entries were added since gets them, one that was changed otherwise stays.

    Args:
        answers: the rows of answers by the uid that the pack knows them by.
    """
    for row in rows:
        entries = [(answers[uid], start, end) for uid, start, end in row["entries"] if uid in answers]
        known = db.execute("SELECT id FROM playlist WHERE uid = ?", (row["uid"],)).fetchone()
        if known is None and not put_said(db, "playlist", PLAYLIST, row, {}, taken):
            continue
        if known is not None and len(entries) < len(row["entries"]):
            continue  # some of its answers were left out, and that is told
        number = db.execute("SELECT id, name FROM playlist WHERE uid = ?", (row["uid"],)).fetchone()
        here = [
            tuple(entry)
            for entry in db.execute(
                "SELECT response_id, start_s, end_s FROM playlist_entry WHERE playlist_id = ? ORDER BY position",
                (number["id"],),
            )
        ]
        shorter = min(len(here), len(entries))
        if here[:shorter] != entries[:shorter] or number["name"] != row["name"]:
            taken.clash("playlist", row["name"])
            continue
        db.executemany(
            "INSERT INTO playlist_entry (playlist_id, position, response_id, start_s, end_s) VALUES (?, ?, ?, ?, ?)",
            [(number["id"], place, *entry) for place, entry in enumerate(entries) if place >= len(here)],
        )


def count_on(db: sqlite3.Connection) -> None:
    """Let this installation's next number be higher than all that it ever gave: rows may come home to an older copy."""
    tables = (*PEOPLE, "maker_choice", "playlist", *PEOPLES_ROWS)
    highest = " UNION ALL ".join(f"SELECT MAX(origin_seq) AS last FROM {table} WHERE origin = :own" for table in tables)
    db.execute(
        f"UPDATE installation SET next_seq = max(next_seq, ifnull((SELECT MAX(last) FROM ({highest})), 0) + 1)",
        {"own": origin_of(db)},
    )


def put_said(
    db: sqlite3.Connection, table: str, columns: Sequence[str], row: Row, more: Mapping[str, Any], taken: Taken
) -> bool:
    """A row that a person made, with the origin and the number it has; whether it is new."""
    known = db.execute(f"SELECT * FROM {table} WHERE uid = ?", (row["uid"],)).fetchone()
    if known is None:
        known = db.execute(
            f"SELECT * FROM {table} WHERE origin = ? AND origin_seq = ?", (row["origin"], row["origin_seq"])
        ).fetchone()
    if known is None:
        insert_row(db, table, {**values_of(row, columns), **more})
        taken.added[table] += 1
        return True
    if any(known[column] != row[column] for column in columns):
        taken.clash(table, row["uid"])
    return False


def audio_row(db: sqlite3.Connection, sha256: str) -> int | None:
    """The row of a sound by the hash of its bytes."""
    row = db.execute("SELECT id FROM audio WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else int(row[0])


def values_of(row: Row, columns: Sequence[str]) -> Row:
    """What goes into ``columns``. Raises ValueError for JSON that is none."""
    return {column: _checked(column, row[column]) for column in columns}


def insert_row(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """A new row of ``table``; returns its number."""
    places = ", ".join(f":{column}" for column in values)
    cursor = db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", values)
    return int(cursor.lastrowid or 0)


def _put_part(db: sqlite3.Connection, instance: int, place: str, audio: Row, taken: Taken) -> None:
    known = db.execute(
        "SELECT audio_id, sha256 FROM instance_audio LEFT JOIN audio ON audio.id = audio_id"
        " WHERE instance_id = ? AND part = ?",
        (instance, audio["part"]),
    ).fetchone()
    here = None if audio["sha256"] is None else audio_row(db, audio["sha256"])
    if known is None:
        db.execute("INSERT INTO instance_audio VALUES (?, ?, ?, ?)", (instance, audio["part"], audio["name"], here))
    elif known["audio_id"] is None and here is not None:
        db.execute(
            "UPDATE instance_audio SET audio_id = ? WHERE instance_id = ? AND part = ?",
            (here, instance, audio["part"]),
        )
    elif known["sha256"] and audio["sha256"] and known["sha256"] != audio["sha256"]:
        taken.clash("instance_audio", place)


def _declared(text: str) -> dict[str, Any]:
    told = json.loads(text)
    told.pop("file", None)  # where the declaration lies on the machine that read it
    return dict(told)


def _checked(column: str, value: Any) -> Any:
    if (column in _JSON or column == "facts") and value is not None:
        json.loads(value)  # what reads the store trusts that these are JSON
    return value
