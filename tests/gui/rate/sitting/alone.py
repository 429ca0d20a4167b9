"""The rating screen in a process of its own, without the window: for a picture, a bench, or to be killed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.gui.rate.sitting.fast import FastSound, Pump

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

    from engine.store.workspace import Workspace
    from gui.rate.sitting.view import SittingView

LONGEST_S = 30


@dataclass
class Alone:
    """A shown rating screen, the window it is in, and the device it plays on."""

    application: QApplication
    window: QWidget
    view: SittingView
    sound: FastSound

    def until(self, condition: Callable[[], bool], most_s: float = LONGEST_S) -> None:
        """Let the event loop run until something is so."""
        end = time.monotonic() + most_s
        while not condition():
            self.application.processEvents()
            if time.monotonic() > end:
                raise TimeoutError("the rating screen did not get there")

    def is_active(self) -> bool:
        """Whether shortcuts are those of this window; the one before it may have gone only now."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
        return self.window.isActiveWindow()

    def to_the_first_item(self) -> None:
        """Without the check, past the pages that are read."""
        if self.view.model.page == "check":
            self.view.check.skip()
        while self.view.model.page != "item":
            self.view.model.go_on()


@contextmanager
def alone(
    workspace: Workspace, session: int, folder: Path, *, language: str = "en", theme: str = "light",
    size: tuple[int, int] = (1600, 900),
) -> Iterator[Alone]:  # fmt: skip
    """Sit down at ``session``; settings are kept in ``folder``."""
    from PySide6.QtWidgets import QWidget

    from gui.actions import Actions
    from gui.app import make_application
    from gui.collecting import Collector
    from gui.jobs import JobRunner
    from gui.open_workspace import OpenWorkspace
    from gui.player.player import Player
    from gui.rate.sitting.view import SittingView
    from gui.services import Services
    from gui.settings import Settings
    from gui.strings import words
    from gui.theme import set_theme

    application = make_application()
    words.use(language)
    set_theme(theme)
    jobs, window, sound = JobRunner(), QWidget(), FastSound(48000)
    collector = Collector(window)  # or a pool thread would destroy what an earlier window left
    settings = Settings(folder / "settings.json", jobs)
    opened, actions = OpenWorkspace(jobs, settings, window), Actions(words, settings, window)
    opened.current = workspace
    player = Player(jobs, settings, window, sound=sound)
    services = Services(opened, jobs, words, settings, actions, lambda: player, _unasked, _unasked, _yes)
    pump = Pump(sound, window)
    actions.belong_to(window)
    window.resize(*size)
    view = SittingView(services, session, window)
    view.resize(*size)
    view.model.playing._gap.setInterval(0)
    window.show()
    window.activateWindow()
    made = Alone(application, window, view, sound)
    made.until(lambda: view.model.page != "reading" and view.keys.served is view)
    made.until(made.is_active)
    yield made
    pump.deleteLater()
    view.close_sitting()
    player.close()
    settings.close()
    jobs.close()
    window.hide()
    collector.close()
    gc.collect()
    gc.disable()


def _unasked(*_: object, **__: object) -> None:
    """A window that is not there."""


def _yes(*_: object) -> bool:
    return True
