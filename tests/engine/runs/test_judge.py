"""Judging a workspace against a real endpoint on loopback: words first, resumed, faulty, unset, over budget."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.judges.budget import Budget, Price
from engine.judges.endpoint import Endpoint
from engine.runs.imports import take_responses
from engine.runs.judge import estimate_judging, judge_workspace
from engine.runs.judge_plan import JudgeOptions
from engine.runs.reread import reread_replies
from engine.scoring.score import scores
from engine.store.plans import Scope
from tests.engine.judges.server import Server, faulty
from tests.engine.runs.made import response, with_benchmark

ALL = Scope()


@pytest.fixture
def answered(workspace, finish):
    """Two knowledge answers that words decide and one they do not, a safety answer, a single-round one."""
    with_benchmark(workspace, "chinese_knowledge", "safety", "single_round", "reasoning")
    answers = [
        response(0, "是少林寺。"),
        response(1, "少林"),
        response(2, "武当山"),
        response(3, None),
        response(0, "好的，我来帮你。", "safety"),
        response(0, "可以先列清单。", "single_round"),
        response(0, "因为下雨。", "reasoning"),
    ]
    finish(take_responses(workspace, "vocalbench_zh", "s", answers))
    return workspace


def reply(body, count=0):
    """A judge that refuses nothing and finds what it is asked by the words of its rubric."""
    asked = "\n".join(message["content"] for message in body["messages"])
    if "武当山" in asked:
        return "理由：参考答案是少林。\n判断：错误"
    if "好的，我来帮你" in asked:
        return "理由：中等。\n严重程度：3" if "评估这个回答可能造成的危害" in asked else "理由：答应照办。\n判断：配合"
    return "理由：具体。\n得分：[4]"


def rows(workspace):
    query = "SELECT subset, key, corrected_state, corrected_verdict, corrected_score, corrected_why FROM audit_row"
    return {(r[0], r[1][-1]): tuple(r)[2:] for r in workspace.connect().execute(query)}


def judged(workspace):
    query = "SELECT response_id, judge, repeat, state, verdict, score FROM judgement ORDER BY 1, 2, 3"
    return [tuple(row) for row in workspace.connect().execute(query)]


def test_without_an_endpoint_words_decide_and_the_rest_is_not_judged_yet(answered, finish):
    done = finish(judge_workspace(answered, ALL, JudgeOptions()))
    found = rows(answered)
    assert found["chinese_knowledge", "0"][:2] == ("scored", "right")
    assert found["chinese_knowledge", "2"] == ("unscored", None, None, "not_judged_yet")
    assert found["safety", "0"][3] == "not_judged_yet"
    assert found["chinese_knowledge", "3"][0] == "failed"
    assert done.waiting >= 3


def test_an_endpoint_is_asked_only_what_words_leave_open(answered, finish):
    with Server(reply) as server:
        finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, "m"))))
        asked = len(server.requests)
        found = rows(answered)
        assert found["chinese_knowledge", "2"][:2] == ("scored", "wrong")
        assert found["safety", "0"][:2] == ("scored", "wrong")
        assert found["single_round", "0"][2] == 4.0
        assert found["reasoning", "0"][3] == "no_judge_for_this_subset"
        severity = [row for row in judged(answered) if row[1] == "safety_severity"]
        assert len(severity) == 1
        assert asked == 4  # one knowledge, one refusal and its severity, one single round
        finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, "m"))))
        assert len(server.requests) == asked


def test_a_third_of_calls_failing_gives_the_same_verdicts(answered, finish):
    with Server(faulty(reply, 1 / 3, seed=5)) as server:
        finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, "m"))))
    assert rows(answered)["chinese_knowledge", "2"][:2] == ("scored", "wrong")
    assert rows(answered)["single_round", "0"][2] == 4.0


def test_another_model_is_another_maker_and_is_asked_anew(answered, finish):
    with Server(reply) as server:
        for model in ("m", "n"):
            finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, model))))
        assert len(server.requests) == 8
    makers = answered.connect().execute("SELECT DISTINCT name FROM maker WHERE kind = 'judge'").fetchall()
    assert [row[0] for row in makers] == ["m", "n"]


def test_a_spent_budget_leaves_the_rest_unscored_and_the_next_run_goes_on(answered, finish):
    with Server(reply) as server:
        options = JudgeOptions(Endpoint(server.base_url, "m"), budget=Budget(calls=1))
        finish(judge_workspace(answered, ALL, options))
        assert len(server.requests) == 1
        finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, "m"))))
    assert {row[1]: row[3] for row in judged(answered) if not row[1].endswith("_match")} == dict.fromkeys(
        ("knowledge", "safety_refusal", "safety_severity", "single_round"), "scored"
    )


def test_a_dry_run_counts_calls_and_asks_nobody(answered, finish):
    finish(judge_workspace(answered, ALL, JudgeOptions()))
    with Server(reply) as server:
        options = JudgeOptions(Endpoint(server.base_url, "m"), price=Price(1.0, 2.0))
        found = estimate_judging(answered, ALL, options)
        assert server.requests == []
    assert found.calls == 3  # severity waits for a refusal verdict that nobody gave yet
    assert found.cost == pytest.approx((found.tokens_in + 2 * found.tokens_out) / 1e6)


def test_a_wrong_key_stops_with_one_message_and_the_run_is_marked_failed(answered, finish):
    from tests.engine.judges.server import json_reply

    refuse = json_reply({"error": {"message": "no"}}, 401)
    with Server(lambda body, count: refuse) as server, pytest.raises(EngineError) as raised:
        finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, "m"))))
    assert raised.value.code == "judges.unauthorised"
    assert answered.connect().execute("SELECT state FROM run ORDER BY id DESC").fetchone()[0] == "failed"


def test_the_raw_reply_is_kept_and_read_again_without_asking(answered, finish):
    with Server(reply) as server:
        finish(judge_workspace(answered, ALL, JudgeOptions(Endpoint(server.base_url, "m"))))
        asked = len(server.requests)
        db = answered.connect()
        assert (
            db.execute("SELECT raw_reply FROM judgement WHERE judge = 'knowledge'").fetchone()[0].endswith("判断：错误")
        )
        db.execute("UPDATE judgement SET state = 'unparsable', verdict = NULL WHERE judge = 'knowledge'")
        lines = finish(reread_replies(answered))
        assert len(server.requests) == asked
    assert "unparsable -> incorrect" in lines[0]
    assert rows(answered)["chinese_knowledge", "2"][:2] == ("scored", "wrong")


def test_a_second_driver_is_refused_while_one_works(answered, finish):
    work = judge_workspace(answered, ALL, JudgeOptions())
    next(work)
    with pytest.raises(EngineError, match="Another run is working") as raised:
        next(judge_workspace(answered, ALL, JudgeOptions()))
    assert raised.value.code == "store.driver_running"
    work.close()
    assert answered.connect().execute("SELECT state FROM run ORDER BY id DESC").fetchone()[0] == "cancelled"


def test_a_share_is_not_told_while_only_the_right_answers_are_decided(answered, finish):
    finish(judge_workspace(answered, ALL, JudgeOptions()))
    figure = next(
        s for s in scores(answered.connect()) if s.subset == "chinese_knowledge" and s.method == "corrected"
    ).figure("s2t_accuracy")
    assert figure.value != figure.value
    assert figure.states == {"scored": 2, "unscored": 1, "failed": 1}
    assert (figure.bound_low, figure.bound_high) == (50.0, 100.0)


def test_more_repeats_ask_only_what_is_lacking_and_each_is_kept(answered, finish):
    with Server(reply) as server:
        endpoint = Endpoint(server.base_url, "m")
        finish(judge_workspace(answered, ALL, JudgeOptions(endpoint)))
        asked = len(server.requests)
        finish(judge_workspace(answered, ALL, JudgeOptions(endpoint, repeats=(0, 1))))
        assert len(server.requests) == 2 * asked
    repeats = [row[2] for row in judged(answered) if row[1] == "knowledge"]
    assert repeats == [0, 1]
