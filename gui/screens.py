"""The screens of the rail, from the top; each is made when it is first shown."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.services import Services


@dataclass(frozen=True, slots=True)
class Screen:
    """One entry of the rail: its id, the key that shows it, its icon, and the room that makes it."""

    id: str
    key: str
    icon: str
    room: str

    def load(self) -> None:
        """Import what the screen needs; on a pool thread, or the window would stand still for a tenth of a second."""
        import_module(f"gui.{self.room}.screen")

    def make(self, services: Services) -> QWidget:
        """The screen's view; once a window, on the GUI thread."""
        view: QWidget = import_module(f"gui.{self.room}.screen").make(services)
        return view


SCREENS = (
    Screen("library", "Ctrl+1", "books", "library"),
    Screen("audit", "Ctrl+2", "waves", "audit"),
    Screen("run", "Ctrl+3", "play-circle", "run"),
    Screen("settings", "Ctrl+,", "gear-six", "preferences"),
)
