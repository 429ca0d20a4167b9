"""Following the runs of a workspace for the window, whoever started them."""

from __future__ import annotations

import os
import time

import pytest

from engine.runs.driver import ALIVE, driving
from engine.runs.follow import Follower
from engine.runs.launch import launch, started
from engine.runs.request import WorkRequest
from gui.run.following import Following

JUDGE = WorkRequest(("judge", "score"))


@pytest.fixture
def following(services):
    made = Following(services)
    yield made
    made.close()


def test_without_a_workspace_nothing_is_looked_at(services, following):
    assert following.running is None
    assert not following._timer.isActive()


def test_a_run_started_elsewhere_is_found_told_and_let_go_when_it_ends(
    services, following, answered, open_here, qtbot, finish
):
    open_here(answered.folder)
    said, states, read_anew = [], [], []
    following.said.connect(said.append)
    following.changed.connect(states.append)
    services.workspace.content_changed.connect(lambda: read_anew.append(True))
    finish(started(answered, launch(answered, JUDGE)))
    with qtbot.waitSignal(following.listed, timeout=20_000):
        following.look()

    def is_over() -> bool:
        following.look()
        return bool(states) and states[-1] is None

    if following.running is not None:
        qtbot.waitUntil(is_over, timeout=30_000)
    qtbot.waitUntil(lambda: following.runs[0].state == "done", timeout=20_000)
    assert following.running is None
    assert [run.kind for run in following.runs] == ["work"]


def test_a_run_that_goes_on_is_followed_and_said(services, following, answered, open_here, qtbot):
    said = []
    following.said.connect(said.append)
    with driving(answered, "work", JUDGE.told()) as drive:
        open_here(answered.folder)
        qtbot.waitUntil(lambda: following.running == drive.run_id, timeout=10_000)
        with drive.doing("judge", "words", 10):
            drive.count(6)
            drive.wrote(6)
            with qtbot.waitSignal(services.workspace.content_changed, timeout=10_000):
                following.look()
            assert said[-1].startswith(f"Run {drive.run_id}: judging 60 %")
            services.words.use("zh")
            assert said[-1].startswith(f"运行 {drive.run_id}：评审中 60 %")
    with qtbot.waitSignals([following.changed, following.changed], timeout=10_000):
        following.look()
    assert (following.running, said[-1]) == (None, "")


def test_a_driver_that_died_is_no_run_that_goes_on(services, following, answered, open_here, qtbot):
    with driving(answered, "work", JUDGE.told()) as drive:
        path = drive.folder / ALIVE
        dead = path.read_text(encoding="utf-8").replace(f'"process": {os.getpid()}', '"process": 4194305')
        path.write_text(dead, encoding="utf-8")
        open_here(answered.folder)
        qtbot.waitUntil(lambda: bool(following.runs), timeout=10_000)
        assert (following.running, following.runs[0].state) == (None, "stopped")


def test_closing_the_window_may_stop_the_run(services, following, answered, open_here, qtbot):
    with driving(answered, "work", JUDGE.told()) as drive:
        open_here(answered.folder)
        qtbot.waitUntil(lambda: following.running == drive.run_id, timeout=10_000)
        following.stop()
        assert (drive.folder / "stop").exists()
        assert Follower(answered, drive.run_id).read().state == "stopping"


def test_another_workspace_forgets_the_runs_of_the_last_one(services, following, answered, open_here, qtbot, tmp_path):
    from engine.store.workspace import open_workspace

    other = open_workspace(tmp_path / "other", create=True)
    with driving(answered, "work", JUDGE.told()):
        open_here(answered.folder)
        qtbot.waitUntil(lambda: following.running is not None, timeout=10_000)
        open_here(other.folder)
        assert (following.running, following.runs) == (None, ())


def test_looking_costs_the_window_nothing(services, following, answered, open_here, qtbot):
    open_here(answered.folder)
    qtbot.waitUntil(lambda: following._job is None, timeout=10_000)
    began = time.thread_time()
    following.look()
    following.look()  # a second wish waits for the first
    assert time.thread_time() - began < 0.03
    qtbot.waitUntil(lambda: following._job is None, timeout=10_000)
