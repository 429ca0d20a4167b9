"""Answers as a CSV for spreadsheets and as JSONL for programs; both can be imported again."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from engine.benchmarks.tables import Cell, written_row
from engine.query.records import AnswerRecord
from engine.store.evidence import Evidence

_BREAKS = {"\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085"}  # some readers end a line at these


def write_csv(path: Path, records: Iterable[AnswerRecord]) -> Iterator[int]:
    """Write one row an answer (UTF-8 with its mark, no cell that a spreadsheet runs); yields how many are written."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\r\n")
        for done, record in enumerate(records, start=1):
            row = _row(record)
            if done == 1:
                writer.writerow(written_row(list(row)))
            writer.writerow(written_row(list(row.values())))
            yield done


def write_jsonl(path: Path, records: Iterable[AnswerRecord]) -> Iterator[int]:
    """Write one object a line, every text as it is; yields how many are written."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for done, record in enumerate(records, start=1):
            file.write(json_line(_object(record)))
            yield done


def json_line(value: Mapping[str, Any]) -> str:
    """``value`` as one line of JSONL; NaN and infinities are null."""
    line = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False)
    for found, written in _BREAKS.items():
        line = line.replace(found, written)
    return line + "\n"


def _row(record: AnswerRecord) -> dict[str, Cell]:
    row: dict[str, Cell] = {
        name: " ".join(value) if isinstance(value, list) else value for name, value in record.plain.items()
    }
    for name in ("recogniser", "published_recogniser", "quality_maker", "published_maker", "corrected_maker"):
        maker = record.makers.get(name)
        row[name] = None if maker is None else f"{maker['name']} {maker['key'][:12]}"
    row["tags"] = "; ".join(record.tags)
    row["notes"] = "\n\n".join(record.notes)
    return row


def _object(record: AnswerRecord) -> dict[str, Any]:
    return {
        **record.plain,
        "context": list(record.context),
        "labels": dict(record.labels),
        "makers": dict(record.makers),
        "tags": [_said(said) for said in record.said if said.table == "tag"],
        "notes": [_said(said) for said in record.said if said.table == "note"],
    }


def _said(said: Evidence) -> dict[str, Any]:
    span = said.span
    return {
        "text": said.text,
        "start_s": None if span is None else span.start_s,
        "end_s": None if span is None else span.end_s,
        "made_at": said.made_at,
        "origin": said.origin,
        "uid": said.uid,
    }


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {name: _finite(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return value
