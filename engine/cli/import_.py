"""``auricle import``: benchmarks, recorded answers, and results computed elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
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
from engine.cli.ratings import import_ as ratings
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.benchmarks.values import Imported, Problem

app = typer.Typer(
    help="Take in a benchmark, a system's recorded answers, or results computed elsewhere.", no_args_is_help=True
)
app.command("ratings")(ratings)
SHOWN = 20  # problems printed; the count says how many there are


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
    opened = open_or_stop(workspace, exclusive=exclusive)
    taken = watch(take_answers(opened, underscored(benchmark) or benchmark, read, audio.value), "import")
    print(
        said(
            "answers_taken",
            system=read.recorded.system,
            added=taken.added,
            same=taken.same,
            unknown=taken.unknown,
            transcripts=taken.transcripts,
            measurements=taken.measurements,
            judgements=taken.judgements,
        )
    )
    if taken.unknown:
        print("- " + said("unknown_answers", count=taken.unknown, keys=", ".join(taken.unknown_keys)))
    if taken.without_audio:
        print("- " + said("audio_not_found", count=taken.without_audio))
    _tell(read.recorded.problems, also=taken.unknown > 0 or taken.without_audio > 0)


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
    from engine.benchmarks.outside import read_outside
    from engine.runs.imports import take_judgements, take_measurements

    if not file.is_file():
        raise EngineError("runs.no_such_file", path=str(file))
    read = watch(read_outside(file, encoding), "read", quiet=True)
    name = underscored(benchmark) or benchmark
    with closing(open_or_stop(workspace, exclusive=exclusive).connect()) as db:
        numbers = take_measurements(db, name, read.measurements, system)
        verdicts = take_judgements(db, name, read.judgements, system)
    unplaced = len(read.measurements) + len(read.judgements) - numbers - verdicts
    print(said("outside_taken", measurements=numbers, judgements=verdicts, unplaced=unplaced))
    _tell(read.problems, also=unplaced > 0)


def _store_benchmark(workspace: Path | None, exclusive: bool, folder: Path, read: Imported, keep: Keep) -> None:
    from engine.runs.imports import take_benchmark

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
    """Print what was wrong; a record that was left out makes the exit status 1."""
    for problem in problems[:SHOWN]:
        print(f"- {problem.sentence(language())}")
    if len(problems) > SHOWN:
        print("- " + said("and_more", count=len(problems) - SHOWN))
    if also or any(not problem.kept for problem in problems):
        raise typer.Exit(FINDINGS)
