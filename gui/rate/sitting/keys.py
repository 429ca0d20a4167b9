"""What keys do on the rating screen, in the one registry of keys; the digits are the protocol's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import QObject

from gui.actions import Actions

SCREEN = "sitting"

#: Name of an action, its keys, its icon.
KEYS = (
    ("play", ("Space",), "play"),
    ("replay", ("R",), "arrow-counter-clockwise"),
    ("question", ("Q",), "play"),
    ("first", ("A",), "play"),
    ("second", ("B",), "play"),
    ("back", ("Left",), "rewind"),
    ("forward", ("Right",), "fast-forward"),
    ("slower", (",",), "minus"),
    ("faster", (".",), "plus"),
    ("as_recorded", ("/",), "equals"),
    ("commit", ("Return", "Ctrl+Return"), "check"),
    ("previous", ("Shift+Return",), "caret-left"),
    ("undo", ("Ctrl+Z",), "arrow-u-up-left"),
    ("redo", ("Ctrl+Shift+Z", "Ctrl+Y"), "arrow-clockwise"),
    ("next_scale", ("Down",), "arrow-down"),
    ("previous_scale", ("Up",), "arrow-up"),
    ("flag", ("F",), "flag"),
    ("skip", ("S",), "skip-forward"),
    ("note", ("N",), "note-pencil"),
    ("tag", ("T",), "tag"),
    ("break", ("P",), "coffee"),
    ("leave", ("Escape",), "sign-out"),
)


class Acts(Protocol):
    """A screen that can do these things."""

    def act(self, name: str) -> None:
        """Do what a key is for."""


class SittingKeys(QObject):
    """Registered once; what a key does goes to the rating screen that is shown."""

    def __init__(self, actions: Actions) -> None:
        super().__init__(actions)
        self._screen: Acts | None = None
        for name, keys, icon in KEYS:
            actions.add(f"{SCREEN}.{name}", keys, self._does(name), screen=SCREEN, icon=icon)

    def serve(self, screen: Acts | None) -> None:
        """Keys act on this screen from now on."""
        self._screen = screen

    @property
    def served(self) -> Acts | None:
        """The screen on which keys act."""
        return self._screen

    def _does(self, name: str) -> Callable[[], None]:
        def do() -> None:
            if self._screen is not None:
                self._screen.act(name)

        return do


def sitting_keys(actions: Actions) -> SittingKeys:
    """The keys of the rating screen, made when first asked for; a screen that may open it asks when it is made."""
    found = actions.findChild(SittingKeys)
    return found if isinstance(found, SittingKeys) else SittingKeys(actions)
