"""Writes what importers read: benchmarks, recorded answers, and results computed elsewhere."""

from __future__ import annotations

import math
import sqlite3
import tomllib
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engine.benchmarks.manifest import is_own_export, read_manifest
from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.responses import Recorded
from engine.benchmarks.values import Imported, OutsideJudgement, OutsideMeasurement, RecordedResponse
from engine.errors import EngineError
from engine.progress import Progress
from engine.scoring.derive import refresh
from engine.store.audio import Keep, take_audio
from engine.store.benchmarks import Stored, add_instances
from engine.store.makers import Maker, maker_id
from engine.store.responses import (
    NewResponse,
    add_responses,
    answers_to,
    current_ids,
    instance_ids,
    known_responses,
    system_id,
)
from engine.store.results import (
    JudgementRow,
    MeasurementRow,
    TranscriptRow,
    forget_input,
    put_judgements,
    put_measurements,
    put_transcripts,
)
from engine.store.runs import begin_run, end_run, mark_progress
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

BATCH = 500
INSTANCES = 2000  # in a transaction
Row = TypeVar("Row", OutsideMeasurement, OutsideJudgement)
Result = TypeVar("Result", MeasurementRow, JudgementRow)
PUBLISHED_TRANSCRIPTS = "published/json_asr"
KEYS_TOLD = 5


@dataclass(frozen=True, slots=True)
class Answers:
    """A system's recorded answers as read, what it declares of itself, and who heard the transcripts with them."""

    recorded: Recorded
    declaration: Mapping[str, Any]
    heard_by: str


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What an import of answers did: rows new, in the place of another, and the same as before, and results taken.

    ``unknown`` counts answers to questions that the benchmark does not have; ``unknown_keys`` names the first of them.
    ``without_audio`` counts answers whose audio was named and not found, ``not_audio`` has those whose file does not
    begin as audio does, each as ``subset/Qid (file)``.
    """

    added: int
    same: int
    unknown: int
    unknown_keys: tuple[str, ...] = ()
    without_audio: int = 0
    transcripts: int = 0
    measurements: int = 0
    judgements: int = 0
    replaced: int = 0
    not_audio: tuple[str, ...] = ()


def take_benchmark(
    workspace: Workspace, read: Imported, folder: Path, keep: Keep = "link"
) -> Generator[Progress, None, Stored]:
    """Store a benchmark's instances; what was judged of a question that has changed since is taken back.

    Written in batches, so that other writers and a cancel get a turn between two; what is written stays.
    """
    db = workspace.connect()
    try:
        stored = Stored()
        for start in range(0, len(read.instances), INSTANCES):
            batch = read.instances[start : start + INSTANCES]
            with transaction(db):
                added = add_instances(db, workspace, read.benchmark, folder, batch, keep=keep)
                touched = answers_to(db, added.changed_ids)
                forget_input(db, touched)
                refresh(db, touched)
            stored = stored.plus(added)
            yield Progress(start + len(batch), len(read.instances), read.benchmark)
        return stored
    finally:
        db.close()


def read_answers(
    folder: Path | None,
    manifest: Path | None = None,
    *,
    system: str | None = None,
    subsets: Sequence[str] | None = None,
    audio: Path | None = None,
    encoding: str | None = None,
) -> Generator[Progress, None, Answers]:
    """A system's recorded answers, with what ``system.toml`` in its folder declares, if there is one.

    Raises EngineError where neither a folder of answers nor a manifest was named, or it is not there.
    """
    if manifest is not None:
        if not manifest.is_file():
            raise EngineError("runs.no_such_file", path=str(manifest))
        recorded = yield from read_manifest(manifest, system, audio, encoding, guarded=is_own_export(manifest))
        return Answers(recorded, {}, f"manifest/{manifest.name}")
    if folder is None or not folder.is_dir():
        raise EngineError("runs.nothing_recorded", path=str(folder or "."))
    recorded = yield from read_recorded(folder, system, subsets, encoding)
    declared = folder / "system.toml"
    declaration = tomllib.loads(declared.read_text(encoding="utf-8")) if declared.exists() else {}
    return Answers(recorded, declaration, PUBLISHED_TRANSCRIPTS)


def take_responses(
    workspace: Workspace,
    benchmark: str,
    system: str,
    responses: Sequence[RecordedResponse],
    *,
    declaration: Mapping[str, Any] | None = None,
    judgements: Sequence[OutsideJudgement] = (),
    measurements: Sequence[OutsideMeasurement] = (),
    heard_by: str = PUBLISHED_TRANSCRIPTS,
    keep: Keep = "link",
) -> Generator[Progress, None, TakenIn]:
    """Store a system's recorded answers and the results that came with them; repeating it changes nothing.

    Written in batches of ``BATCH``; closed early, what is written stays and the next import adds the rest.
    """
    db = workspace.connect()
    try:
        known = instance_ids(db, benchmark)
        if not known:
            raise EngineError("runs.benchmark_not_imported", benchmark=benchmark)
        answers = [r for r in responses if (r.subset, r.key) in known]
        unknown = tuple(f"{r.subset}/{r.key}" for r in responses if (r.subset, r.key) not in known)
        run = begin_run(db, "import", {"system": system, "benchmark": benchmark}, len(answers))
        with _ending(db, run):
            stored = same = heard = 0
            not_audio: list[str] = []
            answered = known_responses(db, system)
            before = len(answered)
            for start in range(0, len(answers), BATCH):
                batch = answers[start : start + BATCH]
                with transaction(db):  # with the system, so that a failed import leaves none without an answer
                    owner = system_id(db, system, "recorded", declaration)
                    new = [_new(db, workspace, known[r.subset, r.key], r, keep) for r in batch]
                    fresh, unchanged = add_responses(db, run, owner, new, answered)
                    transcribed = _take_transcripts(db, heard_by, answered, known, batch)
                    refresh(db, sorted({*fresh, *transcribed}))
                    stored, same, heard = stored + len(fresh), same + unchanged, heard + len(transcribed)
                    mark_progress(db, run, stored + same, 0)
                not_audio += _not_audio(batch)
                yield Progress(start + len(batch), len(answers), system)
            numbers = take_measurements(db, benchmark, measurements, system)
            verdicts = take_judgements(db, benchmark, judgements, system)
        lost = sum("audio_missing" in r.flags for r in answers)
        added = len(answered) - before
        return TakenIn(
            added, same, len(unknown), unknown[:KEYS_TOLD], lost, heard, numbers, verdicts,
            replaced=stored - added, not_audio=tuple(not_audio),
        )  # fmt: skip
    finally:
        db.close()


def take_answers(
    workspace: Workspace, benchmark: str, read: Answers, keep: Keep = "link"
) -> Generator[Progress, None, TakenIn]:
    """Store all that ``read_answers`` gave; see ``take_responses``."""
    return take_responses(
        workspace,
        benchmark,
        read.recorded.system,
        read.recorded.responses,
        declaration=read.declaration,
        judgements=read.recorded.judgements,
        measurements=read.recorded.measurements,
        heard_by=read.heard_by,
        keep=keep,
    )


@contextmanager
def _ending(db: sqlite3.Connection, run: int) -> Iterator[None]:
    """End the run's row as what became of the block."""
    try:
        yield
    except (GeneratorExit, KeyboardInterrupt):
        end_run(db, run, "cancelled")
        raise
    except BaseException as error:
        end_run(db, run, "failed", error if isinstance(error, EngineError) else repr(error))
        raise
    end_run(db, run, "done")


def take_measurements(
    db: sqlite3.Connection, benchmark: str, rows: Sequence[OutsideMeasurement], system: str | None = None
) -> int:
    """Store numbers computed elsewhere; those of unknown answers are left out. Returns how many were stored."""
    return _take_outside(db, _placed(db, benchmark, rows, system), _measurement, put_measurements)


def take_judgements(
    db: sqlite3.Connection, benchmark: str, rows: Sequence[OutsideJudgement], system: str | None = None
) -> int:
    """Store verdicts given elsewhere; those on unknown answers are left out. Returns how many were stored."""
    return _take_outside(db, _placed(db, benchmark, rows, system), _judgement, put_judgements)


def _take_outside(
    db: sqlite3.Connection,
    placed: Sequence[tuple[int, Row]],
    stored_as: Callable[[int, Row], Result],
    put: Callable[[sqlite3.Connection, int, Iterable[Result]], None],
) -> int:
    by_maker: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for response_id, row in placed:
        by_maker[row.maker_name or "outside", row.maker_version or "1"].append(stored_as(response_id, row))
    with transaction(db):
        for (name, version), entries in by_maker.items():
            put(db, maker_id(db, Maker("imported", name, version)), entries)
        refresh(db, sorted({response_id for response_id, _ in placed}))
    return len(placed)


def _measurement(response_id: int, row: OutsideMeasurement) -> MeasurementRow:
    if math.isnan(row.value):
        return MeasurementRow(response_id, row.metric, None, "unscored")
    return MeasurementRow(response_id, row.metric, row.value, "scored")


def _judgement(response_id: int, row: OutsideJudgement) -> JudgementRow:
    return JudgementRow(response_id, row.judge, row.state, row.verdict, row.score, row.reason)


def _placed(db: sqlite3.Connection, benchmark: str, rows: Iterable[Row], system: str | None) -> list[tuple[int, Row]]:
    known = current_ids(db, benchmark)
    found = []
    for row in rows:
        response_id = known.get((row.system or system or "", row.subset, row.key))
        if response_id is not None:
            found.append((response_id, row))
    return found


def _new(
    db: sqlite3.Connection, workspace: Workspace, instance: int, response: RecordedResponse, keep: Keep
) -> NewResponse:
    audio_id = take_audio(db, workspace, response.audio, keep) if response.audio is not None else None
    has_answer = response.text is not None or response.audio is not None
    state = "failed" if response.error else "answered" if has_answer else "no_answer"
    file = response.audio.name if response.audio is not None else ""
    return NewResponse(
        instance, state, response.text, audio_id, response.timings, response.flags, response.error, file=file
    )


def _not_audio(batch: Iterable[RecordedResponse]) -> Iterator[str]:
    """Which answers name a file that does not begin as audio does; no sample is read."""
    from engine.audio.source import opened  # it loads libsndfile

    for response in batch:
        if response.audio is not None:
            try:
                with opened(response.audio):
                    continue
            except EngineError:
                yield f"{response.subset}/{response.key} ({response.audio.name})"


def _take_transcripts(
    db: sqlite3.Connection,
    heard_by: str,
    answered: Mapping[tuple[int, int], tuple[int, str]],
    known: Mapping[tuple[str, str], int],
    batch: Sequence[RecordedResponse],
) -> list[int]:
    heard = [r for r in batch if r.transcript is not None]
    if not heard:
        return []
    maker = maker_id(db, Maker("imported", heard_by))
    rows = [TranscriptRow(answered[known[r.subset, r.key], 0][0], None, "scored", r.transcript) for r in heard]
    put_transcripts(db, maker, rows)
    return [row.response_id for row in rows]
