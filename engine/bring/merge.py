"""Takes a pack into a workspace: checked whole first, each row once, in any order, again after any interruption."""

from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from filelock import Timeout

from engine.bring.chest import ROWS, Chest
from engine.errors import EngineError
from engine.killpoints import point
from engine.progress import Progress
from engine.runs.correction import settle
from engine.scoring.derive import refresh
from engine.store.audit_row import CHUNK
from engine.store.choices import answers_of_makers
from engine.store.derivation import ROWS_VERSION, derivation_of, mark_derivation
from engine.store.merging import (
    Conflict,
    Taken,
    count_on,
    has_audio,
    put_audio,
    put_choices,
    put_instances,
    put_makers,
    put_playlists,
    put_runs,
    put_systems,
)
from engine.store.merging_answers import put_answers
from engine.store.rating_merging import (
    put_presentation,
    put_protocols,
    put_raters,
    put_session,
    put_sitting,
    put_studies,
)
from engine.store.runs import running_process
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

_AT_ONCE = 200  # answers, or audio files, of one transaction
_WRONG_ROWS = (KeyError, TypeError, ValueError, AttributeError, OverflowError, sqlite3.IntegrityError,
               sqlite3.InterfaceError, sqlite3.ProgrammingError)  # fmt: skip
_SPARE_BYTES = 64 << 20  # for the database beside what the pack holds


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did: rows that were new, by table; conflicts, of which what was here stays; answers left out."""

    added: Counter[str]
    conflicts: tuple[Conflict, ...]
    left_out: int
    answers: int


def merge(workspace: Workspace, path: Path) -> Generator[Progress, None, Merged]:
    """Take in a pack; nothing is written before every byte of it was checked.

    Closed or killed on the way, what is complete stays, and the same merge goes on where it was. Raises what ``Chest``
    raises, ``bring.bad_row``, ``bring.no_room``, and ``store.driver_running``.
    """
    with closing(Chest(path)) as chest, _driver_lock(workspace), closing(workspace.connect(durable=True)) as db:
        free = shutil.disk_usage(workspace.folder).free
        if chest.byte_count + _SPARE_BYTES > free:
            raise EngineError(
                "bring.no_room", path=str(path), needed=(chest.byte_count + _SPARE_BYTES) / 1e9, free=free / 1e9
            )
        for kind in ROWS:
            chest.rows(kind)
        yield from chest.verify()
        taken = Taken()
        yield from _take_audio(db, workspace, chest, taken)
        with _rows_trusted(chest), transaction(db):
            put_instances(db, _rows(chest, "instances"), taken)
            put_systems(db, _rows(chest, "systems"), taken)
            put_runs(db, _rows(chest, "runs"), taken)
            keys = put_makers(db, _rows(chest, "makers"), taken)
            keys += put_choices(db, _rows(chest, "choices"), taken)
            affected = answers_of_makers(db, keys) if keys else []
            refresh(db, affected[:CHUNK])
            if len(affected) > CHUNK:
                mark_derivation(db, "rebuilding")
        point("merge_makers")
        yield from _derive_rest(db, affected)
        answers = yield from _take_answers(db, chest, taken)
        with _rows_trusted(chest), transaction(db):
            put_playlists(db, _rows(chest, "playlists"), taken, answers)
            count_on(db)
        yield from _take_ratings(db, chest, taken, answers)
        yield Progress(len(answers), len(answers), "answers")
    return Merged(taken.added, tuple(taken.conflicts), taken.left_out, len(answers))


def _take_audio(
    db: sqlite3.Connection, workspace: Workspace, chest: Chest, taken: Taken
) -> Generator[Progress, None, None]:
    """Audio files and their rows, some hundred under one lock, so that tidying never finds one without the other."""
    done = 0
    total = sum(name.startswith("audio/") for name in chest.files)
    for rows in _by_hundreds(_rows(chest, "audio")):
        with _rows_trusted(chest), transaction(db):
            for row in rows:
                if chest.files[row["name"]]["sha256"] != row["sha256"]:
                    raise EngineError("bring.altered", path=str(chest.path), name=row["name"])
                _take_one(db, workspace, chest, row, taken)
        done += len(rows)
        point("merge_audio")
        yield Progress(done, total, "audio")


def _take_one(db: sqlite3.Connection, workspace: Workspace, chest: Chest, row: dict[str, Any], taken: Taken) -> None:
    if has_audio(db, workspace, row["sha256"]):
        return
    suffix = Path(row["name"]).suffix
    descriptor, name = tempfile.mkstemp(dir=workspace.audio, prefix=".merging-", suffix=suffix)
    try:
        with os.fdopen(descriptor, "wb") as file:
            for piece in chest.pieces(row["name"]):
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        put_audio(db, workspace, Path(name), row["facts"], taken)
    except OSError as error:
        raise EngineError("store.cannot_write", path=name, why=error.strerror or str(error)) from error
    finally:
        Path(name).unlink(missing_ok=True)


def _derive_rest(db: sqlite3.Connection, affected: list[int]) -> Generator[Progress, None, None]:
    """The rows of answers whose makers are chosen or weighed otherwise now; until the last they count as partial."""
    for start in range(CHUNK, len(affected), CHUNK):
        with transaction(db):
            refresh(db, affected[start : start + CHUNK])
            if start + CHUNK >= len(affected) and derivation_of(db) == "rebuilding":
                mark_derivation(db, ROWS_VERSION)
        yield Progress(min(start + CHUNK, len(affected)), len(affected), "rows")


def _take_answers(db: sqlite3.Connection, chest: Chest, taken: Taken) -> Generator[Progress, None, dict[str, int]]:
    answers: dict[str, int] = {}
    done, total = 0, int(chest.manifest.get("answers", 0))
    for rows in _by_hundreds(_rows(chest, "answers")):
        with _rows_trusted(chest), transaction(db):
            found, corrected = put_answers(db, rows, taken)
            refresh(db, list(found.values()))
            for sha256 in corrected:
                settle(db, sha256, lambda numbers: refresh(db, numbers))
            count_on(db)
        answers |= found
        done += len(rows)
        point("merge_answers")
        yield Progress(done, total, "answers")
    return answers


def _take_ratings(
    db: sqlite3.Connection, chest: Chest, taken: Taken, answers: dict[str, int]
) -> Generator[Progress, None, None]:
    """Studies and what was said under them: a session with its assignments, a presentation with all said in it."""
    with _rows_trusted(chest), transaction(db):
        put_raters(db, _rows(chest, "raters"), taken)
        put_protocols(db, _rows(chest, "protocols"), taken)
        put_studies(db, _rows(chest, "studies"), taken)
        count_on(db)
    for row in _rows(chest, "sessions"):
        with _rows_trusted(chest), transaction(db):
            put_session(db, row, taken, answers)
            count_on(db)
        yield Progress(0, 0, "ratings")
    done = 0
    for kind, put in (("sittings", put_sitting), ("presentations", put_presentation)):
        for rows in _by_hundreds(_rows(chest, kind)):
            with _rows_trusted(chest), transaction(db):
                for row in rows:
                    put(db, row, taken)
                count_on(db)
            done += len(rows)
            point("merge_ratings")
            yield Progress(done, 0, "ratings")


@contextlib.contextmanager
def _rows_trusted(chest: Chest) -> Iterator[None]:
    """A row that the store cannot take, or that names one that is not there, is the pack's fault."""
    try:
        yield
    except _WRONG_ROWS as error:
        raise EngineError("bring.bad_rows", path=str(chest.path), why=str(error)) from error


@contextlib.contextmanager
def _driver_lock(workspace: Workspace) -> Iterator[None]:
    """A driver remembers what is answered already: no rows come in behind its back."""
    lock = workspace.driver_lock()
    try:
        lock.acquire()
    except Timeout as error:
        with closing(workspace.connect()) as db:
            process = running_process(db)
        raise EngineError("store.driver_running", path=str(workspace.folder), process=process) from error
    try:
        yield
    finally:
        lock.release()


def _rows(chest: Chest, kind: str) -> Iterator[dict[str, Any]]:
    return (row for _, row in chest.rows(kind))


def _by_hundreds(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    source = iter(rows)
    while chunk := list(itertools.islice(source, _AT_ONCE)):
        yield chunk
