"""Imports a room while the window is used: what has no Qt classes on a pool thread, the rest a module a turn.

PySide keeps what it knows of classes where the GUI thread reads it without a lock (PySide6 6.11): a class that is made
on a pool thread while events are handled may end the process.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path

from engine.strings import read_rooms
from gui.strings import words

_ABOVE = Path(__file__).parents[1]
_NEEDS = re.compile(r"^from (\w+(?:\.\w+)*) import|^import (\w+(?:\.\w+)*)", re.MULTILINE)
_WORDS = re.compile(r"^WORDS = \(([^)]*)\)", re.MULTILINE)


def load_engine_of(module: str) -> None:
    """On a pool thread: import all that a module of the window and those below it need, but for those with Qt."""
    for source in _sources(module, set()):
        for name in _needs(source):
            if name.partition(".")[0] not in ("gui", "PySide6"):
                import_module(name)
        for found in _WORDS.findall(source):
            read_rooms(re.findall(r"\w+", found), words.language)


def import_steps(module: str) -> Generator[None, None, None]:
    """On the GUI thread: import a module of the window after those that it needs, one a step."""
    if module in sys.modules:
        return
    for name in _needs(_source(module)):
        if name.startswith("gui."):
            yield from import_steps(name)
    import_module(module)
    yield


def _sources(module: str, seen: set[str]) -> Iterator[str]:
    """The text of a module and of all below it that are not loaded yet."""
    if module in seen or module in sys.modules:
        return
    seen.add(module)
    source = _source(module)
    for name in _needs(source):
        if name.startswith("gui."):
            yield from _sources(name, seen)
    yield source


def _source(module: str) -> str:
    """The text of a module, found by its place: asking Python where it lies would import what stands above it."""
    path = _ABOVE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _needs(source: str) -> list[str]:
    return [one or other for one, other in _NEEDS.findall(source)]
