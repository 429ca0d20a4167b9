"""Reads Label Studio's JSON export back: annotations of the tasks that ``export_label_studio`` wrote become ratings."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import uuid
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import engine
from engine.benchmarks.values import Problem
from engine.clock import utc_text
from engine.errors import EngineError
from engine.rating.exchange.label_studio import label_of
from engine.rating.values import Protocol, Value
from engine.store.assignments import AssignmentRow
from engine.store.merging import Taken
from engine.store.raters import raters_of
from engine.store.rating_merging import ratings_in
from engine.store.studies import SessionRow, assignments_of, protocol_declaration, sessions_of
from engine.store.workspace import Workspace

_SPACE = uuid.UUID("6f1d2a5e-0c83-5b0e-9d0a-2f6f0a6b8c11")  # of names that are made of what an annotation says
_PER_ANNOTATION = 64  # numbers of rows that one annotation may take
_MOST_BYTES = 512 << 20
_LONG_AGO = "2000-01-01T00:00:00.000000Z"  # where no time is told; never now, for the same file is the same rows


@dataclass(frozen=True, slots=True)
class TakenAnnotations:
    """What was new and what was not taken, by the store; annotations that fit nothing are problems."""

    taken: Taken
    annotations: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    session: SessionRow
    row: AssignmentRow
    protocol: Protocol


def take_annotations(workspace: Workspace, path: Path, *, annotator: str | None = None) -> TakenAnnotations:
    """Take the annotations of a Label Studio export into the sessions that its tasks were made for.

    An annotation becomes one presentation with its ratings and note, under uids made of what it is: the same file again
    is harmless, and one that was changed in Label Studio meanwhile counts after the earlier one.

    Args:
        annotator: whose to take, by e-mail, name or number, where several people annotated.

    Raises EngineError ``exchange.not_label_studio``, ``exchange.no_annotations``, ``exchange.several_annotators``,
    ``exchange.no_such_file``.
    """
    tasks = tasks_of(path)
    with closing(workspace.connect(durable=True)) as db:
        places = _places(workspace, db)
        taking = _Taking(path, places, {rater.id: rater.uid for rater in raters_of(db)})
        for number, task in enumerate(tasks):
            taking.task(number, task, annotator)
        if not taking.count and not taking.problems:
            raise EngineError("exchange.no_annotations", path=str(path))
        if len(taking.annotators) > 1 and annotator is None:
            people = ", ".join(sorted(taking.annotators))
            raise EngineError("exchange.several_annotators", path=str(path), annotators=people)
        told = {"sittings": list(taking.sittings.values()), "presentations": taking.presentations}
        return TakenAnnotations(ratings_in(db, told), taking.count, tuple(taking.problems))


def tasks_of(path: Path) -> list[dict[str, Any]]:
    """The tasks of an export, each with its ``data``.

    Raises EngineError ``exchange.not_label_studio`` and ``exchange.no_such_file``.
    """
    if not path.is_file():
        raise EngineError("exchange.no_such_file", path=str(path))
    if path.stat().st_size > _MOST_BYTES:
        raise EngineError("exchange.not_label_studio", path=str(path), why="> 512 MB")
    try:
        tasks = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise EngineError("exchange.not_label_studio", path=str(path), why=str(error)[:80]) from error
    is_export = isinstance(tasks, list) and all(isinstance(t, dict) and isinstance(t.get("data"), dict) for t in tasks)
    if not is_export:
        raise EngineError("exchange.not_label_studio", path=str(path), why="[{data: …, annotations: …}]")
    return list(tasks)


def _places(workspace: Workspace, db: sqlite3.Connection) -> dict[str, _Place]:
    found = {}
    for session in sessions_of(db):
        protocol = Protocol.of(protocol_declaration(db, session.protocol_id))
        for row in assignments_of(workspace, db, session.id):
            found[row.uid] = _Place(session, row, protocol)
    return found


class _Taking:
    """Turns annotations into the rows that ``ratings_in`` takes."""

    def __init__(self, path: Path, places: Mapping[str, _Place], raters: Mapping[int, str]) -> None:
        self.sittings: dict[str, dict[str, Any]] = {}
        self.presentations: list[dict[str, Any]] = []
        self.problems: list[Problem] = []
        self.annotators: set[str] = set()
        self.count = 0
        self._path, self._places, self._raters = path, places, raters

    def task(self, number: int, task: Mapping[str, Any], wanted: str | None) -> None:
        found = task.get("annotations")
        annotations = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        place = self._places.get(str(task["data"].get("assignment")))
        if annotations and place is None:
            self._say(number, "unknown_item")
            return
        annotations.sort(key=lambda one: str(one.get("updated_at") or one.get("created_at") or ""))
        for turn, one in enumerate(annotations, start=1):
            who = annotator_names(one.get("completed_by"))
            if wanted is not None and wanted not in who:
                continue
            self.annotators.add(who[0])
            if place is not None:
                self._annotation(number, place, one, who[0], turn)

    def _annotation(self, number: int, place: _Place, one: Mapping[str, Any], who: str, turn: int) -> None:
        made_at = _time(one.get("updated_at") or one.get("created_at"))
        identity = f"{place.row.uid}|{who}|{one.get('id')}|{made_at}"
        first = int.from_bytes(hashlib.sha256(identity.encode()).digest()[:5], "big") * _PER_ANNOTATION + 1
        if one.get("was_cancelled"):
            self._say(number, "cancelled")
            return
        values, note = self._said(number, place.protocol, one.get("result"))
        if not values and not note:
            return
        self.count += 1
        seconds = one.get("lead_time")
        row = _Rows(f"label-studio|{place.session.uid}|{who}", identity, first, made_at)
        told = {"act": first, "turn": turn, "undoes": None}
        before = {"active_s": float(seconds) if isinstance(seconds, int | float) else None, "is_before_reveal": 1}
        ratings = [row.made("rating", scale=scale, value=value, **before, **told) for scale, value in values.items()]
        times = {"clip": None, "start_s": None, "end_s": None, "holds": 1}
        remarks = [row.made("remark", kind="note", text=note, **times, **told)] if note else []
        sitting = self._sitting(place, who, made_at)
        shown = row.made("presentation", gains="{}", assignment=place.row.uid, sitting=sitting)
        self.presentations.append({**shown, "heard": [], "rating": ratings, "remark": remarks})

    def _sitting(self, place: _Place, who: str, made_at: str) -> str:
        name = f"label-studio|{place.session.uid}|{who}"
        if name not in self.sittings:
            row = _Rows(name, name, 1, _LONG_AGO)
            setup = json.dumps({"label_studio": True})
            self.sittings[name] = row.made(
                "sitting", device="Label Studio", sample_rate_hz=None, app_version=engine.__version__, setup=setup,
                rater=self._raters[place.session.rater_id],
            )  # fmt: skip
        return str(self.sittings[name]["uid"])

    def _said(self, number: int, protocol: Protocol, result: Any) -> tuple[dict[str, Value], str]:
        values: dict[str, Value] = {}
        note = ""
        for entry in result if isinstance(result, list) else []:
            told = entry.get("value") if isinstance(entry, dict) else None
            if not isinstance(told, dict):
                continue
            if entry.get("type") == "textarea":
                note = "\n".join(map(str, listed(told.get("text")))).strip()
                continue
            scale = next((scale for scale in protocol.scales if scale.id == entry.get("from_name")), None)
            given = listed(told.get("choices")) or listed(told.get("rating"))
            if scale is None or not given:
                continue
            value = _step(protocol, scale.id, given[0])
            if value is None:
                self._say(number, "no_step", scale=scale.id, value=str(given[0])[:40])
            else:
                values[scale.id] = value
        return values, note

    def _say(self, number: int, code: str, **values: str) -> None:
        self.problems.append(Problem(self._path, f"record {number}", f"exchange.{code}", values))


class _Rows:
    """Rows whose uid, installation and number are made of what they are about, so that each is made once."""

    def __init__(self, origin: str, identity: str, first: int, made_at: str) -> None:
        self._origin, self._identity, self._made_at = origin, identity, made_at
        self._first = self._next = first

    def made(self, table: str, **values: Any) -> dict[str, Any]:
        number = self._first
        if table in ("rating", "remark"):  # those of one act follow each other
            number, self._next = self._next, self._next + 1
        return {
            "uid": str(uuid.uuid5(_SPACE, f"{table}|{number}|{self._identity}")),
            "origin": str(uuid.uuid5(_SPACE, self._origin)),
            "origin_seq": number,
            "made_at": self._made_at,
            **values,
        }


def annotator_names(told: Any) -> tuple[str, ...]:
    """What an annotator may be called, the clearest name first."""
    if isinstance(told, dict):
        names = [str(told[name]) for name in ("email", "username", "first_name", "id") if told.get(name)]
        return tuple(names) or ("-",)
    return (str(told),) if told is not None else ("-",)


def _step(protocol: Protocol, scale: str, given: Any) -> Value | None:
    """The step that a choice stands for: by what it is called in the interface, or by its value."""
    found = protocol.scale(scale)
    for step in found.steps:
        if str(given) in (str(step.value), label_of(found, step.value), step.label):
            return step.value
    return None


def _time(told: Any) -> str:
    try:
        return utc_text(datetime.fromisoformat(str(told).replace("Z", "+00:00")))
    except ValueError:
        return _LONG_AGO


def listed(told: Any) -> list[Any]:
    """``told`` as a list: itself, empty for nothing, else the one value."""
    if told is None:
        return []
    return told if isinstance(told, list) else [told]
