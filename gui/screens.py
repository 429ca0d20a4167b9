"""The screens of the rail, from the top; each is made when it is first shown."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, TypeVar

from gui.loading import import_steps, load_engine_of

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
        """On a pool thread: import what the screen needs of the engine, and read its words."""
        load_engine_of(self._module)

    def import_steps(self) -> Generator[None, None, None]:
        """On the GUI thread: import the screen's room, a module a step."""
        yield from import_steps(self._module)

    def build(self, services: Services) -> Generator[None, None, QWidget]:
        """The screen's view, imported and made in steps short enough for the GUI thread; once a window."""
        yield from self.import_steps()
        room = import_module(self._module)
        if hasattr(room, "build"):
            view: QWidget = yield from room.build(services)
        else:
            view = room.make(services)
        return view

    @property
    def _module(self) -> str:
        return f"gui.{self.room}.screen"


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
