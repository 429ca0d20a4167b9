"""What ``auricle run`` and ``auricle work`` share: runs that a file asks for, and saying what there is to do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from engine.cli.console import UNUSABLE_INPUT
from engine.errors import EngineError

DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Say what there is to do; do nothing.")]
RequestOption = Annotated[str | None, typer.Option("--request", hidden=True, help="File with a run's settings.")]


def asked_by(request: str) -> dict[str, Any]:
    """The settings that whoever launched this run wrote; a list of answers is too long for a command line."""
    told: dict[str, Any] = json.loads(Path(request).read_text(encoding="utf-8"))
    return told


@contextmanager
def refusal_told(request: str | None) -> Iterator[None]:
    """Where a file asked for the run, tell why it cannot be as an event, for the program that wrote the file."""
    try:
        yield
    except EngineError as error:
        if request is None:
            raise
        print(json.dumps({"event": "refused", "code": error.code, "values": error.values}, default=str), flush=True)
        raise typer.Exit(UNUSABLE_INPUT) from error
