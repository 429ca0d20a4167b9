"""Imports a room while the window is used: what has no Qt classes on a pool thread, the rest a module a turn.

PySide keeps what it knows of classes where the GUI thread reads it without a lock (PySide6 6.11): a class that is made
on a pool thread while events are handled may end the process.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Generator, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from engine.strings import read_rooms
from gui.strings import words

_ABOVE = Path(__file__).parents[1]
_NEEDS = re.compile(r"^from (\w+(?:\.\w+)*) import|^import (\w+(?:\.\w+)*)", re.MULTILINE)
_WORDS = re.compile(r"^WORDS = \(([^)]*)\)", re.MULTILINE)
_Told = tuple[tuple[str, ...], tuple[str, ...]]  # the modules that one needs, the rooms of sentences that it names


def load_engine_of(module: str) -> None:
    """On a pool thread: import all that a module of the window and those below it need, but for those with Qt."""
    for needs, rooms in _all_told(module, set()):
        for name in needs:
            if name.partition(".")[0] not in ("gui", "PySide6"):
                import_module(name)
        read_rooms(rooms, words.language)


def import_steps(module: str) -> Generator[None, None, None]:
    """On the GUI thread: import a module of the window after those that it needs, one a step."""
    if module in sys.modules:
        return
    for name in _told(module)[0]:
        if name.startswith("gui."):
            yield from import_steps(name)
    import_module(module)
    yield


def _all_told(module: str, seen: set[str]) -> Iterator[_Told]:
    """What a module and all below it tell that are not loaded yet, those below first."""
    if module in seen or module in sys.modules:
        return
    seen.add(module)
    told = _told(module)
    for name in told[0]:
        if name.startswith("gui."):
            yield from _all_told(name, seen)
    yield told


@cache
def _told(module: str) -> _Told:
    """What a module needs and whose words it says, read once: the GUI thread finds it when the pool thread is through.

    It is found by its place: asking Python where it lies would import what stands above it.
    """
    path = _ABOVE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    source = file.read_text(encoding="utf-8") if file.exists() else ""
    needs = tuple(one or other for one, other in _NEEDS.findall(source))
    return needs, tuple(room for found in _WORDS.findall(source) for room in re.findall(r"\w+", found))
