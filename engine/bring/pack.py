"""Packs answers with all that is known and was said of them: a file that another workspace takes in."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import engine
from engine.bring.chest import ChestWriter
from engine.clock import utc_text
from engine.errors import EngineError
from engine.progress import Progress
from engine.runs.error_rates import rates_maker
from engine.store.audio import audio_of
from engine.store.corrections import PERSON
from engine.store.packing import (
    answers_by,
    answers_for,
    answers_of_run,
    audio_for,
    choices_for,
    instances_for,
    makers_for,
    origin_of,
    playlists_for,
    runs_for,
    steps_of,
    systems_for,
)
from engine.store.rating_packing import (
    presentations_for,
    protocols_for,
    raters_for,
    sessions_for,
    sittings_for,
    studies_for,
    studies_within,
)
from engine.store.workspace import Workspace

#: What follows from people's corrections is derived again where they arrive, and never packed.
DERIVED = frozenset({PERSON.key, rates_maker(PERSON.key).key})
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Packed:
    """A pack that was written: where, how many answers, audio files and bytes of them."""

    path: Path
    answers: int
    audios: int
    byte_count: int


def pack(
    workspace: Workspace,
    path: Path,
    *,
    run: str | None = None,
    system: str | None = None,
    questions: bool = False,
    replace: bool = False,
) -> Generator[Progress, None, Packed]:
    """Write the answers of a run or of a system, or with neither everything; the workspace is only read.

    Args:
        path: a ``.zip``, or a folder where it ends otherwise; it is there whole or not at all.
        run: a run's number or uid; of one that only measured or judged, the answers that it wrote results of.
        questions: the audio of what was asked too, not only its hashes.
        replace: write over a pack that is there.

    Raises EngineError ``bring.exists``, ``bring.nothing``, ``bring.cannot_write``, ``store.audio_moved``, and
    ``runs.no_such_run`` and ``bring.no_such_system``.
    """
    if path.exists() and not replace:
        raise EngineError("bring.exists", path=str(path))
    with closing(workspace.connect()) as db:
        db.execute("BEGIN")  # one state of the store, whatever a driver writes meanwhile
        whole = run is None and system is None
        ids = answers_by(db, system) if run is None else answers_of_run(db, run)
        if not ids and not whole:
            raise EngineError("bring.nothing")
        with _chest(path) as writer:
            tables = list(_tables(db, ids, whole=whole))
            for done, (kind, rows) in enumerate(tables, start=1):
                writer.add(f"rows/{kind}.jsonl", _lines(rows))
                yield Progress(done, len(tables), "rows")
            audios = audio_for(db, ids, questions)
            told: list[dict[str, Any]] = []
            for done, audio in enumerate(audios, start=1):
                told.append(_add_audio(writer, workspace, db, audio))
                yield Progress(done, len(audios), "audio")
            writer.add("rows/audio.jsonl", _lines(told))
            writer.close(_manifest(db, {"run": run, "system": system}, len(ids)))
    return Packed(path, len(ids), len(audios), sum(audio["byte_count"] for audio in audios))


@contextmanager
def _chest(path: Path) -> Iterator[ChestWriter]:
    """A pack to be written and closed, which leaves nothing behind where that fails or is given up."""
    writer = None
    try:
        writer = ChestWriter(path)
        yield writer
    except BaseException as error:
        if writer is not None:
            writer.abandon()
        if isinstance(error, OSError):
            raise EngineError("bring.cannot_write", path=str(path), why=error.strerror or str(error)) from error
        raise


def _tables(db: sqlite3.Connection, ids: Sequence[int], *, whole: bool) -> Iterator[tuple[str, Iterable[Any]]]:
    """Every kind of row that goes with the answers ``ids``, read as it is asked for."""
    wanted = None if whole else ids
    makers = list(makers_for(db, ids))
    studies = studies_within(db, ids)
    yield "instances", instances_for(db, wanted)
    yield "systems", systems_for(db, wanted)
    yield "runs", runs_for(db, ids)
    yield "makers", makers
    yield "choices", choices_for(db, {maker["key"] for maker in makers})
    yield "playlists", playlists_for(db, ids)
    yield "answers", answers_for(db, ids, DERIVED)
    yield "raters", raters_for(db, studies)
    yield "protocols", protocols_for(db, studies)
    yield "studies", studies_for(db, studies)
    yield "sessions", sessions_for(db, studies)
    yield "sittings", sittings_for(db, studies)
    yield "presentations", presentations_for(db, studies)


def _manifest(db: sqlite3.Connection, chosen: Mapping[str, str | None], answers: int) -> dict[str, Any]:
    return {
        "origin": origin_of(db),
        "made_at": utc_text(),
        "program": engine.__version__,
        "store": steps_of(db),
        "chosen": chosen,
        "answers": answers,
    }


def _add_audio(writer: ChestWriter, workspace: Workspace, db: Any, row: Any) -> dict[str, Any]:
    kept = audio_of(db, workspace, row["id"])
    suffix = kept.path.suffix.lower()
    suffix = suffix if suffix.lstrip(".").isascii() and suffix.lstrip(".").isalnum() and len(suffix) <= 9 else ""
    name = f"audio/{kept.sha256[:2]}/{kept.sha256}{suffix}"
    if writer.add(name, _pieces(kept.path)) != kept.sha256:
        raise EngineError("store.audio_moved", path=str(kept.path))
    return {"sha256": kept.sha256, "name": name, "facts": row["facts"]}


def _lines(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for row in rows:
        yield json.dumps(row, ensure_ascii=False, sort_keys=True).encode("utf-8", "surrogatepass") + b"\n"


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            yield piece
