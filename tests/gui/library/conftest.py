"""A Library screen with its own dialogs, spoken to in the user's words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from engine.runs.imports import take_responses
from engine.store.workspace import Workspace, open_workspace
from tests.engine.runs.made import response, tone, with_benchmark


class Answering:
    """Stands for the dialogs: gives the path it was told, and keeps what it was asked."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.asked: list[str] = []

    def folder(self, title, start, then):
        self.asked.append(title)
        if self.path is not None:
            then(self.path)

    def file(self, title, start, kinds, then):
        self.folder(title, start, then)


class Driver:
    """Presses, waits and reads."""

    def __init__(self, view, services, chooser, qtbot) -> None:
        self.view, self.services, self.chooser, self.qtbot = view, services, chooser, qtbot

    def press(self, button) -> None:
        assert button.isVisible(), button.text()
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def wait_until_idle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.services.jobs.running, timeout=20_000)

    def wait_for(self, claim: Callable[[], object]) -> None:
        def holds() -> None:
            assert claim()

        self.qtbot.waitUntil(holds, timeout=20_000)

    def open(self, folder: Path) -> None:
        with self.qtbot.waitSignal(self.services.workspace.changed, timeout=20_000):
            self.services.workspace.open(folder)
        self.wait_until_idle()


@pytest.fixture
def chooser():
    return Answering()


@pytest.fixture
def library(services, chooser, qtbot):
    """The screen as it is shown first: nothing is open."""
    from gui.library.screen import make

    view = make(services, chooser)
    qtbot.addWidget(view)
    view.resize(1300, 820)
    view.show()
    driver = Driver(view, services, chooser, qtbot)
    driver.wait_until_idle()
    yield driver
    driver.wait_until_idle()


@pytest.fixture
def small(tmp_path, finish) -> Workspace:
    """Two subsets of four instances, and a system with three answers, two of them spoken."""
    workspace = with_benchmark(open_workspace(tmp_path / "small", create=True), "chinese_knowledge", "robust")
    answers = [
        response(0, "少林", audio=tone(tmp_path / "a.wav")),
        response(1, "武当", audio=tone(tmp_path / "b.wav", hz=300.0)),
        response(2, "嵩山"),
    ]
    finish(take_responses(workspace, "vocalbench_zh", "parrot", answers))
    return workspace
