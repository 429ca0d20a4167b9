"""A run of several steps: in turn, in one row, stopped, killed and resumed without doing anything twice."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading

import pytest

from engine.errors import EngineError
from engine.judges.budget import Budget, Price
from engine.judges.endpoint import Endpoint
from engine.runs.driver import STOP, StopAskedError
from engine.runs.follow import Follower
from engine.runs.imports import take_responses
from engine.runs.judge_plan import JudgeOptions
from engine.runs.launch import launch, started
from engine.runs.measure import MeasureOptions
from engine.runs.plan import plan_work
from engine.runs.request import WorkRequest, request_of
from engine.runs.sample import take_sample
from engine.runs.work import work_workspace
from engine.speech.values import RecogniserSpec
from engine.store.plans import Scope
from engine.store.runs import runs_of
from tests.engine.judges.server import Reply, Server, json_reply
from tests.engine.runs.made import response, tone, with_benchmark

NOT_HEARD = MeasureOptions(recognise=False)
ONLY_READ = MeasureOptions(recognise=False, quality=False)
FEW_MOMENTS = ("step_measure:1", "phase_ask:1")
MOMENTS = ("phase_read:1", "answered_quality:2", "after_commit:9", "step_judge:1")


def reply(body, count=0):
    return "理由：具体。\n判断：正确"


@pytest.fixture
def answered(workspace, finish, tmp_path):
    """Three spoken knowledge answers, one of which words do not decide."""
    with_benchmark(workspace)
    texts = ("是少林寺。", "武当山", "少林")
    clips = [tone(tmp_path / f"{n}.wav", hz=300 + 50 * n) for n in range(3)]
    answers = [response(n, text, audio=clip) for n, (text, clip) in enumerate(zip(texts, clips))]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    return workspace


def asking(server, measuring=ONLY_READ, **more):
    return WorkRequest(measuring=measuring, judging=JudgeOptions(Endpoint(server.base_url, "m"), **more))


def results(workspace):
    """What is stored, with row ids: what is not done again keeps them."""
    db = workspace.connect()
    found = [tuple(row) for row in db.execute("SELECT id, response_id, maker_id, metric, state FROM measurement")]
    found += [tuple(row) for row in db.execute("SELECT id, response_id, maker_id, judge, state FROM judgement")]
    db.close()
    return set(found)


def test_the_steps_are_done_in_turn_in_one_run(answered, finish):
    told = io.StringIO()
    with Server(reply) as server:
        done = finish(work_workspace(answered, asking(server, NOT_HEARD), told))
    assert (done.measured.measured, done.judged.states["scored"]) == (3, 1)
    assert done.scored
    (run,) = runs_of(answered.connect(), ("work",))
    assert (run.state, run.failed) == ("done", 0)
    assert run.done == run.planned
    events = [json.loads(line) for line in told.getvalue().splitlines()]
    phases = [(event["step"], event["phase"], event["total"]) for event in events if event["event"] == "phase"]
    assert [phase for phase in phases if phase[2]] == [
        ("measure", "read", 3),
        ("measure", "quality", 3),
        ("judge", "words", 3),
        ("judge", "ask", 1),
        ("score", "figures", 1),
    ]
    last = [event for event in events if event["event"] == "progress" and event.get("last")]
    assert all(event["done"] == event["total"] for event in last)


def test_a_second_run_finds_nothing_to_do(answered, finish):
    with Server(reply) as server:
        finish(work_workspace(answered, asking(server)))
        before, asked = results(answered), len(server.requests)
        finish(work_workspace(answered, asking(server)))
        assert len(server.requests) == asked
    assert results(answered) == before


def test_a_step_that_is_not_asked_for_is_left_alone(answered, finish):
    done = finish(work_workspace(answered, WorkRequest(("judge",))))
    assert (done.measured, done.scored) == (None, None)
    assert answered.connect().execute("SELECT COUNT(*) FROM measurement").fetchone()[0] == 0


def test_asked_to_stop_a_run_ends_as_cancelled_and_the_next_goes_on(answered, finish):
    with Server(lambda body, count: Reply(fault="hang") if count == 1 else reply(body)) as server:
        work = work_workspace(answered, asking(server))
        while not server.requests:
            next(work)
        (run,) = runs_of(answered.connect(), ("work",))
        (answered.runs / str(run.id) / STOP).touch()
        with pytest.raises(StopAskedError):
            finish(work)
        assert runs_of(answered.connect(), ("work",))[0].state == "cancelled"
        before = results(answered)
        assert before
        finish(work_workspace(answered, asking(server)))
    assert before < results(answered)


def test_a_spent_budget_ends_the_run_with_its_reason_in_any_language(answered, finish):
    with Server(reply) as server:
        finish(work_workspace(answered, asking(server, budget=Budget(0.0), price=Price(1.0, 1.0))))
    run = runs_of(answered.connect(), ("work",))[0]
    assert run.state == "done"
    assert isinstance(run.message, EngineError)
    assert run.message.code == "runs.budget_reached"
    assert "0.00" in run.message.sentence("zh")


def test_a_missing_key_is_told_before_anything_is_done(answered, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    request = WorkRequest(judging=JudgeOptions(Endpoint("https://judge.example/v1", "m")))
    with pytest.raises(EngineError) as raised:
        next(work_workspace(answered, request))
    assert raised.value.code == "judges.no_key"
    assert runs_of(answered.connect(), ("work",)) == []


def test_an_error_is_kept_by_its_code(answered, finish):
    with Server(lambda body, count: json_reply({}, 401)) as server, pytest.raises(EngineError):
        finish(work_workspace(answered, asking(server)))
    run = runs_of(answered.connect(), ("work",))[0]
    assert (run.state, run.message.code) == ("failed", "judges.unauthorised")


def test_a_request_survives_the_journey_through_a_runs_settings(answered, finish):
    request = WorkRequest(
        ("judge", "score"),
        Scope(("s",), "vocalbench_zh", ("chinese_knowledge",), 5),
        MeasureOptions(RecogniserSpec(beam_size=1), recognise=False, quality=False),
        JudgeOptions(None, language="zh", repeats=(0, 1), budget=Budget(1.5), price=Price(1, 2), judges=("knowledge",)),
    )
    assert WorkRequest.from_told(json.loads(json.dumps(request.told()))) == request
    finish(work_workspace(answered, request))
    assert request_of(runs_of(answered.connect(), ("work",))[0]) == request


def test_a_step_that_does_not_exist_is_refused():
    with pytest.raises(EngineError, match="No step is called dance"):
        WorkRequest(("dance",))


def auricle_work(workspace, base_url, *more, kill_at=""):
    command = [
        sys.executable, "-P", "-m", "engine.cli.main", "work", "--no-recognise", "-w", str(workspace.folder),
        "--base-url", base_url, "--model", "m", *more,
    ]  # fmt: skip
    variables = {**os.environ, "AURICLE_KILL_AT": kill_at}
    return subprocess.run(command, env=variables, capture_output=True, check=False).returncode


def survives(answered, moment, *more):
    """Kill at the moment, go on, and see that all is there once and nothing was done twice."""
    with Server(reply) as server:
        killed = auricle_work(answered, server.base_url, *more, kill_at=moment)
        before = results(answered)
        assert auricle_work(answered, server.base_url, *more) == 0
    assert killed == -9
    assert before <= results(answered)
    db = answered.connect()
    counted = db.execute("SELECT COUNT(*) FROM measurement GROUP BY metric, response_id").fetchall()
    assert {row[0] for row in counted} <= {1}
    assert db.execute("SELECT COUNT(*) FROM audio WHERE facts IS NULL").fetchone()[0] == 0
    verdicts = db.execute("SELECT judge, COUNT(*) FROM judgement GROUP BY judge ORDER BY judge").fetchall()
    assert [tuple(row) for row in verdicts] == [("corrected_match", 3), ("knowledge", 1), ("published_match", 3)]
    assert [run.state for run in runs_of(db, ("work",))] == ["done", "stopped"]
    db.close()


@pytest.mark.parametrize("moment", FEW_MOMENTS)
def test_killed_between_steps_the_run_goes_on_and_does_nothing_twice(answered, moment):
    survives(answered, moment, "--no-quality")


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("moment", MOMENTS)
def test_killed_anywhere_in_the_chain_the_run_goes_on_and_does_nothing_twice(answered, moment):
    survives(answered, moment)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_whole_chain_on_real_speech_in_a_process_of_its_own(workspace, finish):
    finish(take_sample(workspace))
    scope = Scope(("offline-cascade",), None, ("spoken_topic_classification_auricle_everyday",))
    run_id = finish(started(workspace, launch(workspace, WorkRequest(scope=scope))))
    follower = Follower(workspace, run_id)
    between_looks = threading.Event()
    while (state := follower.read()).is_going:
        between_looks.wait(0.2)
    assert state.state == "done"
    assert [(step.name, step.state) for step in state.steps] == [
        ("recognise", "done"), ("measure", "done"), ("judge", "done"), ("score", "done"),
    ]  # fmt: skip
    phases = {phase.name: (phase.done, phase.total) for step in state.steps for phase in step.phases}
    assert phases["recognise"] == phases["quality"] == phases["read"] == (4, 4)
    assert phases["floor"] == (35, 35)
    assert state.run.done == state.run.planned
    assert plan_work(workspace, WorkRequest(scope=scope)).items == {}
