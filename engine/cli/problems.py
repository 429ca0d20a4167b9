"""How verbs that read files tell what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from engine.cli.console import language, said
from engine.errors import EngineError

if TYPE_CHECKING:
    from engine.benchmarks.values import Problem

SHOWN = 20  # the count says how many more there are


def print_first(lines: Sequence[str]) -> None:
    """The first lines of a list, and how many more there are."""
    for line in lines[:SHOWN]:
        print(f"- {line}")
    if len(lines) > SHOWN:
        print("- " + said("and_more", count=len(lines) - SHOWN))


def print_problems(problems: Sequence[Problem]) -> None:
    """The first problems of a file that was read, a sentence each."""
    print_first([problem.sentence(language()) for problem in problems])


def stop_empty(code: str, path: Path | None, problems: Sequence[Problem]) -> NoReturn:
    """Say why nothing could be read, and stop as for any input that is of no use."""
    print_problems(problems)
    raise EngineError(code, path=str(path or "."))
