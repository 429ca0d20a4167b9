"""``auricle pack``: answers with all that is known of them, as a file for another workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import ExclusiveOption, WorkspaceOption, open_or_stop, said, watch


def pack(
    run: Annotated[str | None, typer.Argument(help="The number or uid of a run.")] = None,
    system: Annotated[str | None, typer.Option("--system", help="The answers of this system.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Everything that is in the workspace.")] = False,
    questions: Annotated[
        bool, typer.Option("--questions", help="The audio of what was asked too, not only its hashes.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="A .zip, or a folder where it ends otherwise.")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Write over a pack that is there.")] = False,
    workspace: WorkspaceOption = None,
    exclusive: ExclusiveOption = False,
) -> None:
    """Write answers, their audio, measurements, judgements, makers, and what people said of them into one file."""
    from engine.bring.pack import pack as packed

    if (run is not None) + (system is not None) + everything != 1:
        raise typer.BadParameter("RUN | --system | --all")
    opened = open_or_stop(workspace, exclusive=exclusive, only_reading=True)
    path = out or Path(f"auricle-{'all' if everything else system or f'run-{run}'}.zip".replace("/", "_"))
    done = watch(packed(opened, path, run=run, system=system, questions=questions, replace=replace), "pack")
    print(said("packed", answers=done.answers, audios=done.audios, megabytes=done.byte_count / 1e6, path=done.path))
