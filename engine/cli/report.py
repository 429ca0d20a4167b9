"""``auricle report``: one self-contained HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import ExclusiveOption, WorkspaceOption, language, open_derived, said


def report(
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The file; else report.html in the workspace")] = None,
    clips: Annotated[int, typer.Option("--clips", help="Answers with players, for each system.", min=0)] = 25,
    report_language: Annotated[str | None, typer.Option("--language", help="zh or en; else the terminal's.")] = None,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Write scores, their makers, and the worst answers with players into one file that needs nothing else."""
    from engine.report.page import write_report
    from engine.strings import LANGUAGES

    if report_language not in (None, *LANGUAGES):
        raise typer.BadParameter("zh or en", param_hint="--language")
    opened = open_derived(workspace, exclusive=exclusive, only_reading=True)
    path = write_report(opened, out or opened.folder / "report.html", report_language or language(), clips)
    print(said("report_written", path=path))
