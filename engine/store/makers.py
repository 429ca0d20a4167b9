"""Makers: where a number comes from, as one small row with a unique key."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from engine.clock import utc_text

_LONGEST_SETTING = 24  # characters of a setting in a name


@dataclass(frozen=True, slots=True)
class Maker:
    """What made a result. Two results compare when their makers' keys are equal.

    ``code_version`` is raised by the room whose code decides the value, not with each release of the program.
    ``libraries`` are told with the result but are not part of the key.
    """

    kind: str
    name: str
    code_version: str = "1"
    settings: Mapping[str, Any] = field(default_factory=dict)
    weights_sha256: str | None = None
    rubric_sha256: str | None = None
    libraries: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """SHA-256 over everything that tells this maker from another."""
        told = [self.kind, self.name, self.code_version, self.settings, self.weights_sha256, self.rubric_sha256]
        return hashlib.sha256(_json(told).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Floor:
    """What a recogniser gets wrong on speech whose words are known: errors over reference length, in one language."""

    language: str
    metric: str
    errors: int
    reference_length: int
    clip_count: int
    source: str

    @property
    def rate(self) -> float:
        """Errors over reference length; lower is better."""
        return self.errors / self.reference_length


def maker_id(db: sqlite3.Connection, maker: Maker) -> int:
    """The row of ``maker``, added if it is new; call it inside a transaction."""
    db.execute(
        "INSERT INTO maker (key, kind, name, code_version, settings, weights_sha256, rubric_sha256,"
        " libraries, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO NOTHING",
        (
            maker.key,
            maker.kind,
            maker.name,
            maker.code_version,
            _json(maker.settings),
            maker.weights_sha256,
            maker.rubric_sha256,
            _json(library_versions(maker.libraries)),
            utc_text(),
        ),
    )
    return int(db.execute("SELECT id FROM maker WHERE key = ?", (maker.key,)).fetchone()[0])


def find_maker(db: sqlite3.Connection, maker: Maker) -> int | None:
    """The row of ``maker`` if it has made anything yet."""
    row = db.execute("SELECT id FROM maker WHERE key = ?", (maker.key,)).fetchone()
    return None if row is None else int(row[0])


def makers_of(db: sqlite3.Connection) -> list[Maker]:
    """Every maker of the store, oldest first; ``libraries`` is left empty."""
    rows = db.execute("SELECT kind, name, code_version, settings, weights_sha256, rubric_sha256 FROM maker ORDER BY id")
    return [Maker(row[0], row[1], row[2], json.loads(row[3]), row[4], row[5]) for row in rows]


def maker_labels(db: sqlite3.Connection) -> dict[int, str]:
    """How tables name each maker, by row id: a judge with its rubric, a recogniser with its weights.

    Those that would be named alike are told apart by the settings that differ.
    """
    ids = [row[0] for row in db.execute("SELECT id FROM maker ORDER BY id")]
    alike: dict[str, dict[int, Maker]] = {}
    for row_id, maker in zip(ids, makers_of(db)):
        alike.setdefault(_label(maker), {})[row_id] = maker
    return {row_id: f"{label}{told}" for label, own in alike.items() for row_id, told in _told_apart(own).items()}


def _told_apart(makers: Mapping[int, Maker]) -> dict[int, str]:
    """What to add to a name that several makers have: the settings that differ, else the first letters of the key."""
    if len(makers) == 1:
        return dict.fromkeys(makers, "")
    settings = {row_id: _flat(maker.settings) for row_id, maker in makers.items()}
    names = sorted({name for own in settings.values() for name in own})
    differing = [name for name in names if len({own.get(name) for own in settings.values()}) > 1]
    return {
        row_id: f" ({', '.join(f'{name} {own[name]}' for name in differing if name in own) or maker.key[:6]})"
        for (row_id, own), maker in zip(settings.items(), makers.values())
    }


def _flat(settings: Mapping[str, Any]) -> dict[str, str]:
    """Settings as short texts, those within others beside them."""
    found: dict[str, str] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            found.update(_flat(value))
        else:
            text = value if isinstance(value, str) else _json(value)
            found[name] = text if len(text) <= _LONGEST_SETTING else text[: _LONGEST_SETTING - 1] + "…"
    return found


def _label(maker: Maker) -> str:
    if maker.kind == "judge":
        return f"{maker.name} (rubric {str(maker.rubric_sha256)[:8]})"
    if maker.kind == "recogniser":
        return f"{maker.name} {maker.settings.get('weights', '')}".strip()
    return maker.name


def set_floors(db: sqlite3.Connection, maker: int, floors: Iterable[Floor]) -> None:
    """Store what a recogniser gets wrong on known speech, replacing an older measurement of the same maker."""
    db.executemany(
        "INSERT OR REPLACE INTO maker_floor VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (maker, f.language, f.metric, f.errors, f.reference_length, f.clip_count, f.source, utc_text())
            for f in floors
        ],
    )


def floors_of(db: sqlite3.Connection, maker: int) -> dict[tuple[str, str], Floor]:
    """The measured floors of a maker by (language, metric); empty where none was measured."""
    rows = db.execute(
        "SELECT language, metric, errors, reference_length, clip_count, source FROM maker_floor WHERE maker_id = ?",
        (maker,),
    )
    return {(row[0], row[1]): Floor(*row) for row in rows}


def floors_by_maker(db: sqlite3.Connection) -> list[tuple[Maker, list[Floor]]]:
    """Every maker with its floors, oldest first."""
    ids = [row[0] for row in db.execute("SELECT id FROM maker ORDER BY id")]
    return [(maker, list(floors_of(db, row_id).values())) for row_id, maker in zip(ids, makers_of(db))]


def library_versions(names: Iterable[str]) -> dict[str, str]:
    """Installed versions of the named distributions; one that is not installed is left out."""
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
