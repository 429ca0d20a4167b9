"""Ratings as a CSV for spreadsheets or as JSONL for programs; letters stay sealed until the owner discloses them."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from engine.audio.write import write_bytes
from engine.benchmarks.tables import Cell, written_row
from engine.errors import EngineError
from engine.store.rating_packing import presentations_for, sessions_for
from engine.store.rating_rows import RatingRow, RemarkRow, rating_rows, remark_rows
from engine.store.studies import SessionRow, sessions_of, studies_of
from engine.store.workspace import Workspace

Form = Literal["csv", "jsonl"]
FORMS: tuple[Form, ...] = ("csv", "jsonl")
_HERE_ONLY = {"response_id", "instance_id"}  # numbers of rows mean nothing elsewhere
_TELLING = {"system", "other_system", "response_uid", "clip_s"}  # lengths to the frame tell the sample rate
_BREAKS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}  # some readers end a line at these
_COLUMNS = tuple(field.name for field in fields(RatingRow) if field.name not in _HERE_ONLY)


@dataclass(frozen=True, slots=True)
class ExportedRatings:
    """What was written: where, how many ratings and remarks, and of how many ratings the system stays sealed."""

    path: Path
    ratings: int
    remarks: int
    sealed: int


def export_ratings(
    workspace: Workspace,
    path: Path,
    form: Form,
    *,
    study_id: int | None = None,
    with_history: bool = False,
    replace: bool = False,
) -> ExportedRatings:
    """Write the ratings of a study, or of all, in long form: one row for each item and scale.

    A CSV has what was noted, flagged and skipped beside the ratings; cells that a spreadsheet would run are guarded,
    numbers stay numbers. JSONL holds every value as it is, remarks as records of their own.

    Args:
        with_history: ratings that were rated over or taken back too.

    Raises EngineError ``exchange.exists``, ``exchange.nothing``, ``audio.cannot_write``.
    """
    if path.exists() and not replace:
        raise EngineError("exchange.exists", path=str(path))
    with closing(workspace.connect()) as db:
        open_studies = {study.uid for study in studies_of(db) if not study.is_sealed}
        rows = rating_rows(db, study_id, with_history=with_history)
        remarks = remark_rows(db, study_id)
        places = _places(db, {row.study_uid for row in rows} | {one.study_uid for one in remarks})
    if not rows and not remarks:
        raise EngineError("exchange.nothing")
    sealed = {row.assignment_uid for row in rows if row.blind and row.study_uid not in open_studies}
    letters = {uid: place["other_letter"] for uid, place in places.items()}
    kept = [_plain(row, row.assignment_uid in sealed) for row in rows]
    told = {row.assignment_uid for row in rows} - sealed
    said = [_plain(one, one.assignment_uid not in told and one.study_uid not in open_studies) for one in remarks]
    skipped = [
        _skip(one, places[one.assignment_uid], one.study_uid not in open_studies)
        for one in remarks
        if one.kind == "skip"
    ]
    data = _csv(kept, skipped, remarks, letters) if form == "csv" else "".join(_lines(kept, said)).encode()
    write_bytes(path, data)
    return ExportedRatings(path, len(rows), len(remarks), sum(row.assignment_uid in sealed for row in rows))


def json_line(value: Mapping[str, Any]) -> str:
    """``value`` as one line of JSONL."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False)
    for found, written in _BREAKS.items():
        line = line.replace(found, written)
    return line + "\n"


def _plain(row: RatingRow | RemarkRow, is_sealed: bool) -> dict[str, Any]:
    told = {name: value for name, value in asdict(row).items() if name not in _HERE_ONLY}
    return {name: None if is_sealed and name in _TELLING else value for name, value in told.items()}


def _lines(rows: Iterable[dict[str, Any]], remarks: Iterable[dict[str, Any]]) -> Iterator[str]:
    yield from (json_line({"record": "rating", **row}) for row in rows)
    yield from (json_line({"record": "remark", **row}) for row in remarks)


def _places(db: sqlite3.Connection, study_uids: Collection[str]) -> dict[str, dict[str, Any]]:
    """What is told of each assignment, with its session's pass and protocol and the sittings at which it stood."""
    ids = [study.id for study in studies_of(db) if study.uid in study_uids]
    told = {one.uid: one for number in ids for one in sessions_of(db, study_id=number)}
    sat = {row["uid"]: row["sitting"] for row in presentations_for(db, ids)}
    return {
        row["uid"]: {**row, "session": told[session["uid"]], "sat": sat}
        for session in sessions_for(db, ids)
        for row in session["assignments"]
    }


def _skip(one: RemarkRow, place: Mapping[str, Any], is_sealed: bool) -> dict[str, Any]:
    """The cells of a skip: those of a rating as far as they are of the assignment, and why it was skipped."""
    session: SessionRow = place["session"]
    told = _plain(one, is_sealed and bool(place["blind"]))
    of_session = {
        "protocol_version": session.protocol_version, "protocol_sha256": session.protocol_sha256,
        "language": session.language, "pass_number": session.number,
    }  # fmt: skip
    drawn = ("kind", "dimension", "perceived", "selection", "pi", "stratum", "split", "stage", "repeat_of")
    of_place = {name: place[name] for name in drawn} | {"blind": bool(place["blind"])}
    sitting = {"sitting_uid": place["sat"].get(one.presentation_uid), "skipped": one.text}
    return {**told, **of_session, **of_place, **sitting}


def _csv(
    rows: Iterable[dict[str, Any]],
    skipped: Iterable[dict[str, Any]],
    remarks: Iterable[RemarkRow],
    other_letters: Mapping[str, str | None],
) -> bytes:
    notes: dict[str, str] = {}
    flagged: set[str] = set()
    for one in remarks:
        if one.kind == "note":
            notes[one.assignment_uid] = one.text
        elif one.kind == "flag":
            flagged.add(one.assignment_uid)
    memory = io.StringIO(newline="")
    writer = csv.writer(memory, lineterminator="\r\n")
    writer.writerow(written_row([*_COLUMNS, "other_letter", "note", "flagged", "skipped"]))
    for row in (*rows, *skipped):
        cells: list[Cell] = [row.get(name) for name in _COLUMNS]
        uid = row["assignment_uid"]
        beside = [other_letters.get(uid), notes.get(uid, ""), uid in flagged, row.get("skipped")]
        writer.writerow(written_row([*cells, *beside]))
    return b"\xef\xbb\xbf" + memory.getvalue().encode()
