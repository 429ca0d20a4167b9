"""Answers as one HTML page with players that needs nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.query.records import AnswerRecord, records_of
from engine.report.answers import shown
from engine.report.page import frame, template
from engine.store.evidence import Span
from engine.store.workspace import Workspace
from engine.store.worst import answers_by_id
from engine.strings import text

MOST_ANSWERS = 500  # a page with more players is one that no browser opens gladly


def write_page(
    db: sqlite3.Connection, workspace: Workspace, path: Path, ids: tuple[int, ...], title: str, language: str
) -> Iterator[int]:
    """Write the page of ``ids`` in their order; yields how many answers are written.

    Text from data is escaped, no script is in the file, and its policy forbids every request.
    """
    counted = _Counted()
    answers = counted(_answers(db, workspace, ids, language))
    pieces = template("answers.html.j2").generate(
        **frame(language),
        title=title,
        counted=text("export.page.counted", language, count=len(ids)),
        answers=answers,
    )
    with path.open("w", encoding="utf-8", newline="\n") as file:
        told = 0
        for piece in pieces:
            file.write(piece)
            if counted.count != told:
                told = counted.count
                yield told


def _answers(db: sqlite3.Connection, workspace: Workspace, ids: tuple[int, ...], language: str) -> Iterator[Any]:
    for number in ids:
        records = records_of(db, workspace, [number])
        for row in answers_by_id(db, [number]):
            yield {**shown(db, workspace, row, language), **_said(row.subset, records, language)}


def _said(subset: str, records: list[AnswerRecord], language: str) -> dict[str, Any]:
    (record,) = records
    repeat = f" #{record.plain['repeat'] + 1}" if record.plain["repeat"] else ""
    return {
        "key": f"{record.plain['system']} / {subset} / {record.plain['key']}{repeat}",
        "said": [{"kind": said.table, "text": said.text, "span": _times(said.span)} for said in record.said],
    }


def _times(span: Span | None) -> str:
    return "" if span is None else f"{span.start_s:.2f}–{span.end_s:.2f} s"


class _Counted:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self, answers: Iterator[Any]) -> Iterator[Any]:
        for answer in answers:
            yield answer
            self.count += 1
