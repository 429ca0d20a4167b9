"""A run of a system behind an address: what fails every ask ends it at once, what fails one does not."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.runs.respond import respond_workspace
from engine.runs.respond_request import RespondRequest
from engine.store.runs import runs_of
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities, Options
from tests.engine.runs.made import with_benchmark
from tests.engine.runs.test_respond import answers
from tests.engine.systems.endpoint.server import FormServer, whole

GOOD = whole({"model": "loopback", "choices": [{"message": {"content": "少林寺。"}, "finish_reason": "stop"}]})


def behind(server: FormServer) -> RespondRequest:
    can = Abilities(text_history=True, speech_out=False)
    system = SystemDeclaration("served", 1, "endpoint", {"en": "x", "zh": "x"}, can, modality="text")
    settings = {"base_url": server.base_url, "model": "loopback", "tries": 1}
    return RespondRequest(system, Options(settings=settings))


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        (whole({"error": {"message": "bad key"}}, 401), "endpoints.unauthorised"),
        (whole({"error": {"message": "no model loopback"}}, 404), "endpoints.not_found"),
        (whole({"error": {"code": "insufficient_quota"}}, 429), "endpoints.no_credit"),
    ],
)
def test_what_fails_every_ask_ends_the_run_with_one_sentence_and_the_rest_is_asked_later(
    workspace, finish, refusal, code
):
    with_benchmark(workspace, count=40)
    good = [True]
    with FormServer(lambda request, count: GOOD if count <= 2 or not good[0] else refusal) as server:
        with pytest.raises(EngineError) as caught:
            finish(respond_workspace(workspace, behind(server)))
        assert caught.value.code == code
        assert len(server.requests) <= 4  # the one that was refused, and the one that was under way
        assert [answer["state"] for answer in answers(workspace)] == ["answered"] * 2
        (run,) = runs_of(workspace.connect())
        assert (run.state, run.message.code) == ("failed", code)
        good[0] = False
        assert finish(respond_workspace(workspace, behind(server))).answered == 38


def test_a_refused_form_fails_its_item_and_a_row_of_them_the_run(workspace, finish, monkeypatch):
    monkeypatch.setattr("engine.runs.respond._KEEPS_FAILING", 3)
    with_benchmark(workspace, count=12)
    refused = whole({"error": {"message": "no such form"}}, 400)
    server = FormServer(lambda request, count: refused if count == 2 or count > 4 else GOOD)
    with server, pytest.raises(EngineError) as caught:
        finish(respond_workspace(workspace, behind(server)))
    assert caught.value.code == "runs.keeps_failing"
    states = [answer["state"] for answer in answers(workspace)]
    assert states == ["answered", "failed", "answered", "answered", "failed", "failed", "failed"]
