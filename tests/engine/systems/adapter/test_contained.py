"""Whatever code of others does in its own environment is a named state of one item, and the run goes on."""

from __future__ import annotations

import json
import sys

import pytest

from engine.runs.respond import respond_workspace
from engine.runs.respond_request import RespondRequest
from engine.store.runs import runs_of
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities
from tests.engine.runs.test_respond import answers, asking

SOURCE = r"""
import os, signal, subprocess, sys, threading

HUM = [0.1] * 16000

class Bad:
    def respond(self, ask):
        do = ask.words
        yield "少林寺。"
        if do == "print":
            print("{not a message}", flush=True)
            os.write(1, b'{"type":"result","id":1,"item":"x","values":{}}\n\xff\xfe\n')
            subprocess.run(["echo", "from a child"], check=True)
        if do == "flood":
            while True:
                yield "水" * 1000
        if do == "flood_the_log":
            for _ in range(200):
                os.write(2, b"e" * 65535 + b"\n")
        if do == "fork":
            subprocess.Popen(["sleep", "1000"])
            if os.fork() == 0:
                threading.Event().wait()
        if do == "nan":
            yield [0.1, float("nan"), float("inf")], 16000
        if do == "zero_samples":
            yield [], 16000
        if do == "an_hour":
            for _ in range(3600):
                yield HUM, 16000
        if do == "other_rate":
            yield HUM, 24000
        if do == "invalid_utf8":
            yield "\ud800"
        if do == "no_wav":
            yield b"\xff\xfe no wave file"
        if do == "hang":
            threading.Event().wait()
        if do == "raise":
            raise ZeroDivisionError("made for a test")
        if do == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if do not in ("zero_samples", "silent"):
            yield HUM, 16000

def load(settings):
    return Bad()
"""

EXPECTED = {
    "print": None, "flood": "systems.text_too_long", "flood_the_log": None, "fork": None,
    "nan": "systems.audio_not_finite", "zero_samples": "systems.no_audio", "an_hour": "systems.audio_too_long",
    "other_rate": "systems.audio_rate", "invalid_utf8": None, "no_wav": "systems.raised", "raise": "systems.raised",
    "die": "adapters.died", "hang": "worker.over_time", "silent": "systems.no_audio", "good": None,
}  # fmt: skip


@pytest.mark.timeout(300)
def test_whatever_an_adapter_does_is_a_named_state_of_that_item_and_the_rest_goes_on(workspace, finish, tmp_path):
    (tmp_path / "bad.py").write_text(SOURCE, encoding="utf-8")
    declared = SystemDeclaration(
        "bad", 1, "adapter", {"en": "bad", "zh": "bad"}, Abilities(text_history=True), file=tmp_path / "bad.toml",
        settings={"adapter": "bad.py", "python": sys.executable},
    )  # fmt: skip
    asking(workspace, *EXPECTED)
    done = finish(respond_workspace(workspace, RespondRequest(declared, longest_answer_s=20.0, time_limit_s=10.0)))
    found = {answer["question"]: answer for answer in answers(workspace)}
    said = {question: answer["error"] for question, answer in found.items()}
    assert said.pop("hang") in ("worker.over_time", "adapters.over_time")  # whichever clock is first
    assert said == {question: code for question, code in EXPECTED.items() if question != "hang"}
    assert done.failed == sum(1 for code in EXPECTED.values() if code)
    assert found["good"]["text"] == "少林寺。" and found["good"]["audio_id"] is not None
    assert "surrogate_replaced" in json.loads(found["invalid_utf8"]["flags"])
    assert [run.state for run in runs_of(workspace.connect())] == ["done"]
