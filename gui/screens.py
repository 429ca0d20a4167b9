"""The screens of the rail, from the top; each is made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from gui.services import Services


@dataclass(frozen=True, slots=True)
class Screen:
    """One entry of the rail: its id, the key that shows it, its icon, and how it is made."""

    id: str
    key: str
    icon: str
    make: Callable[[Services], QWidget]


def _from(room: str) -> Callable[[Services], QWidget]:
    def make(services: Services) -> QWidget:
        view: QWidget = import_module(f"gui.{room}.screen").make(services)
        return view

    return make


SCREENS = (
    Screen("library", "Ctrl+1", "books", _from("library")),
    Screen("audit", "Ctrl+2", "waves", _from("audit")),
    Screen("run", "Ctrl+3", "play-circle", _from("run")),
    Screen("settings", "Ctrl+,", "gear-six", _from("preferences")),
)
