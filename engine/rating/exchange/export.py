"""Ratings as a CSV for spreadsheets or as JSONL for programs; letters stay sealed until the owner discloses them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from engine.audio.write import write_bytes
from engine.benchmarks.tables import Cell, written_row
from engine.errors import EngineError
from engine.store.rating_rows import RatingRow, RemarkRow, rating_rows, remark_rows
from engine.store.studies import studies_of
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
        open_studies = {study.uid for study in studies_of(db) if study.disclosed_at is not None}
        rows = rating_rows(db, study_id, with_history=with_history)
        remarks = remark_rows(db, study_id)
    if not rows and not remarks:
        raise EngineError("exchange.nothing")
    sealed = {row.assignment_uid for row in rows if row.blind and row.study_uid not in open_studies}
    kept = [_plain(row, row.assignment_uid in sealed) for row in rows]
    told = {row.assignment_uid for row in rows} - sealed
    said = [_plain(one, one.assignment_uid not in told and one.study_uid not in open_studies) for one in remarks]
    data = _csv(kept, remarks) if form == "csv" else "".join(_lines(kept, said)).encode()
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


def _csv(rows: Iterable[dict[str, Any]], remarks: Iterable[RemarkRow]) -> bytes:
    notes: dict[str, str] = {}
    flagged: set[str] = set()
    skipped = [one for one in remarks if one.kind == "skip"]
    for one in remarks:
        if one.kind == "note":
            notes[one.assignment_uid] = one.text
        elif one.kind == "flag":
            flagged.add(one.assignment_uid)
    memory = io.StringIO(newline="")
    writer = csv.writer(memory, lineterminator="\r\n")
    writer.writerow(written_row([*_COLUMNS, "note", "flagged", "skipped"]))
    for row in rows:
        cells: list[Cell] = [row[name] for name in _COLUMNS]
        uid = row["assignment_uid"]
        writer.writerow(written_row([*cells, notes.get(uid, ""), uid in flagged, None]))
    for one in skipped:
        cells = [getattr(one, name, None) if name not in _TELLING else None for name in _COLUMNS]
        uid = one.assignment_uid
        writer.writerow(written_row([*cells, notes.get(uid, ""), uid in flagged, one.text]))
    return b"\xef\xbb\xbf" + memory.getvalue().encode()
