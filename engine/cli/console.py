"""What verbs share: options, the user's language, progress on the terminal, and printing tables."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from engine.errors import EngineError
from engine.progress import Progress
from engine.strings import text

if TYPE_CHECKING:
    from engine.store.workspace import Workspace

_PROBLEMS_SHOWN = 10
_WHOLE = ("export", "pack", "bundle", "read", "check", "doctor", "flips")  # steps that write a whole thing, or nothing
FINDINGS, UNUSABLE_INPUT = 1, 2  # exit statuses; 0 is clean
Result = TypeVar("Result")

WorkspaceOption = Annotated[
    Path | None,
    typer.Option("--workspace", "-w", help="The workspace's folder; else $AURICLE_WORKSPACE, else the default one."),
]
ExclusiveOption = Annotated[
    bool, typer.Option("--exclusive", help="No other machine opens this workspace: allow a network drive.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
SystemOption = Annotated[str | None, typer.Option("--system", help="Only this system.")]
SubsetOption = Annotated[
    list[str] | None, typer.Option("--subset", metavar="NAME", help="Only this subset or task; may be repeated.")
]
ForBenchmarkOption = Annotated[str, typer.Option("--benchmark", help="The benchmark that was asked.")]
ReplaceOption = Annotated[bool, typer.Option("--replace", help="Write over a file that is there.")]
EventsOption = Annotated[bool, typer.Option("--events", help="Print what happens as JSON lines, for a program.")]


def language() -> str:
    """The user's language: ``$AURICLE_LANGUAGE``, else that of the locale; ``"zh"`` or ``"en"``."""
    told = os.environ.get("AURICLE_LANGUAGE") or os.environ.get("LC_ALL") or os.environ.get("LANG") or ""
    return "zh" if told.lower().startswith("zh") else "en"


def open_or_stop(
    folder: Path | None, *, create: bool = False, exclusive: bool = False, only_reading: bool = False
) -> Workspace:
    """The workspace that was asked for; an EngineError says why it cannot be opened."""
    from engine.store.workspace import default_folder, open_workspace

    return open_workspace(folder or default_folder(), create=create, exclusive=exclusive, only_reading=only_reading)


def open_derived(
    folder: Path | None, *, create: bool = False, exclusive: bool = False, only_reading: bool = False
) -> Workspace:
    """The same, with its wide rows as today's code derives them."""
    from engine.scoring.derive import ensure_derived

    opened = open_or_stop(folder, create=create, exclusive=exclusive, only_reading=only_reading)
    with contextlib.closing(opened.connect()) as db:
        watch(ensure_derived(db), "rebuild")
    return opened


def underscored(name: str | None) -> str | None:
    """An id as the store writes it; the command line takes hyphens too."""
    return None if name is None else name.replace("-", "_")


def said(key: str, **values: Any) -> str:
    """One sentence of the command line, in the user's language."""
    return text(f"cli.said.{key}", language(), **values)


def column(name: str) -> str:
    """The heading of a table's column, in the user's language."""
    return text(f"cli.column.{name}", language())


def _interrupt(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


def watch(work: Generator[Progress, None, Result], step: str, *, quiet: bool = False) -> Result:
    """Run ``work`` to its end, showing done, rate and time left on stderr; Ctrl-C closes it properly."""
    from engine.runs.driver import StopAskedError

    title = text(f"cli.step.{step}", language())
    shown = _Line(title, quiet)
    with contextlib.suppress(ValueError):  # not the main thread
        signal.signal(signal.SIGTERM, _interrupt)  # asked to end, a run closes as for Ctrl-C
    try:
        while True:
            shown.show(next(work))
    except StopIteration as end:
        shown.finish()
        result: Result = end.value
        return result
    except (KeyboardInterrupt, StopAskedError):
        work.close()
        print("\n" + said("stopped_whole" if step in _WHOLE else "stopped", title=title), file=sys.stderr)
        raise typer.Exit(130) from None
    finally:
        work.close()


def print_json(value: Any) -> None:
    """``value`` as indented JSON; NaN becomes null, Chinese stays readable."""
    print(json.dumps(_plain(value), ensure_ascii=False, indent=1))


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], note: str = "", *, words: int = 1
) -> None:
    """A table as wide as the terminal, or as wide as it needs to be in a file; the first ``words`` columns are text."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, heading in enumerate(columns):
        table.add_column(Text(heading), justify="left" if place < words else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # Text: brackets in data are no markup
    width = None if sys.stdout.isatty() else 160
    console = Console(width=width, highlight=False)
    console.print(table)
    if note:
        console.print(Text(note))


def stop_for_problems(problems: Sequence[tuple[object, EngineError]]) -> None:
    """Tell on stderr where something went wrong and why; anything makes the exit status 1."""
    for place, error in problems[:_PROBLEMS_SHOWN]:
        print(f"  {place}: {error.sentence(language())}", file=sys.stderr)
    if len(problems) > _PROBLEMS_SHOWN:
        print("  " + said("and_more", count=len(problems) - _PROBLEMS_SHOWN), file=sys.stderr)
    if problems:
        raise typer.Exit(FINDINGS)


def number(value: float, decimals: int = 1) -> str:
    """A figure as tables print it: a true minus, and a dash for no value."""
    if math.isnan(value):
        return "—"
    return f"{value:.{decimals}f}".replace("-", "−")


class _Line:
    """One progress line that is drawn over itself on a terminal, and a line per tenth of the way elsewhere."""

    def __init__(self, title: str, quiet: bool) -> None:
        self._title, self._quiet = title, quiet
        self._terminal = sys.stderr.isatty()
        self._began = time.monotonic()
        self._next = 0.0
        self._label, self._from = "", 0
        self._written = ""
        self._last: Progress | None = None
        self._shown: Progress | None = None

    def show(self, step: Progress) -> None:
        self._last = step
        if self._quiet:
            return
        now = time.monotonic()
        share = step.done / step.total if step.total else 0.0
        if step.label != self._label:
            self._label, self._began, self._next, self._from = step.label, now, 0.0, step.done
        if now < self._next if self._terminal else share < self._next:
            return
        self._next = now + 0.1 if self._terminal else math.floor(share * 10 + 1) / 10
        self._write(step)

    def finish(self) -> None:
        if self._last is not None and not self._quiet:
            if self._last is not self._shown:  # its time has gone on since: it would be told twice
                self._write(self._last)
            if self._terminal:
                print(file=sys.stderr)

    def _write(self, step: Progress) -> None:
        self._shown = step
        spent = time.monotonic() - self._began
        rate = (step.done - self._from) / spent if spent > 0.5 else 0.0
        left = (step.total - step.done) / rate if rate > 0 else 0.0
        failed = said("progress_failed", count=step.failed) if step.failed else ""
        line = said(
            "progress" if rate else "progress_begins",
            title=self._title,
            done=step.done,
            total=step.total,
            label=f" {step.label}" if step.label else "",
            rate=rate,
            left=left,
            failed=failed,
        )
        if line == self._written:
            return
        self._written = line
        if self._terminal:
            print(f"\r\033[K{line[:120]}", end="", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value
