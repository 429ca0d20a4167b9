"""A run that asks a system is followed on the Run screen like any other."""

from __future__ import annotations

import pytest

from engine.runs.driver import driving
from engine.runs.respond import respond_workspace
from engine.runs.respond_request import RespondRequest
from engine.systems.declaration import declared_system
from engine.systems.values import Options
from gui.run.following import Following
from gui.run.screen import make
from tests.engine.runs.made import with_benchmark


@pytest.fixture
def screen(services, qtbot):
    following = Following(services)
    made = make(services)
    qtbot.addWidget(made)
    made.resize(1280, 720)
    made.show()
    yield made
    following.close()


def test_a_run_of_a_system_shows_its_step_its_counts_and_what_failed(screen, workspace, open_here, qtbot, finish):
    with_benchmark(workspace, count=6)
    scale = RespondRequest(declared_system("null"), Options(settings={"audio_s": 0.1, "text": ""}))
    finish(respond_workspace(workspace, scale))
    open_here(workspace.folder)
    qtbot.waitUntil(lambda: screen.model.state is not None, timeout=20_000)
    state = screen.model.state
    assert (state.state, state.step.name, state.step.phase.scored) == ("done", "respond", 6)
    assert not screen.model.can_resume


def test_a_run_of_a_system_that_goes_on_is_told_in_the_windows_foot(screen, workspace, open_here, qtbot):
    with_benchmark(workspace, count=6)
    request = RespondRequest(declared_system("null"))
    with driving(workspace, "respond", request.told()) as drive:
        open_here(workspace.folder)
        with drive.doing("respond", "respond", 10):
            drive.count(4)
            drive.say_bad("item_failed", kind="respond", place="x/1", code="systems.over_time", values={"seconds": 3})
            drive.say("worker_restarted", ending="signal 9", count=1)
            drive.tick()
            qtbot.waitUntil(
                lambda: screen.model.state is not None and screen.model.state.share == pytest.approx(0.4),
                timeout=20_000,
            )
    qtbot.waitUntil(lambda: screen.model.state.state == "done", timeout=20_000)
