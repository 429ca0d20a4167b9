"""Takes answers out of a workspace in one of four forms, as long work that can be stopped."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from engine.errors import EngineError
from engine.export.choice import Chosen
from engine.export.clips import Clips
from engine.export.page import MOST_ANSWERS, write_page
from engine.export.tables import write_csv, write_jsonl
from engine.export.whole import whole_file, whole_folder
from engine.progress import Progress
from engine.query.records import AnswerRecord, records_of
from engine.store.workspace import Workspace
from engine.strings import text

Format = Literal["csv", "jsonl", "clips", "html"]
FORMATS: tuple[Format, ...] = ("csv", "jsonl", "clips", "html")
SUFFIXES: dict[Format, str] = {"csv": ".csv", "jsonl": ".jsonl", "clips": "", "html": ".html"}
_CHUNK = 200  # answers read at once


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: where, of how many answers, how many clips, and which answers gave none, each with why."""

    path: Path
    answers: int
    clips: int = 0
    problems: tuple[tuple[str, EngineError], ...] = ()


def export(
    workspace: Workspace,
    chosen: Chosen,
    form: Format,
    path: Path,
    *,
    language: str = "en",
    replace: bool = False,
    title: str = "",
) -> Generator[Progress, None, Exported]:
    """Write the chosen answers to ``path``: a file, or for ``clips`` a new folder; yields after each answer.

    It is there whole at the end, or not at all: a stop or a failure leaves what was there before. What stands in the
    workspace is only read.

    Args:
        replace: an existing file may be written over; a folder never is.
        title: the heading of a page.

    Raises EngineError ``export.nothing``, ``export.too_many``, ``export.exists``, ``export.cannot_write``.
    """
    if not chosen.ids:
        raise EngineError("export.nothing")
    if form == "html" and len(chosen.ids) > MOST_ANSWERS:
        raise EngineError("export.too_many", count=len(chosen.ids), most=MOST_ANSWERS)
    total = len(chosen.ids)
    with closing(workspace.connect()) as db:
        if form == "clips":
            with whole_folder(path) as folder:
                clips = Clips(db, workspace, folder, chosen.spans)
                yield from _told(clips.write(_records(db, workspace, chosen.ids)), total)
                if not clips.count:
                    raise EngineError("export.no_clips")
            return Exported(path, total, clips.count, tuple(clips.problems))
        with whole_file(path, replace=replace) as file:
            if form == "html":
                heading = title or text("export.page.title", language)
                written = write_page(db, workspace, file, chosen.ids, heading, language)
            elif form == "csv":
                written = write_csv(file, _records(db, workspace, chosen.ids))
            else:
                written = write_jsonl(file, _records(db, workspace, chosen.ids))
            done = yield from _told(written, total)
        return Exported(path, done)


def _records(db: sqlite3.Connection, workspace: Workspace, ids: Sequence[int]) -> Iterator[AnswerRecord]:
    for start in range(0, len(ids), _CHUNK):
        yield from records_of(db, workspace, ids[start : start + _CHUNK])


def _told(written: Iterator[int], total: int) -> Generator[Progress, None, int]:
    done = 0
    for done in written:
        yield Progress(done, total)
    return done
