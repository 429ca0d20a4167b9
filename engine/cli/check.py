"""``auricle check``: what is wrong with recorded answers, before anything is spent on them."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from engine.cli.console import (
    FINDINGS,
    ExclusiveOption,
    JsonOption,
    SubsetOption,
    WorkspaceOption,
    column,
    language,
    open_or_stop,
    print_json,
    print_table,
    said,
    underscored,
    watch,
)
from engine.cli.problems import stop_empty
from engine.strings import text

if TYPE_CHECKING:
    from engine.benchmarks.check import CheckReport
    from engine.benchmarks.values import Instance

SHOWN = 8  # findings printed of each kind and subset


def check(
    folder: Annotated[Path, typer.Argument(help="model_output/<system>, or a manifest file.")],
    benchmark: Annotated[
        str, typer.Option("--benchmark", help="An imported benchmark, or the folder of VocalBench-zh.")
    ],
    subset: SubsetOption = None,
    encoding: Annotated[str | None, typer.Option("--encoding", help="Of the files.")] = None,
    as_json: JsonOption = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Look for faults in recorded answers; exit status 1 when there are any."""
    from engine.benchmarks.check import check_recorded
    from engine.runs.imports import read_answers

    is_folder = folder.is_dir()
    read = watch(
        read_answers(folder if is_folder else None, None if is_folder else folder, subsets=subset, encoding=encoding),
        "read",
        quiet=True,
    )
    if not (read.recorded.responses or read.recorded.stray_audio):
        stop_empty("runs.no_answers_in", folder, () if as_json else read.recorded.problems)
    instances = _instances(benchmark, subset, workspace, exclusive)
    found = watch(check_recorded(read.recorded, instances), "check", quiet=as_json)
    if as_json:
        print_json(_told(found))
    else:
        _print(found)
    if found.has_faults:
        raise typer.Exit(FINDINGS)


def _instances(benchmark: str, subsets: list[str] | None, workspace: Path | None, exclusive: bool) -> list[Instance]:
    wanted = {name.rpartition("/")[2].replace("-", "_") for name in subsets or ()}
    if Path(benchmark).is_dir():
        from engine.benchmarks.vocalbench_zh import read_vocalbench_zh

        return list(watch(read_vocalbench_zh(Path(benchmark), subsets), "read", quiet=True).instances)
    from engine.errors import EngineError
    from engine.store.benchmarks import instances_of

    with closing(open_or_stop(workspace, exclusive=exclusive, only_reading=True).connect()) as db:
        found = list(instances_of(db, underscored(benchmark) or benchmark))
    if not found:
        raise EngineError("runs.benchmark_not_imported", benchmark=benchmark)
    return [instance for instance in found if not wanted or instance.subset in wanted]


def _told(found: CheckReport) -> dict[str, object]:
    return {
        "asked": found.asked,
        "answered": found.answered,
        "with_audio": found.with_audio,
        "good_audio": found.good_audio,
        "subsets": [
            {"subset": c.subset, "asked": c.asked, "answered": c.answered, "with_audio": c.with_audio,
             "good_audio": c.good_audio}
            for c in found.counts
        ],
        "findings": [
            {"subset": f.subset, "key": f.key, "code": f.code, "severity": f.severity, "says": f.sentence(language())}
            for f in found.findings
        ],
        "problems": [problem.sentence(language()) for problem in found.problems],
    }  # fmt: skip


def _print(found: CheckReport) -> None:
    rows = [(c.subset, str(c.asked), str(c.answered), str(c.with_audio), str(c.good_audio)) for c in found.counts]
    print_table("", [column(name) for name in ("subset", "asked", "answered", "with_audio", "good_audio")], rows)
    kinds = Counter((f.subset, f.code, f.severity) for f in found.findings)
    for (subset, code, severity), count in kinds.items():
        mine = [f for f in found.findings if (f.subset, f.code, f.severity) == (subset, code, severity)]
        kind = text(f"cli.severity.{severity}", language())
        what = f"{count} × {code.rpartition('.')[2].replace('_', ' ')}"
        print(": ".join(part for part in (kind, subset, what) if part))
        for finding in mine[:SHOWN]:
            print("    " + ": ".join(part for part in (finding.place, finding.sentence(language())) if part))
        if count > SHOWN:
            print("    " + said("and_more_json", count=count - SHOWN))
    for problem in found.problems:
        print(f"- {problem.sentence(language())}")
