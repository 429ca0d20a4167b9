"""Rating in a real window, driven by keys and timed: from Enter to the next item on screen, the rating on the disk.

``python -m tests.bench.rating_window FOLDER`` prints a JSON list of milliseconds.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.gui.rate.sitting.fast import FastSound, Pump
from tests.gui.rate.sitting.made import session_of_all, spoken_workspace

SIZE = (1600, 900)
INSTANCES = 40
LONGEST_S = 30


class Painted(QObject):
    """Whether a widget was painted since it was asked."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.is_painted = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.is_painted |= event.type() == QEvent.Type.Paint
        return False


def main(folder: Path) -> list[float]:
    """The times of all items but the first."""
    from gui.actions import Actions
    from gui.app import make_application
    from gui.jobs import JobRunner
    from gui.open_workspace import OpenWorkspace
    from gui.player.player import Player
    from gui.rate.sitting.view import SittingView
    from gui.services import Services
    from gui.settings import Settings
    from gui.strings import words

    application = make_application()
    words.use("en")
    workspace = spoken_workspace(folder, INSTANCES)
    session = session_of_all(workspace, "empathy_semantic")
    jobs, window, sound = JobRunner(), QWidget(), FastSound(48000)
    settings = Settings(folder / "settings.json", jobs)
    opened, actions = OpenWorkspace(jobs, settings, window), Actions(words, settings, window)
    opened.current = workspace
    player = Player(jobs, settings, window, sound=sound)
    services = Services(
        opened, jobs, words, settings, actions, lambda: player, _unasked, _unasked, lambda *_: True
    )  # fmt: skip
    pump = Pump(sound, window)
    actions.belong_to(window)
    window.resize(*SIZE)
    view = SittingView(services, session, window)
    view.resize(*SIZE)
    view.model.playing._gap.setInterval(0)
    window.show()
    window.activateWindow()
    model = view.model

    def until(condition: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST_S
        while not condition():
            application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 5)
            if time.monotonic() > end:
                raise TimeoutError("the rating screen did not get there")

    until(lambda: model.page == "check" and window.isActiveWindow() and view.keys.served is view)
    view.check.skip()
    model.go_on()
    until(lambda: model.page == "item")
    painted, taken = Painted(view.item_page.head.letter), []
    while model.page == "item":
        item = model.item
        assert item is not None
        if item.to_hear:
            QTest.keyClick(view, Qt.Key.Key_Space)
        until(lambda: not model.item.to_hear and not model.playing.is_playing)
        QTest.keyClicks(view, "4")
        rest = time.monotonic() + 0.02  # a finger moves
        until(lambda end=rest: time.monotonic() > end)
        painted.is_painted = False
        began = time.perf_counter()
        QTest.keyClick(view, Qt.Key.Key_Return)
        until(lambda gone=item: model.page != "item" or (model.item is not gone and painted.is_painted))
        if model.page == "item":
            taken.append((time.perf_counter() - began) * 1000)
    pump.deleteLater()
    view.close_sitting()
    player.close()
    settings.close()
    jobs.close()
    window.hide()
    return taken


def _unasked(*_: object, **__: object) -> None:
    """A window that this bench has not."""


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
