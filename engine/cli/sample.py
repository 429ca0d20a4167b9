"""``auricle sample``: the sample workspace, and with --run the whole main job on it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from engine.cli.console import ExclusiveOption, WorkspaceOption, language, open_or_stop, said, watch


def sample(
    run: Annotated[bool, typer.Option("--run", help="Then measure, judge, score and report.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Make the sample workspace from what ships: instances over all abilities, and answers of three systems."""
    from engine.runs.sample import take_sample

    opened = open_or_stop(workspace, create=True, exclusive=exclusive)
    taken = watch(take_sample(opened), "sample", quiet=True)
    print(
        said("sample_taken", path=opened.folder, instances=taken.instances, answers=taken.answers, added=taken.added),
        file=sys.stderr,
    )
    if not run:
        return
    from engine.cli.judge import tell_judged
    from engine.cli.measure import tell_measured
    from engine.cli.score import print_scores
    from engine.report.page import write_report
    from engine.runs.judge import judge_workspace
    from engine.runs.judge_plan import JudgeOptions
    from engine.runs.measure import MeasureOptions, measure_workspace
    from engine.store.plans import Scope

    tell_measured(watch(measure_workspace(opened, Scope(), MeasureOptions()), "measure"))
    tell_judged(watch(judge_workspace(opened, Scope(), JudgeOptions()), "judge", quiet=True))
    print_scores(opened)
    print(said("report_written", path=write_report(opened, opened.folder / "report.html", language())))
