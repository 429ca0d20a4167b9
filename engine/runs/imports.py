"""Writes what importers read: benchmarks, recorded answers, and results computed elsewhere."""

from __future__ import annotations

import sqlite3
import tomllib
from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from engine.benchmarks.manifest import read_manifest
from engine.benchmarks.recorded import read_recorded
from engine.benchmarks.responses import Recorded
from engine.benchmarks.values import OutsideJudgement, OutsideMeasurement, RecordedResponse
from engine.errors import EngineError
from engine.progress import Progress
from engine.scoring.derive import refresh
from engine.store.audio import Keep, take_audio
from engine.store.makers import Maker, maker_id
from engine.store.responses import (
    NewResponse,
    add_responses,
    current_ids,
    current_ids_of_system,
    instance_ids,
    system_id,
)
from engine.store.results import (
    JudgementRow,
    MeasurementRow,
    TranscriptRow,
    put_judgements,
    put_measurements,
    put_transcripts,
)
from engine.store.runs import begin_run, end_run, mark_progress
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

BATCH = 500
Row = TypeVar("Row", OutsideMeasurement, OutsideJudgement)
PUBLISHED_TRANSCRIPTS = Maker("imported", "published/json_asr")


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What an import of answers did: rows new and the same as before, answers to unknown instances, results taken."""

    added: int
    same: int
    unknown: int
    transcripts: int = 0
    measurements: int = 0
    judgements: int = 0


def read_answers(
    folder: Path | None,
    manifest: Path | None = None,
    *,
    system: str | None = None,
    subsets: Sequence[str] | None = None,
    audio: Path | None = None,
    encoding: str | None = None,
) -> Generator[Progress, None, tuple[Recorded, Mapping[str, Any]]]:
    """A system's recorded answers and what it declares of itself (``system.toml`` in its folder, if there is one).

    Raises EngineError where neither a folder of answers nor a manifest was named.
    """
    if manifest is not None:
        recorded = yield from read_manifest(manifest, system, audio, encoding)
        return recorded, {}
    if folder is None or not folder.is_dir():
        raise EngineError("runs.nothing_recorded", path=str(folder or "."))
    recorded = yield from read_recorded(folder, system, subsets, encoding)
    declared = folder / "system.toml"
    return recorded, tomllib.loads(declared.read_text(encoding="utf-8")) if declared.exists() else {}


def take_responses(
    workspace: Workspace,
    benchmark: str,
    system: str,
    responses: Sequence[RecordedResponse],
    *,
    declaration: Mapping[str, Any] | None = None,
    judgements: Sequence[OutsideJudgement] = (),
    measurements: Sequence[OutsideMeasurement] = (),
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
        run = begin_run(db, "import", {"system": system, "benchmark": benchmark}, len(answers))
        added = same = heard = 0
        for start in range(0, len(answers), BATCH):
            batch = answers[start : start + BATCH]
            with transaction(db):
                owner = system_id(db, system, "recorded", declaration)
                fresh, unchanged = add_responses(
                    db, run, owner, [_new(db, workspace, known[r.subset, r.key], r, keep) for r in batch]
                )
                heard += _take_transcripts(db, owner, known, batch)
                refresh(db, fresh)
                added, same = added + len(fresh), same + unchanged
                mark_progress(db, run, added + same, 0)
            yield Progress(start + len(batch), len(answers), system)
        numbers = take_measurements(db, benchmark, measurements, system)
        verdicts = take_judgements(db, benchmark, judgements, system)
        end_run(db, run, "done")
        return TakenIn(added, same, len(responses) - len(answers), heard, numbers, verdicts)
    finally:
        db.close()


def take_measurements(
    db: sqlite3.Connection, benchmark: str, rows: Sequence[OutsideMeasurement], system: str | None = None
) -> int:
    """Store numbers computed elsewhere; those of unknown answers are left out. Returns how many were stored."""
    placed = _placed(db, benchmark, rows, system)
    by_maker: dict[_Named, list[MeasurementRow]] = defaultdict(list)
    for response_id, row in placed:
        value = None if row.value != row.value else row.value
        state = "scored" if value is not None else "unscored"
        by_maker[_Named(row.maker_name or "outside", row.maker_version)].append(
            MeasurementRow(response_id, row.metric, value, state)
        )
    with transaction(db):
        for named, entries in by_maker.items():
            put_measurements(db, maker_id(db, named.maker()), entries)
        refresh(db, sorted({response_id for response_id, _ in placed}))
    return len(placed)


def take_judgements(
    db: sqlite3.Connection, benchmark: str, rows: Sequence[OutsideJudgement], system: str | None = None
) -> int:
    """Store verdicts given elsewhere; those on unknown answers are left out. Returns how many were stored."""
    placed = _placed(db, benchmark, rows, system)
    by_maker: dict[_Named, list[JudgementRow]] = defaultdict(list)
    for response_id, row in placed:
        by_maker[_Named(row.maker_name or "outside", row.maker_version)].append(
            JudgementRow(response_id, row.judge, row.state, row.verdict, row.score, row.reason)
        )
    with transaction(db):
        for named, entries in by_maker.items():
            put_judgements(db, maker_id(db, named.maker()), entries)
        refresh(db, sorted({response_id for response_id, _ in placed}))
    return len(placed)


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    version: str

    def maker(self) -> Maker:
        return Maker("imported", self.name, self.version or "1")


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
    return NewResponse(instance, state, response.text, audio_id, response.timings, response.flags, response.error)


def _take_transcripts(
    db: sqlite3.Connection, owner: int, known: Mapping[tuple[str, str], int], batch: Sequence[RecordedResponse]
) -> int:
    heard = [r for r in batch if r.transcript is not None]
    if not heard:
        return 0
    by_instance = current_ids_of_system(db, owner)
    maker = maker_id(db, PUBLISHED_TRANSCRIPTS)
    rows = [TranscriptRow(by_instance[known[r.subset, r.key]], None, "scored", r.transcript) for r in heard]
    put_transcripts(db, maker, rows)
    return len(rows)
