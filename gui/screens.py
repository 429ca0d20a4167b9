"""The screens of the rail, from the top; each is made when it is first shown."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from engine.strings import read_rooms
from gui.strings import words

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.services import Services

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Screen:
    """One entry of the rail: its id, the key that shows it, its icon, and the room that makes it.

    A room has ``make(services)``, and ``build(services)`` beside it where making takes longer than one step. ``WORDS``
    names the rooms of sentences that its view says at once."""

    id: str
    key: str
    icon: str
    room: str

    def load(self) -> None:
        """Import what the screen needs; on a pool thread, or the window would stand still for a tenth of a second."""
        load(f"gui.{self.room}.screen")

    def build(self, services: Services) -> Generator[None, None, QWidget]:
        """The screen's view, made in steps short enough for the GUI thread; once a window."""
        room = import_module(f"gui.{self.room}.screen")
        if hasattr(room, "build"):
            view: QWidget = yield from room.build(services)
        else:
            view = room.make(services)
        return view


def load(module: str) -> None:
    """Import a module and read the sentences that it names in ``WORDS``."""
    read_rooms(getattr(import_module(module), "WORDS", ()), words.language)


def all_at_once(steps: Generator[None, None, Made]) -> Made:
    """What ``steps`` come to, made without letting anybody in between."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: Made = end.value
            return made


SCREENS = (
    Screen("library", "Ctrl+1", "books", "library"),
    Screen("audit", "Ctrl+2", "waves", "audit"),
    Screen("run", "Ctrl+3", "play-circle", "run"),
    Screen("rate", "Ctrl+4", "star-half", "rate"),
    Screen("settings", "Ctrl+,", "gear-six", "preferences"),
)
