"""A run as a process of its own: started, found, stopped, and what it cannot do told by its code."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.judges.endpoint import Endpoint
from engine.runs.driver import ALIVE, driving
from engine.runs.follow import Follower, listed_runs
from engine.runs.imports import take_responses
from engine.runs.judge_plan import JudgeOptions
from engine.runs.launch import Launched, ask_to_stop, launch, started
from engine.runs.request import WorkRequest
from engine.store.processes import is_running, process_mark
from engine.store.workspace import open_workspace
from tests.engine.judges.server import Reply, Server
from tests.engine.runs.made import response, with_benchmark

JUDGE = WorkRequest(("judge",))


@pytest.fixture
def answered(workspace, finish):
    with_benchmark(workspace)
    finish(take_responses(workspace, "vocalbench_zh", "s", [response(0, "少林"), response(1, "武当")]))
    return workspace


def ended(workspace, run_id):
    """The run when its driver has gone; asked again and again, for a minute at most."""
    follower, deadline = Follower(workspace, run_id), time.monotonic() + 60
    between_looks = threading.Event()
    while (state := follower.read()).is_going:
        assert time.monotonic() < deadline
        between_looks.wait(0.05)
    return state


def test_a_launched_run_is_nobodys_child_and_ends_by_itself(answered, finish):
    launched = launch(answered, JUDGE)
    run_id = finish(started(answered, launched))
    with pytest.raises(ChildProcessError):
        os.waitpid(launched.process, 0)
    state = ended(answered, run_id)
    assert (state.state, state.run.process_id) == ("done", launched.process)
    assert [step.name for step in state.steps] == ["judge"]


def test_nothing_of_a_key_stands_in_the_command(answered, finish, monkeypatch):
    monkeypatch.setenv("AURICLE_API_KEY", "sk-secret")
    with Server(lambda body, count: Reply(fault="hang")) as server:
        request = WorkRequest(("judge",), judging=JudgeOptions(Endpoint(server.base_url, "m")))
        launched = launch(answered, request)
        run_id = finish(started(answered, launched))
        command = Path(f"/proc/{launched.process}/cmdline").read_bytes()
        deadline = time.monotonic() + 60
        while not server.headers:
            assert time.monotonic() < deadline
        ask_to_stop(answered, run_id)
        assert ended(answered, run_id).state == "cancelled"
        assert {headers.get("Authorization", headers.get("authorization")) for headers in server.headers} == {
            "Bearer sk-secret"
        }
    assert b"--request" in command
    assert b"sk-secret" not in command
    assert "sk-secret" not in (answered.runs / str(run_id) / "events.jsonl").read_text(encoding="utf-8")


def test_what_stands_in_the_way_comes_back_as_its_error(workspace, finish):
    with pytest.raises(EngineError) as raised:
        finish(started(workspace, launch(workspace, JUDGE)))
    assert raised.value.code == "runs.no_responses"


def test_another_driver_is_named(answered, finish):
    with driving(answered, "judge", {}), pytest.raises(EngineError) as raised:
        finish(started(answered, launch(answered, JUDGE)))
    assert raised.value.code == "store.driver_running"
    assert raised.value.values["process"] == os.getpid()


def test_a_process_that_dies_at_once_is_told_with_its_last_line(answered, finish, tmp_path):
    log = tmp_path / "log"
    log.write_text("one\nno module of that name\n", encoding="utf-8")
    with pytest.raises(EngineError, match="no module of that name"):
        finish(started(answered, Launched(2**22 + 1, "", log, "")))


def test_a_folder_that_cannot_be_made_is_one_sentence(answered):
    (answered.runs / "launched").touch()
    with pytest.raises(EngineError) as raised:
        launch(answered, JUDGE)
    assert raised.value.code == "store.cannot_write"


def test_a_wish_that_cannot_be_written_is_one_sentence(answered):
    with pytest.raises(EngineError) as raised:
        ask_to_stop(answered, 99)
    assert raised.value.code == "runs.cannot_stop"


def test_a_run_shows_that_it_lives_until_it_ends(answered):
    with driving(answered, "judge", {}) as drive:
        (run,) = listed_runs(answered)
        assert (run.id, run.state) == (drive.run_id, "running")
        assert (drive.folder / ALIVE).exists()
    assert [run.state for run in listed_runs(answered)] == ["done"]


def test_a_run_whose_driver_died_is_told_as_stopped_before_anyone_closes_its_row(answered):
    with driving(answered, "judge", {}) as drive:
        told = (drive.folder / ALIVE).read_text(encoding="utf-8")
        dead = told.replace(f'"process": {os.getpid()}', '"process": 4194305')
        (drive.folder / ALIVE).write_text(dead, encoding="utf-8")
        (run,) = listed_runs(answered)
        assert (run.state, run.message.code) == ("stopped", "runs.driver_died")


def test_a_process_of_the_same_number_is_another_one():
    assert is_running(os.getpid(), process_mark(os.getpid())) is True
    assert is_running(os.getpid(), "1") is False
    assert is_running(None) is False


def test_an_opened_workspace_keeps_its_logs_few(answered):
    folder = answered.runs / "launched"
    folder.mkdir()
    for number in range(30):
        (folder / f"2020-{number:02d}.log").touch()
    with driving(answered, "judge", {}):
        launched = launch(open_workspace(answered.folder), JUDGE)
        assert len(list(folder.glob("*.log"))) == 21
        with pytest.raises(EngineError):
            for _ in started(answered, launched):
                pass
