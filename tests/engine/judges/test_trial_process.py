from __future__ import annotations

import subprocess
import sys

import pytest

from engine.errors import EngineError
from engine.judges.endpoint import Endpoint
from engine.judges.trial_process import try_endpoint
from tests.engine.judges.server import Reply, Server, json_reply

SECRET = "sk-very-secret-123456"


def found(endpoint: Endpoint):
    work = try_endpoint(endpoint)
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def test_the_test_call_in_a_process_of_its_own_says_who_answered_and_how_quickly():
    with Server(lambda body, count: "ready") as server:
        trial = found(Endpoint(server.base_url, "asked-for"))
    assert (trial.model, trial.reply) == ("loopback", "ready")
    assert 0 < trial.seconds < 30
    assert server.requests[0]["model"] == "asked-for"


def test_the_key_reaches_the_endpoint_and_nothing_else(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MY_KEY", SECRET)
    started = []
    popen = subprocess.Popen

    def noted(command, **options):
        started.append(command)
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", noted)
    refusal = json_reply({"error": {"message": f"bad key {SECRET}"}}, 401)
    with Server(lambda body, count: refusal) as server, pytest.raises(EngineError) as raised:
        found(Endpoint(server.base_url, "m", "MY_KEY"))
    assert raised.value.values["failure"] == "unauthorised"
    assert SECRET not in f"{started} {raised.value.values}"
    sent = {name.lower(): value for name, value in server.headers[0].items()}
    assert sent["authorization"] == f"Bearer {SECRET}"


def test_a_failure_says_in_both_languages_what_to_do():
    with Server(lambda body, count: Reply(b"<html>", 200)) as server, pytest.raises(EngineError) as raised:
        found(Endpoint(server.base_url, "m"))
    assert "/v1" in raised.value.sentence("en")
    assert "网页" in raised.value.sentence("zh")


def test_nobody_at_the_address_is_told_as_no_connection():
    with pytest.raises(EngineError, match="No connection"):
        found(Endpoint("http://127.0.0.1:9/v1", "m"))


def test_closing_ends_the_process(monkeypatch: pytest.MonkeyPatch):
    running = []
    popen = subprocess.Popen

    def noted(command, **options):
        running.append(popen(command, **options))
        return running[-1]

    monkeypatch.setattr(subprocess, "Popen", noted)
    with Server(lambda body, count: Reply(fault="hang")) as server:
        work = try_endpoint(Endpoint(server.base_url, "m"))
        next(work)
        work.close()
    assert running[0].returncode is not None


def test_what_the_window_imports_of_it_loads_no_client_of_openai():
    code = "import sys, engine.judges.trial_process, engine.endpoints.keys; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
