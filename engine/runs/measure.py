"""Measuring a workspace: facts, transcripts, speech quality, error rates; each computed once, by a worker."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TextIO

from engine.progress import Progress
from engine.runs.before import rederive
from engine.runs.correction import settle_all
from engine.runs.driver import Batch, Drive, driving, until_stopped
from engine.runs.error_rates import measure_error_rates
from engine.runs.facts import unreadable
from engine.runs.floor import has_floors, measure_floors
from engine.runs.pool import check_place, cluster
from engine.runs.scope import brief, keep_chosen, looked_up
from engine.runs.serving import Met, Served, Serving, asked_of
from engine.speech.dnsmos import dnsmos_weights_sha256
from engine.speech.values import RecogniserSpec
from engine.store.audio import set_facts
from engine.store.makers import Maker, maker_id
from engine.store.plans import (
    Scope,
    clips_without_facts,
    clips_without_measurement,
    clips_without_transcript,
    recognisers_like,
)
from engine.store.results import (
    MeasurementRow,
    TranscriptRow,
    put_measurements,
    put_transcripts,
    reuse_measurements,
    reuse_transcripts,
)
from engine.store.transaction import transaction
from engine.store.workspace import Workspace

QUALITY_METRICS = ("dnsmos_ovrl", "dnsmos_sig", "dnsmos_bak", "dnsmos_p808")


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """What is measured and with which recogniser."""

    recogniser: RecogniserSpec = field(default_factory=lambda: RecogniserSpec(word_times=True))
    recognise: bool = True
    quality: bool = True
    command: tuple[str, ...] = ()  # that starts the worker; () is ours on this machine
    workers: int = 1
    place: str = "local"  # where they are, a key of engine.runs.pool.PLACES
    address: str = ""  # of a Ray cluster; "" finds it
    resources: tuple[tuple[str, float], ...] = ()  # of each worker there


@dataclass(frozen=True, slots=True)
class Measured:
    """How many clips were read, recognised and measured, transcripts compared, and items that failed."""

    read: int
    recognised: int
    measured: int
    compared: int
    failed: int
    troubles: Mapping[str, Met] = field(default_factory=dict)  # by code


def measure_workspace(
    workspace: Workspace, scope: Scope, options: MeasureOptions, follower: TextIO | None = None
) -> Generator[Progress, None, Measured]:
    """Measure what is not measured yet; closed or killed, what is written stays and the next call goes on from there.

    A clip that the worker cannot take, or that kills it twice, is stored as failed with its code and passed over.
    Raises EngineError where a package or weights are missing, or another driver works here.
    """
    check_place(options.place)
    with closing(workspace.connect()) as db:
        scope = looked_up(db, scope, workspace.runs)
    told = {"scope": brief(scope).told(), "measuring": asdict(options)}
    with driving(workspace, "measure", told, follower) as drive:
        keep_chosen(scope, drive.folder)
        return (yield from until_stopped(drive, measure(drive, scope, options)))


def measure(drive: Drive, scope: Scope, options: MeasureOptions) -> Generator[Progress, None, Measured]:
    """What :func:`measure_workspace` does, as a part of a run that goes on."""
    device = options.recogniser.device
    needs = cluster(options.address, options.resources, device, is_heavy=options.recognise)
    needs = replace(needs, one_gpu_each=options.recognise and device in ("auto", "cuda"))
    serving = Serving(drive, options.command, options.workers, options.place, needs)
    failed = drive.failed
    settle_all(drive)
    try:
        read = yield from _read(drive, serving, scope, "recognise" if options.recognise else "measure")
        recognised = (yield from _recognise(drive, serving, scope, options.recogniser)) if options.recognise else 0
        measured = (yield from _quality(drive, serving, scope)) if options.quality else 0
        compared = yield from measure_error_rates(drive, scope)
    finally:
        serving.close()
    return Measured(read, recognised, measured, compared, drive.failed - failed, serving.troubles)


def _read(drive: Drive, serving: Serving, scope: Scope, step: str) -> Generator[Progress, None, int]:
    clips = clips_without_facts(drive.db, scope)

    def write(found: list[Served]) -> None:
        for served in found:
            facts = served.result if served.error is None else unreadable(served.error, served.values)
            set_facts(drive.db, served.clip.audio_id, facts)
        rederive(drive, _responses(found))

    with drive.doing(step, "read", len(clips)):
        yield from _serve(drive, serving.ask("facts", clips), write, "audio")
    return len(clips)


def _recognise(drive: Drive, serving: Serving, scope: Scope, spec: RecogniserSpec) -> Generator[Progress, None, int]:
    known = recognisers_like(drive.db, spec.backend, asked_of(spec))
    is_known = known is None or has_floors(drive.db, known)  # nobody asks for the floor of one that heard nothing
    if is_known and not clips_without_transcript(drive.db, scope, known or 0):
        return 0  # nothing to do: no need to load a model to find that out
    maker = serving.recogniser(spec)
    row = yield from measure_floors(drive, serving, maker, spec)
    with transaction(drive.db):
        rederive(drive, reuse_transcripts(drive.db, row))
    clips = clips_without_transcript(drive.db, scope, row)

    def write(found: list[Served]) -> None:
        put_transcripts(drive.db, maker_id(drive.db, maker), [row for served in found for row in _transcripts(served)])
        rederive(drive, _responses(found))

    with drive.doing("recognise", "recognise", len(clips)):
        for language in ("zh", "en"):
            mine = [clip for clip in clips if ("en" if clip.language == "en" else "zh") == language]
            asked = serving.ask("recognise", mine, recogniser=asdict(spec), language=language)
            yield from _serve(drive, asked, write, "recognised")
    return len(clips)


def _quality(drive: Drive, serving: Serving, scope: Scope) -> Generator[Progress, None, int]:
    with transaction(drive.db):
        row = maker_id(drive.db, quality_maker())
        rederive(drive, reuse_measurements(drive.db, row, QUALITY_METRICS))
    clips = clips_without_measurement(drive.db, scope, row, QUALITY_METRICS[0])

    def write(found: list[Served]) -> None:
        put_measurements(drive.db, row, [entry for served in found for entry in _qualities(served)])
        rederive(drive, _responses(found))

    with drive.doing("measure", "quality", len(clips)):
        yield from _serve(drive, serving.ask("quality", clips), write, "speech quality")
    return len(clips)


def quality_maker() -> Maker:
    """The maker of speech quality; raises EngineError where its package is missing."""
    return Maker("quality", "dnsmos", "1", {}, dnsmos_weights_sha256(), None, ("speechmos", "onnxruntime"))


def _serve(
    drive: Drive, served: Generator[Served | None, None, None], write: Callable[[list[Served]], None], label: str
) -> Generator[Progress, None, None]:
    """Take what is served and write it in batches; counts in the phase that ``drive`` does."""
    batch: Batch[Served] = Batch(drive, write)
    try:
        for entry in served:
            if entry is not None:
                drive.count(state="scored" if entry.error is None else "failed")
                batch.add(entry)
            else:
                batch.tick()
            yield Progress(drive.phase.done, drive.phase.total, label, drive.failed)
    finally:
        served.close()
        batch.flush()


def _responses(found: Sequence[Served]) -> list[int]:
    return sorted({response_id for served in found for response_id in served.clip.response_ids})


def _transcripts(served: Served) -> list[TranscriptRow]:
    result: Mapping[str, Any] = served.result
    words = [(w["text"], w["start_s"], w["end_s"], w["probability"]) for w in result.get("words", ())]
    return [
        TranscriptRow(
            response_id,
            served.clip.audio_id,
            "scored" if served.error is None else "failed",
            result.get("text"),
            result.get("language"),
            words,
            result.get("spent_s"),
            tuple(result.get("flags", ())),
            served.error,
        )
        for response_id in served.clip.response_ids
    ]


def _qualities(served: Served) -> list[MeasurementRow]:
    rows = []
    for response_id in served.clip.response_ids:
        for metric in QUALITY_METRICS:
            value = served.result.get(metric.removeprefix("dnsmos_"))
            state = "failed" if served.error is not None else "scored" if value is not None else "unscored"
            detail = None if served.error is None else {"error": served.error}
            rows.append(MeasurementRow(response_id, metric, value, state, detail=detail))
    return rows
