"""Following a run by its events: piece by piece, half lines, rates, what went wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from engine.clock import utc_text
from engine.errors import EngineError
from engine.judges.endpoint import Endpoint
from engine.runs.driver import EVENTS, STOP, driving
from engine.runs.follow import Follower, troubles_of
from engine.runs.imports import take_responses
from engine.runs.judge import judge_workspace
from engine.runs.judge_plan import JudgeOptions
from engine.runs.pool import WorkerState
from engine.runs.request import WorkRequest
from engine.store.plans import Scope
from engine.store.runs import run_of
from tests.engine.judges.server import Server, json_reply
from tests.engine.runs.made import response, with_benchmark

BEGAN = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)


def event(name, second, **values):
    return json.dumps({"event": name, "at": utc_text(BEGAN + timedelta(seconds=second)), "run": 1, **values})


def progress(second, done, total=100, **more):
    counts = {"failed": 0, "unparsable": 0, "unscored": 0, "written": done, "at_once": 4, "tokens_in": 0}
    told = {"step": "judge", "phase": "ask", "done": done, "total": total, **counts, "tokens_out": 0, "spent": 0.0}
    return event("progress", second, **{**told, **more})


@pytest.fixture
def run(workspace):
    """A run that goes on, its events empty but for what a test writes."""
    with driving(workspace, "work", WorkRequest(("judge", "score")).told()) as drive:
        (drive.folder / EVENTS).write_text("", encoding="utf-8")
        yield drive


def write(drive, *lines, end="\n"):
    with (drive.folder / EVENTS).open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + end)


def test_a_run_that_has_said_nothing_waits(workspace, run):
    state = Follower(workspace, run.run_id).read()
    assert [(step.name, step.state) for step in state.steps] == [("judge", "waiting"), ("score", "waiting")]
    assert (state.state, state.share, state.rate, state.left_s) == ("running", 0.0, None, None)


def test_only_what_was_added_is_read_and_half_a_line_waits(workspace, run):
    follower = Follower(workspace, run.run_id)
    write(run, event("phase", 0, step="judge", phase="ask", total=100), progress(1, 10))
    assert follower.read().share == 0.1
    whole = progress(2, 30)
    write(run, whole[:20], end="")
    assert follower.read().share == 0.1
    write(run, whole[20:])
    state = follower.read()
    assert state.share == 0.3
    assert [point.rate for point in state.points] == [10.0, 20.0]
    assert state.at_once_range == (4, 4)


def test_states_and_the_log_tell_what_went_wrong(workspace, run):
    write(
        run,
        event("phase", 0, step="judge", phase="ask", total=10),
        event("judged_badly", 1, response=1, place="safety/1", state="unparsable", code="judges.no_verdict", reason=""),
        event("pushed_back", 1, status=429, wait_s=8.0, before=32, at_once=16),
        event("worker_restarted", 2, ending="exit code 137", count=1),
        progress(3, 10, total=10, unparsable=2, failed=1, last=True, seconds=2.0),
    )
    state = Follower(workspace, run.run_id).read()
    phase = state.step.phase
    assert (phase.scored, phase.unparsable, phase.failed, phase.rate) == (7, 2, 1, 5.0)
    levels = [(line.event, line.level) for line in state.log]
    assert levels[:3] == [("judged_badly", "unparsable"), ("pushed_back", "warning"), ("worker_restarted", "warning")]
    assert levels[3] == ("written", "")
    assert [mark.values["status"] for mark in state.marks] == [429]


def test_a_wish_to_stop_shows_at_once(workspace, run):
    (run.folder / STOP).touch()
    assert Follower(workspace, run.run_id).read().state == "stopping"


def test_a_phase_that_comes_again_after_the_first_step_moves_on(workspace, run):
    write(
        run,
        event("phase", 0, step="judge", phase="ask", total=1),
        progress(1, 1, total=1, last=True, seconds=1.0),
        event("phase", 2, step="score", phase="figures", total=1),
    )
    state = Follower(workspace, run.run_id).read()
    assert [step.state for step in state.steps] == ["done", "running"]
    assert state.step.name == "score"


def test_a_run_that_is_not_there_is_told(workspace):
    with pytest.raises(EngineError) as raised:
        Follower(workspace, 5).read()
    assert raised.value.code == "runs.no_such_run"


def test_troubles_are_told_by_kind_with_the_answers_they_befell(workspace, finish):
    with_benchmark(workspace, "chinese_knowledge", "single_round")
    answers = [response(n, "武当山") for n in range(3)] + [response(3, None)]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))

    def reply(body, count):
        return "说不清" if count == 1 else json_reply({"error": {"message": "no"}}, 400)

    with Server(reply) as server:
        endpoint = Endpoint(server.base_url, "m", concurrency=1, max_concurrency=1)
        finish(judge_workspace(workspace, Scope(), JudgeOptions(endpoint)))
    db = workspace.connect()
    run_id = db.execute("SELECT MAX(id) FROM run").fetchone()[0]
    found = troubles_of(workspace, run_of(db, run_id))
    kinds = {(trouble.source, trouble.state, trouble.code): len(trouble.response_ids) for trouble in found}
    assert kinds == {
        ("judge", "failed", "judges.bad_request"): 2,
        ("judge", "unparsable", "judges.no_verdict"): 1,
        ("answer", "unscored", "no_audio"): 3,
        ("answer", "unscored", "no_answer"): 1,
    }
    assert found[0].code == "no_audio"
    assert next(trouble for trouble in found if trouble.state == "unparsable").place.startswith("chinese_knowledge/")


def test_a_run_that_is_broken_off_shows_the_phase_it_was_in_and_its_workers(workspace):

    with pytest.raises(KeyboardInterrupt), driving(workspace, "work", WorkRequest(("measure",)).told()) as drive:
        drive.workers = lambda: [WorkerState(0, "recognise", 7, 1, "gpu1 12")]
        with drive.doing("recognise", "read", 100):
            drive.count(100)
        with drive.doing("recognise", "recognise", 50):
            drive.count(20)
            drive.tick()
            raise KeyboardInterrupt
    state = Follower(workspace, drive.run_id).read()
    assert (state.state, state.step.phase.name, state.step.phase.done) == ("cancelled", "recognise", 20)
    assert state.workers == (WorkerState(0, "recognise", 7, 1, "gpu1 12"),)
