"""The addresses for transcription and speech, against a real server."""

from __future__ import annotations

import numpy as np
import pytest

from engine.errors import EngineError
from engine.systems.values import SpokenTurn
from tests.engine.systems.endpoint.conftest import asked
from tests.engine.systems.endpoint.server import Answer, FormServer, whole
from tests.engine.systems.endpoint.test_chat import RAMP, WANTED, b64, wav


def test_a_transcription_is_asked_as_a_form_and_answered_as_text(open_endpoint, answer, clip):
    with FormServer(lambda request, count: whole({"text": " 你好 "})) as server:
        system = open_endpoint(server.base_url, task="transcription", language="zh")
        found = answer(system, clip, instruction="人名：安")

    request = server.requests[0]
    assert request.path == "/v1/audio/transcriptions"
    assert request.body["file"] == ("audio.wav", clip.read_bytes())
    assert {key: request.body[key] for key in ("model", "language", "prompt", "response_format")} == {
        "model": "loopback", "language": "zh", "prompt": "人名：安", "response_format": "json"
    }  # fmt: skip
    assert found.finished.text == "你好" and not found.sounds
    assert not system.abilities.speech_out


def test_a_transcription_may_come_as_plain_text(open_endpoint, answer, clip):
    with FormServer(lambda request, count: Answer(["你好\n".encode()], "text/plain")) as server:
        assert answer(open_endpoint(server.base_url, task="transcription"), clip).finished.text == "你好"


@pytest.mark.parametrize(
    ("reply", "asked_for"),
    [
        (Answer([RAMP.tobytes()[:3001], RAMP.tobytes()[3001:]], "audio/pcm"), "pcm16"),
        (Answer([wav()[:50], wav()[50:]], "audio/wav"), "wav"),
        (whole({"audio": b64(wav())}), "wav"),
    ],
)
def test_speech_comes_as_bytes_or_base64(open_endpoint, answer, reply, asked_for):
    with FormServer(lambda request, count: reply) as server:
        system = open_endpoint(server.base_url, task="speech", voice="alloy", audio_format=asked_for)
        found = answer(system, SpokenTurn("user", "念这一句"))

    assert server.requests[0].path == "/v1/audio/speech"
    expected = {"model": "loopback", "input": "念这一句", "voice": "alloy"}
    assert server.requests[0].body == {**expected, "response_format": "pcm" if asked_for == "pcm16" else "wav"}
    assert found.finished.text == "念这一句"
    assert np.array_equal(found.samples, WANTED.astype(np.float32))


@pytest.mark.parametrize("subtype", ["PCM_24", "FLOAT", "PCM_U8", "PCM_32"])
def test_a_wav_of_any_coding_and_two_channels_is_heard_as_one(open_endpoint, answer, subtype):
    both = np.stack([WANTED, np.zeros_like(WANTED)], axis=1)
    reply = Answer([wav(both, 24000, "WAV", subtype)], "audio/wav")
    with FormServer(lambda request, count: reply) as server:
        found = answer(open_endpoint(server.base_url, task="speech"), SpokenTurn("user", "念"))
    assert np.allclose(found.samples, WANTED / 2, atol=0.005 if subtype == "PCM_U8" else 1e-6)


def test_an_error_in_place_of_speech_has_its_code(open_endpoint):
    with FormServer(lambda request, count: whole({"error": {"message": "no voice"}})) as server:
        system = open_endpoint(server.base_url, task="speech", tries=1)
        with pytest.raises(EngineError) as raised:
            list(system.respond(asked(SpokenTurn("user", "念"))))
    assert raised.value.code == "endpoints.error_in_body"
