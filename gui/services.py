"""What a screen is given: the workspace, jobs, words, settings, actions, the player, and three ways to speak."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from gui.actions import Actions
from gui.jobs import JobRunner
from gui.open_workspace import OpenWorkspace
from gui.profile import Profiles
from gui.settings import Settings
from gui.strings import Words

if TYPE_CHECKING:
    from engine.query.selection import Selection
    from gui.orders import Orders
    from gui.player.player import Player
    from gui.run.following import Following


class Go(Protocol):
    """Shows a screen, and there what was selected elsewhere."""

    def __call__(self, screen: str, selection: Selection | None = None) -> None:
        """Show ``screen``; its ``take`` is given the selection."""


class Say(Protocol):
    """One sentence on the status line; ``tone`` is "", "warning" or "error"."""

    def __call__(self, sentence: str, tone: str = "") -> None:
        """Say it until something else is said."""


def _nothing(_: bool) -> None:
    """There is no frame to put away."""


@dataclass
class Services:
    """Handed to every screen's ``make``; nothing is looked up elsewhere."""

    workspace: OpenWorkspace
    jobs: JobRunner
    words: Words
    settings: Settings
    actions: Actions
    make_player: Callable[[], Player]
    go: Go
    say: Say
    confirm: Callable[[str, str], bool]
    """Asks before what cannot be undone: question, word on the button."""
    orders: Orders | None = None
    """The orders of the workspace's answers, read ahead for Audit."""
    following: Following | None = None
    """Follows the runs of the workspace; puts itself here when it is made."""

    be_calm: Callable[[bool], None] = _nothing
    """Puts rail and status line away while the screen now shown is rated on, or shows them again."""

    @cached_property
    def profiles(self) -> Profiles:
        """Whose window it is."""
        return Profiles(self.settings, self.jobs)

    @cached_property
    def player(self) -> Player:
        """The one player, made when it is first wanted: the window is on screen before."""
        return self.make_player()
