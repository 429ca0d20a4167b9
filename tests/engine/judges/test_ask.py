from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.endpoints.completion import Answer
from engine.endpoints.keys import ApiKey
from engine.errors import EngineError
from engine.judges import trial
from engine.judges.ask import FAILURES_BEFORE_STOPPING, Totals, ask_judges
from engine.judges.asking import Asker
from engine.judges.budget import Budget, Price, Purse
from engine.judges.declaration import load_judge
from engine.judges.endpoint import CallFailed, Endpoint
from engine.judges.failed import kept_reason, reason_said
from engine.judges.pace import Pace
from engine.judges.values import JudgeItem, Judgement, Notice
from engine.progress import Progress
from tests.engine.judges.clocks import FakeClock
from tests.engine.judges.server import Reply, Server, completion, faulty, json_reply
from tests.shared import case, needs_shared

NO_KEY = ApiKey("")
RIGHT = "理由：一致。\n判断：正确"


@dataclass(frozen=True, slots=True)
class Asked:
    judgements: list[Judgement]
    progress: list[Progress]
    totals: Totals


def items(count: int, response: str = "是嵩山少林寺。") -> list[JudgeItem]:
    return [
        JudgeItem(number, "knowledge", "zh", {"question": f"第 {number} 题", "reference": "少林", "response": response})
        for number in range(count)
    ]


def ask(work: list[JudgeItem], endpoint: Endpoint, clock: FakeClock | None = None, **more: Any) -> Asked:
    steps = ask_judges(work, endpoint, clock=clock or FakeClock(), key=more.pop("key", NO_KEY), seed=1, **more)
    found: list[Judgement | Progress] = []
    while True:
        try:
            found.append(next(steps))
        except StopIteration as end:
            judgements = sorted((f for f in found if isinstance(f, Judgement)), key=lambda j: (j.response_id, j.repeat))
            return Asked(judgements, [f for f in found if isinstance(f, Progress)], end.value)


def always(reply: Reply | str) -> Callable[[Mapping[str, Any], int], Reply | str]:
    return lambda body, count: reply


def number_of(body: Mapping[str, Any]) -> int:
    return int(body["messages"][1]["content"].split("第 ")[1].split(" 题")[0])


def by_number(body: Mapping[str, Any], count: int = 0) -> str:
    return ["判断：正确", "判断：错误", "说不好。"][number_of(body) % 3]


def said_of(judgement: Judgement) -> str:
    """The reason as a reader of English sees it, from what the store keeps."""
    return reason_said(judgement.state, judgement.error_code, kept_reason(judgement), "en")


def outcomes(asked: Asked) -> list[tuple[int, str, str | None]]:
    return [(j.response_id, j.state, j.verdict) for j in asked.judgements]


def test_every_item_becomes_one_judgement_that_knows_its_judge_and_rubric():
    with Server(by_number) as server:
        asked = ask(items(30), Endpoint(server.base_url, "loopback"))
    assert outcomes(asked)[:3] == [(0, "scored", "correct"), (1, "scored", "incorrect"), (2, "unparsable", None)]
    assert [j.score for j in asked.judgements[:3]] == [1.0, 0.0, None]
    assert asked.judgements[2].raw_reply == "说不好。"
    assert {len(j.rubric_sha256) for j in asked.judgements} == {64}
    assert {j.judge_version for j in asked.judgements} == {load_judge("knowledge").version}
    assert (asked.totals.scored, asked.totals.unparsable, asked.totals.failed, asked.totals.calls) == (20, 10, 0, 30)
    assert (asked.progress[-1].done, asked.progress[-1].total) == (30, 30)


def test_what_is_sent_is_the_fenced_prompt_at_temperature_zero():
    with Server(always(RIGHT)) as server:
        ask(items(1), Endpoint(server.base_url, "loopback", extra={"enable_thinking": False}))
        sent = server.requests[0]
    assert (sent["model"], sent["temperature"], sent["max_tokens"]) == ("loopback", 0.0, 1024)
    assert sent["enable_thinking"] is False
    assert [message["role"] for message in sent["messages"]] == ["system", "user"]
    assert "是嵩山少林寺。" not in sent["messages"][0]["content"]


def test_a_third_of_calls_going_wrong_gives_the_results_of_a_healthy_endpoint():
    with Server(by_number) as server:
        healthy = ask(items(60), Endpoint(server.base_url, "loopback"))
    with Server(faulty(by_number, 1 / 3, seed=7)) as server:
        shaken = ask(items(60), Endpoint(server.base_url, "loopback"))
        assert len(server.requests) == shaken.totals.calls > 60
    assert outcomes(shaken) == outcomes(healthy)
    assert shaken.totals.retries == shaken.totals.calls - 60


def test_what_still_fails_after_all_tries_is_counted_not_dropped():
    with Server(faulty(by_number, 0.9, seed=7)) as server:
        asked = ask(items(30), Endpoint(server.base_url, "loopback", tries=2))
    assert len(asked.judgements) == 30
    assert asked.totals.failed > 0
    for judgement in asked.judgements:
        failed = judgement.state == "failed"
        assert failed == (judgement.raw_reply is None)
        assert (judgement.state == "scored") == (judgement.error_code is None)
        assert not failed or (judgement.verdict, judgement.score) == (None, None)
    assert asked.progress[-1].failed == asked.totals.failed


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (json_reply({"error": {"message": "busy"}}, 429), "judges.rate_limited"),
        (json_reply({"error": {"message": "oops"}}, 500), "judges.server_error"),
        (Reply(b"<html>bad gateway</html>", 502), "judges.server_error"),
        (Reply(b"<html>welcome</html>"), "judges.broken_json"),
        (Reply(b'["a"]'), "judges.broken_json"),
        (Reply(b"\xff\xfe"), "judges.broken_json"),
        (Reply(b""), "judges.empty_body"),
        (Reply(b" \n"), "judges.empty_body"),
        (Reply(completion(RIGHT).body, fault="cut"), "judges.cut_stream"),
        (Reply(fault="nothing"), "judges.cut_stream"),
        (completion(""), "judges.empty_reply"),
        (json_reply({"error": {"message": "upstream", "code": 502}}), "judges.server_error"),
        (json_reply({"error": "upstream"}), "judges.error_in_body"),
    ],
)
def test_a_passing_fault_is_tried_again_and_then_has_its_code(reply: Reply, code: str):
    clock = FakeClock()
    with Server(always(reply)) as server:
        asked = ask(items(1), Endpoint(server.base_url, "loopback", tries=3), clock)
        assert len(server.requests) == 3
    assert (asked.judgements[0].state, asked.judgements[0].error_code) == ("failed", code)
    assert len(clock.slept) == 2
    assert said_of(asked.judgements[0])


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (json_reply({"error": {"message": "no such parameter"}}, 400), "judges.bad_request"),
        (json_reply({"error": {"message": "too large"}}, 413), "judges.bad_request"),
        (json_reply({"error": {"message": "region"}}, 403), "judges.forbidden"),
    ],
)
def test_a_rejected_request_is_not_repeated(reply: Reply, code: str):
    with Server(always(reply)) as server:
        asked = ask(items(1), Endpoint(server.base_url, "loopback"))
        assert len(server.requests) == 1
    assert asked.judgements[0].error_code == code
    assert reply.body.decode().split('"message": "')[1].split('"')[0] in said_of(asked.judgements[0])


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (json_reply({"error": {"message": "bad key"}}, 401), "judges.unauthorised"),
        (json_reply({"error": {"message": "no model"}}, 404), "judges.not_found"),
        (json_reply({"error": {"message": "pay"}}, 402), "judges.no_credit"),
        (json_reply({"error": {"message": "pay", "code": "insufficient_quota"}}, 429), "judges.no_credit"),
    ],
)
def test_what_no_other_call_can_mend_stops_the_run_and_names_endpoint_and_model(reply: Reply, code: str):
    with Server(always(reply)) as server:
        with pytest.raises(EngineError) as raised:
            ask(items(50), Endpoint(server.base_url, "loopback", concurrency=4, max_concurrency=4))
        assert len(server.requests) <= 4
    assert raised.value.code == code
    for language in ("en", "zh"):
        assert server.base_url in raised.value.sentence(language)
        assert "loopback" in raised.value.sentence(language)


def test_judgements_made_before_the_stop_are_handed_out_first():
    def reply(body: Mapping[str, Any], count: int) -> Reply | str:
        return RIGHT if count <= 5 else json_reply({"error": {"message": "revoked"}}, 401)

    with Server(reply) as server:
        endpoint = Endpoint(server.base_url, "loopback", concurrency=1, max_concurrency=1)
        found = []
        with pytest.raises(EngineError, match="revoked"):
            found.extend(s for s in ask_judges(items(9), endpoint, key=NO_KEY) if isinstance(s, Judgement))
    assert [judgement.state for judgement in found] == ["scored"] * 5


def test_an_endpoint_that_is_down_stops_the_run_after_many_failures_in_a_row():
    with Server(always(Reply(fault="nothing"))) as server, pytest.raises(EngineError) as raised:
        ask(items(FAILURES_BEFORE_STOPPING * 3), Endpoint(server.base_url, "loopback", tries=1, max_concurrency=4))
    assert raised.value.code == "judges.endpoint_down"


@pytest.fixture
def nobody():
    """An address where nobody listens."""
    with Server(always(RIGHT)) as server:
        return server.base_url


@pytest.mark.parametrize("budget", [None, Budget(calls=2)])
def test_an_address_where_nobody_listens_stops_the_run_before_anything_is_called_spent(nobody, budget):
    clock = FakeClock()
    found = []
    with pytest.raises(EngineError, match="No connection to") as raised:
        found.extend(ask_judges(items(33), Endpoint(nobody, "loopback"), key=NO_KEY, budget=budget, clock=clock))
    assert raised.value.code == "judges.unreachable"
    assert raised.value.values["base_url"] == nobody
    assert [step for step in found if isinstance(step, Judgement)] == []


def test_an_endpoint_that_was_lost_after_an_answer_is_tried_to_the_last():
    class Lost:
        """Answers once and is never reached again."""

        calls = 0

        async def ask(self, messages: object, now: float) -> tuple[Answer, float]:
            self.calls += 1
            if self.calls > 1:
                raise CallFailed("unreachable")
            return Answer("answered", RIGHT), 0.1

    caller, endpoint, clock = Lost(), Endpoint("http://127.0.0.1:1", "m", tries=4), FakeClock()
    asker = Asker(endpoint, caller, Pace(1, 1, clock), Purse(Budget(), None), None, clock, random.Random(1))  # type: ignore[arg-type]
    first, second = (asyncio.run(asker.judgement(load_judge("knowledge"), item, 0)) for item in items(2))
    assert first.state == "scored"
    assert (second.error_code, second.error_values["tries"], caller.calls) == ("judges.unreachable", 4, 5)


def test_a_call_over_its_time_limit_is_given_up():
    with Server(always(Reply(fault="hang"))) as server:
        asked = ask(items(1), Endpoint(server.base_url, "loopback", tries=2, time_limit_s=0.1))
        assert len(server.requests) == 2
    assert asked.judgements[0].error_code == "judges.timed_out"


def scripted(exchange: list[dict[str, Any]]) -> Callable[[Mapping[str, Any], int], Reply]:
    return lambda body, count: json_reply(
        exchange[count - 1]["json"], exchange[count - 1]["status"], exchange[count - 1]["headers"]
    )


@needs_shared
@pytest.mark.parametrize("number", range(7))
def test_what_the_server_asks_to_wait_is_waited_within_the_limit(number: int):
    entry = case("endpoint-retry-after")
    clock = FakeClock(datetime.fromisoformat(entry["input"]["now"]).astimezone(UTC).timestamp())
    with Server(scripted(entry["input"]["exchanges"][number])) as server:
        asked = ask(items(1), Endpoint(server.base_url, "loopback"), clock)
    waited, expected = sum(clock.slept), entry["expect"]["waits_s"][number]
    judgement = asked.judgements[0]
    if isinstance(expected, dict) and "any_of" in expected:
        assert (judgement.state, judgement.error_code) == ("failed", "judges.retry_after_too_long")
        assert "86400" in said_of(judgement)
        assert waited == 0
        return
    assert (
        judgement.raw_reply == entry["expect"]["answers"][number]
        or "好" in entry["expect"]["answers"][number]["any_of"]
    )
    low, high = (0.5, 1.0) if expected == "the usual backoff" else (expected["at_least"], expected["below"])
    assert low <= waited <= high


def test_a_wait_that_one_call_is_asked_for_holds_back_the_others():
    clock, came_at = FakeClock(), []

    def reply(body: Mapping[str, Any], count: int) -> Reply | str:
        came_at.append(clock.monotonic())
        return RIGHT if count > 1 else json_reply({"error": {"message": "slow"}}, 429, {"retry-after": "30"})

    with Server(reply) as server:
        asked = ask(items(20), Endpoint(server.base_url, "loopback", concurrency=1, max_concurrency=8), clock)
    assert asked.totals.scored == 20
    assert came_at[0] == 0
    assert all(when >= 30 for when in came_at[1:])


def test_refusals_of_the_rate_halve_what_runs_at_once():
    def reply(body: Mapping[str, Any], count: int) -> Reply | str:
        return json_reply({"error": {"message": "slow"}}, 503) if count == 5 else RIGHT

    with Server(reply) as server:
        asked = ask(items(40), Endpoint(server.base_url, "loopback", concurrency=8))
    assert asked.totals.slowest == 4


@needs_shared
@pytest.mark.parametrize("number", range(8))
def test_a_reply_without_content_never_becomes_a_verdict(number: int):
    entry = case("endpoint-content-null")
    body = entry["input"]["exchanges"][number][0]
    with Server(always(json_reply(body["json"], 200, body["headers"]))) as server:
        judgement = ask(items(1), Endpoint(server.base_url, "loopback")).judgements[0]
    state = entry["expect"]["states"][number]
    assert judgement.raw_reply == entry["expect"]["texts"][number]
    if state.startswith("refused"):
        assert (judgement.state, judgement.error_code) == ("failed", "judges.judge_refused")
    elif state.startswith("failed"):
        assert judgement.error_code in ("judges.filtered", "judges.no_room")
    else:
        assert judgement.state == "unparsable"
        assert ("cut_off" in judgement.flags) == ("cut off" in state)


@needs_shared
def test_an_answer_that_gives_orders_is_flagged_and_judged_like_any_other():
    entry = case("judge-injected-answer")
    answers, replies = entry["input"]["responses"], entry["input"]["judge_replies"]
    work = [item for number, answer in enumerate(answers) for item in [items(number + 1, answer)[-1]]]
    with Server(lambda body, count: replies[number_of(body)]) as server:
        asked = ask(work, Endpoint(server.base_url, "loopback"))
    assert [j.verdict for j in asked.judgements] == ["incorrect"] * 4 + ["correct"]
    assert [j.score for j in asked.judgements] == [0.0] * 4 + [1.0]
    assert ["injection" in j.flags for j in asked.judgements] == [True, True, True, False, False]


def test_a_reply_without_room_for_an_answer_was_paid_for():
    spent = {"choices": [{"message": {"content": None}, "finish_reason": "length"}]}
    spent["usage"] = {"prompt_tokens": 600, "completion_tokens": 1024}
    with Server(always(json_reply(spent))) as server:
        asked = ask(items(1), Endpoint(server.base_url, "loopback"), price=Price(1.0, 1.0))
    assert (asked.judgements[0].error_code, asked.judgements[0].tokens_out) == ("judges.no_room", 1024)
    assert asked.totals.cost == asked.judgements[0].cost == pytest.approx(1624e-6)


def test_repeats_are_judgements_of_their_own():
    with Server(always(RIGHT)) as server:
        asked = ask(items(3), Endpoint(server.base_url, "loopback"), repeats=(0, 1, 4))
    assert [(j.response_id, j.repeat) for j in asked.judgements[:4]] == [(0, 0), (0, 1), (0, 4), (1, 0)]
    assert asked.totals.calls == 9


@pytest.mark.parametrize(
    ("budget", "asked_about"),
    [(Budget(calls=7), 7), (Budget(calls=0), 0), (Budget(tokens=8000), 7), (Budget(money=1.0), 9)],
)
def test_a_spent_budget_leaves_the_rest_unscored(budget: Budget, asked_about: int):
    # A call reports 900 + 100 tokens and costs 0.09 + 0.02 = 0.11; about 620 + 250 are put aside for one more.
    reply = completion(RIGHT, prompt_tokens=900, completion_tokens=100)
    with Server(always(reply)) as server:
        endpoint = Endpoint(server.base_url, "loopback", concurrency=1, max_concurrency=1)
        asked = ask(items(20), endpoint, budget=budget, price=Price(100.0, 200.0))
        assert len(server.requests) == asked.totals.calls
    assert abs(asked.totals.scored - asked_about) <= (0 if budget.calls is not None else 1)
    assert asked.totals.unscored == 20 - asked.totals.scored
    unscored = [j for j in asked.judgements if j.state == "unscored"]
    assert {(j.error_code, j.verdict) for j in unscored} == {("judges.budget_spent", None)}
    assert asked.totals.tokens_in + asked.totals.tokens_out <= (budget.tokens or 10**9)
    assert asked.totals.cost == pytest.approx(asked.totals.scored * 0.11)


def test_retries_count_against_a_budget_of_calls():
    with Server(always(Reply(b""))) as server:
        asked = ask(items(4), Endpoint(server.base_url, "loopback", max_concurrency=1), budget=Budget(calls=3))
        assert len(server.requests) == 3
    assert [j.state for j in asked.judgements] == ["unscored"] * 4


def test_money_without_a_price_is_refused_before_any_call():
    with pytest.raises(EngineError, match="price"):
        ask(items(1), Endpoint("http://127.0.0.1:9/v1", "loopback"), budget=Budget(money=1.0))


def test_tokens_that_nobody_reports_are_estimated_and_flagged():
    with Server(always(RIGHT)) as server:
        judgement = ask(items(1), Endpoint(server.base_url, "loopback")).judgements[0]
    assert "tokens_estimated" in judgement.flags
    assert judgement.tokens_out == 12  # 理由：一致。 + line end + 判断：正确: 11 wide characters and 1 for the line end


def test_an_item_without_a_field_its_judge_needs_is_a_failure_of_that_item():
    work = [*items(1), JudgeItem(1, "empathy_semantic", "en", {"question": "q", "response": "r"})]
    with Server(always(RIGHT)) as server:
        asked = ask(work, Endpoint(server.base_url, "loopback"))
    assert asked.judgements[1].error_code == "judges.missing_field"
    assert "emotion" in said_of(asked.judgements[1])


def test_closing_early_leaves_no_thread_and_no_open_call():
    before = threading.active_count()
    with Server(lambda body, count: RIGHT if count == 1 else Reply(fault="hang")) as server:
        steps = ask_judges(items(100), Endpoint(server.base_url, "loopback"), key=NO_KEY)
        assert isinstance(next(steps), Judgement | Notice | Progress)
        steps.close()
        assert threading.active_count() == before + 1  # the server's own
    assert threading.active_count() == before


def test_a_run_without_items_asks_nobody():
    asked = ask([], Endpoint("http://127.0.0.1:9/v1", "loopback"))
    assert (asked.judgements, asked.totals.calls) == ([], 0)


def test_a_key_is_sent_and_appears_nowhere_else(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]):
    secret = "sk-very-secret-123456"
    rejected = json_reply({"error": {"message": f"Incorrect key {secret}"}}, 400)
    caplog.set_level("DEBUG")
    with Server(always(rejected)) as server:
        endpoint = Endpoint(server.base_url, "loopback")
        asked = ask(items(1), endpoint, key=ApiKey(secret))
        sent = {name.lower(): value for name, value in server.headers[0].items()}
    assert sent["authorization"] == f"Bearer {secret}"
    shown = f"{asked} {endpoint!r} {caplog.text} {''.join(capfd.readouterr())}"
    assert secret not in shown
    assert "Incorrect key ***" in said_of(asked.judgements[0])


def test_a_key_that_a_server_repeats_does_not_reach_the_error():
    secret = "sk-very-secret-123456"
    with (
        Server(always(json_reply({"error": {"message": f"Bad {secret}"}}, 401))) as server,
        pytest.raises(EngineError) as raised,
    ):
        ask(items(1), Endpoint(server.base_url, "loopback"), key=ApiKey(secret))
    assert secret not in f"{raised.value} {raised.value!r} {raised.value.values}"


def test_an_openai_account_in_the_environment_is_not_told_to_other_endpoints(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_ORG_ID", "org-1")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")
    with Server(always(RIGHT)) as server:
        ask(items(1), Endpoint(server.base_url, "loopback"))
        assert "org-1" not in str(server.headers)
        assert "project-1" not in str(server.headers)
        assert "sk-not-for-you" not in str(server.headers)


@pytest.mark.parametrize("url", ["", "api.openai.com", "ftp://x/v1", "https://user:secret@host/v1"])
def test_what_is_no_endpoint_is_refused_without_showing_a_secret(url: str):
    with pytest.raises(EngineError) as raised:
        Endpoint(url, "loopback")
    assert raised.value.code == "judges.no_base_url"
    assert "secret" not in str(raised.value)


def test_a_pasted_completions_address_is_trimmed_to_its_base():
    assert Endpoint("http://h/v1/chat/completions", "m").base_url == "http://h/v1"
    assert Endpoint("http://h/v1/", "m").base_url == "http://h/v1"


def test_the_trial_call_tells_model_and_time_or_what_is_wrong():
    with Server(always("ready")) as server:
        found = trial.test_call(Endpoint(server.base_url, "asked-for"))
    assert (found.model, found.reply) == ("loopback", "ready")
    assert found.seconds > 0
    with Server(always(Reply(b"<html>", 502))) as server, pytest.raises(EngineError, match="502"):
        trial.test_call(Endpoint(server.base_url, "asked-for"))
    with Server(always(json_reply({"error": {}}, 401))) as server, pytest.raises(EngineError, match="asked-for"):
        trial.test_call(Endpoint(server.base_url, "asked-for"))
