"""A plan says beforehand what a run then does."""

from __future__ import annotations

import pytest

from engine.judges.budget import Price
from engine.judges.endpoint import Endpoint
from engine.runs.imports import take_responses
from engine.runs.judge_plan import JudgeOptions
from engine.runs.measure import MeasureOptions
from engine.runs.plan import plan_work, speeds_of
from engine.runs.request import WorkRequest
from engine.runs.work import work_workspace
from engine.store.plans import Scope
from tests.engine.judges.server import Server
from tests.engine.runs.made import response, tone, with_benchmark

NOT_HEARD = MeasureOptions(recognise=False)


@pytest.fixture
def answered(workspace, finish, tmp_path):
    with_benchmark(workspace, "chinese_knowledge", "single_round")
    clip = tone(tmp_path / "a.wav")
    answers = [
        response(0, "少林", audio=clip),
        response(1, "武当", audio=clip),
        response(0, "可以先列清单。", "single_round"),
    ]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    finish(take_responses(workspace, "vocalbench_zh", "t", [response(0, "武当")]))
    return workspace


def test_what_there_is_to_do_is_counted_each_file_once(answered):
    plan = plan_work(answered, WorkRequest())
    assert (plan.read, plan.recognise, plan.quality, plan.rates, plan.words) == (1, 1, 1, 1, 3)
    assert (plan.calls.calls, plan.unasked, plan.total_s) == (0, 4, None)


def test_scope_and_steps_narrow_the_plan(answered):
    assert plan_work(answered, WorkRequest(("score",))).items == {}
    only = plan_work(answered, WorkRequest(scope=Scope(("t",))))
    assert (only.read, only.words) == (0, 1)


def test_calls_tokens_and_cost_are_those_that_are_then_made(answered, finish):
    finish(work_workspace(answered, WorkRequest(("judge",))))
    with Server(lambda body, count: "理由：具体。\n得分：[4]\n判断：正确") as server:
        options = JudgeOptions(Endpoint(server.base_url, "m"), price=Price(1.0, 2.0))
        plan = plan_work(answered, WorkRequest(("judge",), judging=options))
        assert server.requests == []
        finish(work_workspace(answered, WorkRequest(("judge",), judging=options)))
        assert plan.calls.calls == len(server.requests) == 3
    assert plan.calls_by_judge == {"knowledge": 2, "single_round": 1}
    assert plan.calls.cost == pytest.approx((plan.calls.tokens_in + 2 * plan.calls.tokens_out) / 1e6)


def test_the_time_is_that_of_the_last_run_and_nothing_is_left_after_it(answered, finish):
    request = WorkRequest(measuring=NOT_HEARD, scope=Scope(("s",)))
    assert plan_work(answered, request).seconds == {}
    finish(work_workspace(answered, request))
    assert plan_work(answered, request).items == {}
    speeds = speeds_of(answered)
    assert {"read", "measure.quality", "judge.words"} <= speeds.keys()
    again = plan_work(answered, WorkRequest(("judge",), scope=Scope(("t",))))
    assert again.seconds == {"judge.words": pytest.approx(1 / speeds["judge.words"])}
    assert again.total_s == pytest.approx(1 / speeds["judge.words"])
