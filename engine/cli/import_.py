"""``auricle import``: benchmarks, recorded answers, and results computed elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import (
    FINDINGS,
    ExclusiveOption,
    ForBenchmarkOption,
    SubsetOption,
    WorkspaceOption,
    language,
    open_or_stop,
    said,
    underscored,
    watch,
)
from engine.cli.problems import print_first, print_problems, stop_empty
from engine.cli.ratings import import_ as ratings
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.benchmarks.responses import Recorded
    from engine.benchmarks.values import Imported, Problem
    from engine.runs.imports import TakenIn

app = typer.Typer(
    help="Take in a benchmark, a system's recorded answers, or results computed elsewhere.", no_args_is_help=True
)
app.command("ratings")(ratings)


class Keep(StrEnum):
    """How audio is taken into the workspace."""

    link = "link"
    copy = "copy"
    reference = "reference"


KeepOption = Annotated[Keep, typer.Option("--audio", help="Hard link where the disk can, copy, or keep only the path.")]
EncodingOption = Annotated[str | None, typer.Option("--encoding", help="Of the files, where they do not tell it.")]
AudioRootOption = Annotated[Path | None, typer.Option("--audio-root", help="Folder that audio names start from.")]


@app.command("vocalbench-zh")
def vocalbench_zh(
    folder: Annotated[Path, typer.Argument(help="A checkout of VocalBench-zh, or its json folder.")],
    subset: SubsetOption = None,
    audio_root: AudioRootOption = None,
    audio: KeepOption = Keep.link,
    encoding: EncodingOption = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Import VocalBench-zh: all subsets that are there, or those named."""
    from engine.benchmarks.vocalbench_zh import read_vocalbench_zh

    read = watch(read_vocalbench_zh(folder, subset, audio_root, encoding), "read", quiet=True)
    _store_benchmark(workspace, exclusive, folder, read, audio)


@app.command("dynamic-superb")
def dynamic_superb(
    folder: Annotated[Path, typer.Argument(help="A task's folder, or a folder of tasks.")],
    subset: SubsetOption = None,
    audio: KeepOption = Keep.link,
    encoding: EncodingOption = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Import tasks in Dynamic-SUPERB's form."""
    from engine.benchmarks.dynamic_superb import read_dynamic_superb

    read = watch(read_dynamic_superb(folder, subset, encoding), "read", quiet=True)
    _store_benchmark(workspace, exclusive, folder, read, audio)


@app.command()
def responses(
    folder: Annotated[Path | None, typer.Argument(help="model_output/<system>: json, wav, json_asr, result.")] = None,
    system: Annotated[str | None, typer.Option("--system", help="The system's name; else the folder's.")] = None,
    manifest: Annotated[Path | None, typer.Option("--manifest", help="A CSV or JSONL file that lists them.")] = None,
    benchmark: ForBenchmarkOption = "vocalbench_zh",
    subset: SubsetOption = None,
    audio_root: AudioRootOption = None,
    audio: KeepOption = Keep.link,
    encoding: EncodingOption = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Import what a system answered, with transcripts and published results that lie beside it."""
    from engine.runs.imports import read_answers, take_answers

    read = watch(
        read_answers(folder, manifest, system=system, subsets=subset, audio=audio_root, encoding=encoding),
        "read",
        quiet=True,
    )
    if not read.recorded.responses:
        stop_empty("runs.no_answers_in", manifest or folder, read.recorded.problems)
    opened = open_or_stop(workspace, exclusive=exclusive)
    taken = watch(take_answers(opened, underscored(benchmark) or benchmark, read, audio.value), "import")
    print(
        said(
            "answers_taken",
            system=read.recorded.system,
            added=taken.added,
            replaced=taken.replaced,
            same=taken.same,
            unknown=taken.unknown,
            transcripts=taken.transcripts,
            measurements=taken.measurements,
            judgements=taken.judgements,
        )
    )
    repeats = _of_repeats(read.recorded)
    print_first(repeats)
    found = list(_of_answers(taken))
    print_first(found)
    if taken.replaced:
        print("- " + said("answers_replaced", count=taken.replaced))
    _tell(read.recorded.problems, also=bool(found or repeats))


@app.command("measurements", help="Import numbers that were computed elsewhere, such as UTMOS or emotion.")
@app.command("judgements", help="Import verdicts that were given elsewhere.")
def outside(
    file: Annotated[Path, typer.Argument(help="CSV or JSONL: subset, Qid, system, maker; metric, value or judge, …")],
    system: Annotated[str | None, typer.Option("--system", help="Whose, where the file does not say it.")] = None,
    benchmark: ForBenchmarkOption = "vocalbench_zh",
    encoding: EncodingOption = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Import results computed elsewhere; a file may hold both kinds."""
    from engine.runs.imports import take_judgements, take_measurements
    from engine.runs.outside import read_known_results

    if not file.is_file():
        raise EngineError("runs.no_such_file", path=str(file))
    read = watch(read_known_results(file, encoding), "read", quiet=True)
    if not read.rows:
        stop_empty("runs.no_results_in", file, read.problems)
    name = underscored(benchmark) or benchmark
    with closing(open_or_stop(workspace, exclusive=exclusive).connect()) as db:
        numbers = take_measurements(db, name, read.measurements, system)
        verdicts = take_judgements(db, name, read.judgements, system)
    unplaced = len(read.measurements) + len(read.judgements) - numbers - verdicts
    print(said("outside_taken", measurements=numbers, judgements=verdicts, unplaced=unplaced))
    _tell(read.problems, also=unplaced > 0)


def _store_benchmark(workspace: Path | None, exclusive: bool, folder: Path, read: Imported, keep: Keep) -> None:
    from engine.runs.imports import take_benchmark

    if not read.instances:
        stop_empty("runs.no_instances_in", folder, read.problems)
    opened = open_or_stop(workspace, create=True, exclusive=exclusive)
    stored = watch(take_benchmark(opened, read, folder, keep.value), "import")
    print(
        said(
            "benchmark_taken",
            benchmark=read.benchmark,
            subsets=len(read.subsets),
            added=stored.added,
            changed=stored.changed,
            same=stored.same,
            audio=stored.audio_taken,
            missing=stored.audio_missing,
        )
    )
    _tell(read.problems)


def _tell(problems: Sequence[Problem], also: bool = False) -> None:
    """Print what was wrong; what was left out makes the exit status 1."""
    print_problems(problems)
    if also or any(problem.is_loss for problem in problems):
        raise typer.Exit(FINDINGS)


def _of_answers(taken: TakenIn) -> Iterator[str]:
    if taken.unknown:
        yield said("unknown_answers", count=taken.unknown, keys=", ".join(taken.unknown_keys))
    if taken.without_audio:
        yield said("audio_not_found", count=taken.without_audio)
    if taken.not_audio:
        yield said("audio_unreadable", count=len(taken.not_audio), first=taken.not_audio[0])


def _of_repeats(recorded: Recorded) -> list[str]:
    """Answers that were left out for another one with their Qid that says something else."""
    from engine.benchmarks.check import repeats

    differing = [finding for finding in repeats(recorded) if finding.severity == "fault"]
    return [f"{found.subset}/{found.key}: {found.sentence(language())}" for found in differing]
