"""``auricle open``: the window, as a process of its own; the engine knows no Qt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from engine.cli.console import WorkspaceOption


def open_window(
    folder: Annotated[Path | None, typer.Argument(help="The workspace's folder; the same as --workspace.")] = None,
    gallery: Annotated[bool, typer.Option("--gallery", help="Show every part the screens are made of.")] = False,
    workspace: WorkspaceOption = None,
) -> None:
    """Open the window; several may be open at once, on the same workspace too."""
    chosen = workspace or folder
    command = [sys.executable, "-P", "-m", "gui"]
    command += ["--gallery"] if gallery else []
    command += ["--workspace", str(chosen)] if chosen is not None else []
    if os.name == "posix":
        os.execv(sys.executable, command)  # the window takes this process's place: its signals, its exit status
    raise typer.Exit(subprocess.run(command, check=False).returncode)
