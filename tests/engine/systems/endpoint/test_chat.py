"""Every form of chat completions with audio, against a real server that sends it."""

from __future__ import annotations

import base64
import io
import threading

import numpy as np
import pytest
import soundfile

from engine.errors import EngineError
from engine.systems.values import Ask, AudioPiece, BatchingSystem, SpokenTurn, TextPiece
from tests.engine.systems.endpoint.conftest import asked
from tests.engine.systems.endpoint.server import Answer, FormServer, delta, stream, whole

RAMP = np.arange(-2400, 2400, dtype="<i2")  # a fifth of a second at 24 kHz
WANTED = RAMP / 2.0**15


def wav(samples=RAMP, rate=24000, container="WAV", subtype="PCM_16"):
    memory = io.BytesIO()
    soundfile.write(memory, samples, rate, format=container, subtype=subtype)
    return memory.getvalue()


def b64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def openai_reply(**message):
    return whole({"model": "loopback", "choices": [{"message": {"role": "assistant", **message}}]})


def test_speech_of_openai_comes_as_a_transcript_beside_a_wav(open_endpoint, answer, clip):
    reply = openai_reply(content=None, audio={"id": "a", "data": b64(wav()), "transcript": "你好。"})
    with FormServer(lambda request, count: reply) as server:
        found = answer(open_endpoint(server.base_url, modalities=["text", "audio"], voice="alloy"), clip, seed=7)

    body = server.requests[0].body
    part = body["messages"][0]["content"][0]
    assert server.requests[0].path == "/v1/chat/completions"
    assert part == {"type": "input_audio", "input_audio": {"data": b64(clip.read_bytes()), "format": "wav"}}
    assert body["modalities"] == ["text", "audio"] and body["audio"] == {"voice": "alloy", "format": "wav"}
    assert body["seed"] == 7 and "stream" not in body
    assert (found.finished.text, found.finished.flags, found.rates) == ("你好。", (), {24000})
    assert np.array_equal(found.samples, WANTED.astype(np.float32))
    assert found.finished.versions == {"model": "loopback"}


def test_text_and_sound_of_vllm_omni_stand_in_two_choices(open_endpoint, answer, clip):
    choices = [
        {"index": 0, "message": {"content": "两个部分"}, "finish_reason": "stop"},
        {"index": 0, "message": {"content": None, "audio": {"data": b64(wav()), "transcript": ""}}},
    ]
    with FormServer(lambda request, count: whole({"choices": choices})) as server:
        system = open_endpoint(
            server.base_url,
            input_form="audio_url",
            modalities=["text", "audio"],
            voice="Ethan",
            voice_place="speaker",
            extra={"sampling_params_list": [{"temperature": 0.0}]},
        )
        found = answer(system, clip)

    body = server.requests[0].body
    url = body["messages"][0]["content"][0]["audio_url"]["url"]
    assert url == "data:audio/wav;base64," + b64(clip.read_bytes())
    assert body["speaker"] == "Ethan" and "audio" not in body
    assert body["sampling_params_list"] == [{"temperature": 0.0}]
    assert found.finished.text == "两个部分"
    assert np.array_equal(found.samples, WANTED.astype(np.float32))


def test_vllm_omni_streams_sound_as_content_of_chunks_of_that_modality(open_endpoint, answer, clip):
    halves = [
        {**delta(content=b64(wav(RAMP[part]))), "modality": "audio"} for part in (slice(0, 2000), slice(2000, None))
    ]
    events = [
        {**delta(content="一"), "modality": "text"},
        halves[0],
        {**delta(content="二"), "modality": "text"},
        halves[1],
    ]
    with FormServer(lambda request, count: stream(*events)) as server:
        found = answer(open_endpoint(server.base_url, stream=True, modalities=["text", "audio"]), clip)

    assert found.texts == ["一", "二"]
    assert np.array_equal(found.samples, WANTED.astype(np.float32))


@pytest.mark.parametrize("cut", [160, 283, 4001])
def test_dashscope_streams_raw_pcm_as_base64_cut_anywhere(open_endpoint, answer, clip, cut):
    text = b64(RAMP.tobytes())
    sounds = [delta(audio={"data": text[place : place + cut]}) for place in range(0, len(text), cut)]
    usage = {"choices": [], "usage": {"prompt_tokens": 3}}
    with FormServer(
        lambda request, count: stream(delta(content="快"), *sounds, delta("stop", content=""), usage)
    ) as server:
        system = open_endpoint(
            server.base_url, stream=True, modalities=["text", "audio"], voice="Cherry", data_prefix="data:;base64,"
        )
        found = answer(system, clip)

    body = server.requests[0].body
    assert body["stream"] is True and body["stream_options"] == {"include_usage": True}
    assert body["messages"][0]["content"][0]["input_audio"]["data"] == "data:;base64," + b64(clip.read_bytes())
    assert found.texts == ["快"]
    assert len(found.sounds) > 1 and found.rates == {24000}
    assert np.array_equal(found.samples, WANTED.astype(np.float32))


def test_a_streamed_transcript_is_the_text_where_no_content_speaks(open_endpoint, answer, clip):
    events = [delta(audio={"id": "a"}), delta(audio={"transcript": "早"}), delta(audio={"transcript": "上好"})]
    with FormServer(lambda request, count: stream(*events, delta(audio={"data": b64(RAMP.tobytes())}))) as server:
        found = answer(open_endpoint(server.base_url, stream=True, modalities=["text", "audio"]), clip)
    assert (found.finished.text, found.texts) == ("早上好", ["早", "上好"])


def test_a_text_told_both_ways_is_taken_once(open_endpoint, answer, clip):
    events = [delta(content="早"), delta(audio={"transcript": "早"}), delta(content="安")]
    with FormServer(lambda request, count: stream(*events)) as server:
        assert answer(open_endpoint(server.base_url, stream=True), clip).finished.text == "早安"


def test_a_header_at_the_front_of_a_stream_says_the_rate(open_endpoint, answer, clip):
    data = wav(RAMP, 16000)
    sounds = [delta(audio={"data": b64(data[place : place + 30])}) for place in range(0, len(data), 30)]
    with FormServer(lambda request, count: stream(*sounds)) as server:
        found = answer(open_endpoint(server.base_url, stream=True, modalities=["text", "audio"]), clip)
    assert found.rates == {16000}
    assert np.array_equal(found.samples, WANTED.astype(np.float32))


@pytest.mark.parametrize(
    ("container", "subtype", "wanted"), [("FLAC", "PCM_16", "flac"), ("MP3", None, "mp3"), ("OGG", "OPUS", "opus")]
)
def test_coded_sound_is_read_when_all_of_it_is_there(open_endpoint, answer, clip, container, subtype, wanted):
    tone = np.asarray(8000 * np.sin(np.arange(4800) / 9), np.int16)
    reply = openai_reply(content=None, audio={"data": b64(wav(tone, 24000, container, subtype)), "transcript": "音"})
    with FormServer(lambda request, count: reply) as server:
        found = answer(open_endpoint(server.base_url, modalities=["text", "audio"], audio_format=wanted), clip)
    assert found.rates <= {24000, 48000} and 0.15 < len(found.samples) / found.rates.pop() < 0.35
    assert 0.1 < np.abs(found.samples).max() < 0.5


def test_a_reply_is_read_by_what_it_is_and_not_by_what_was_asked_for(open_endpoint, answer, clip):
    with FormServer(lambda request, count: openai_reply(content="不流")) as server:
        assert answer(open_endpoint(server.base_url, stream=True), clip).finished.text == "不流"
    with FormServer(lambda request, count: stream(delta(content="流"))) as server:
        assert answer(open_endpoint(server.base_url), clip).finished.text == "流"


def test_history_instruction_and_several_audios_are_put_as_messages(open_endpoint, answer, clip):
    turns = [SpokenTurn("system", "要简短"), SpokenTurn("user", "我叫安"), SpokenTurn("assistant", "你好，安"),
             SpokenTurn("user", audios=(clip, clip))]  # fmt: skip
    with FormServer(lambda request, count: openai_reply(content="好")) as server:
        answer(open_endpoint(server.base_url, text_first=True), *turns, instruction="听完回答")
        answer(open_endpoint(server.base_url, one_audio_per_message=True, system_place="instruction"), *turns)

    first, second = (request.body["messages"] for request in server.requests)
    assert [message["role"] for message in first] == ["system", "user", "assistant", "user"]
    assert first[1:3] == [{"role": "user", "content": "我叫安"}, {"role": "assistant", "content": "你好，安"}]
    assert [part["type"] for part in first[3]["content"]] == ["text", "input_audio", "input_audio"]
    assert first[3]["content"][0]["text"] == "听完回答"
    assert [message["role"] for message in second] == ["user", "assistant", "user", "user"]
    assert second[3]["content"][-1] == {"type": "text", "text": "要简短"}


def test_audio_is_sent_at_the_rate_that_the_endpoint_wants(open_endpoint, answer, clip):
    with FormServer(lambda request, count: openai_reply(content="好")) as server:
        answer(open_endpoint(server.base_url, send_rate_hz=8000), clip)
    sent = base64.b64decode(server.requests[0].body["messages"][0]["content"][0]["input_audio"]["data"])
    assert soundfile.info(io.BytesIO(sent)).samplerate == 8000


def test_the_settings_of_an_ask_win_over_those_of_the_declaration(open_endpoint, answer, clip):
    with FormServer(lambda request, count: openai_reply(content="好")) as server:
        system = open_endpoint(
            server.base_url, temperature=0.7, max_tokens=100, max_tokens_name="max_completion_tokens"
        )
        answer(system, clip, settings={"temperature": 0.0})
    body = server.requests[0].body
    assert (body["temperature"], body["max_completion_tokens"]) == (0.0, 100)


def test_what_may_pass_is_asked_again_and_told(open_endpoint, answer, clip):
    busy = whole({"error": {"message": "slow down"}}, 429, **{"retry-after": "0"})
    over = whole({"error": {"message": "restarting"}}, 503, **{"retry-after": "0"})
    with FormServer(lambda request, count: (busy, over, openai_reply(content="终于"))[count - 1]) as server:
        found = answer(open_endpoint(server.base_url), clip)
    assert (found.finished.text, found.finished.flags) == ("终于", ("asked_again",))


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (whole({"error": {"message": "bad key sk-secret"}}, 401), "unauthorised"),
        (whole({"error": {"message": "no", "code": "insufficient_quota"}}, 429), "no_credit"),
        (whole({"detail": "Not Found"}, 404), "not_found"),
        (whole({"error": {"message": "no"}}, 403), "forbidden"),
        (whole({"error": {"message": "audio too long"}}, 400), "bad_request"),
        (whole({"error": {"message": "no", "code": 401}}), "unauthorised"),
        (whole({"error": "out of memory"}), "error_in_body"),
        (Answer([b"<html>"]), "broken_reply"),
        (whole({"choices": []}), "empty_reply"),
        (openai_reply(content="", reasoning_content="想"), "empty_reply"),
        (whole({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]}), "filtered"),
        (whole({"choices": [{"message": {"content": ""}, "finish_reason": "length"}]}), "no_room"),
        (openai_reply(content=None, audio={"data": "不是base64", "transcript": ""}), "sound_unreadable"),
        (Answer([b'{"choices": ['], cut=True), "cut_stream"),
        (stream(delta(content="一"), {"error": {"message": "died"}}), "error_in_body"),
    ],
)
def test_every_failure_has_its_code_and_tells_no_key(open_endpoint, clip, monkeypatch, reply, code):
    monkeypatch.setenv("MINE", "sk-secret")
    with FormServer(lambda request, count: reply) as server:
        system = open_endpoint(server.base_url, tries=1, key_env="MINE")
        with pytest.raises(EngineError) as raised:
            list(system.respond(asked(clip)))
    assert raised.value.code == f"endpoints.{code}"
    assert "sk-secret" not in raised.value.sentence("en") + raised.value.sentence("zh")
    assert server.requests[0].headers["authorization"] == "Bearer sk-secret"


def test_nobody_there_is_said_as_unreachable(open_endpoint, clip):
    with FormServer(lambda request, count: openai_reply()) as server:
        gone = server.base_url
    with pytest.raises(EngineError) as raised:
        list(open_endpoint(gone, tries=1).respond(asked(clip)))
    assert raised.value.code == "endpoints.unreachable"


def test_a_refusal_a_cut_answer_and_a_missing_sound_are_flagged(open_endpoint, answer, clip):
    long = whole({"choices": [{"message": {"content": "很长"}, "finish_reason": "length"}]})
    with FormServer(lambda request, count: (openai_reply(content=None, refusal="不行"), long)[count - 1]) as server:
        system = open_endpoint(server.base_url, modalities=["text", "audio"])
        refused, cut = answer(system, clip), answer(system, clip)
    assert (refused.finished.text, refused.finished.flags) == ("不行", ("refused", "no_audio"))
    assert cut.finished.flags == ("cut_off", "no_audio")


def test_closing_the_answer_hangs_up(open_endpoint, clip):
    sounds = [delta(audio={"data": b64(RAMP.tobytes())})] * 3
    with FormServer(lambda request, count: stream(*sounds)) as server:
        pieces = open_endpoint(server.base_url, stream=True).respond(asked(clip))
        assert isinstance(next(pieces), AudioPiece)
        pieces.close()


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"base_url": ""}, "setting_missing"),
        ({"base_url": "ftp://x"}, "no_base_url"),
        ({"base_url": "http://me:secret@x/v1"}, "no_base_url"),
        ({"voise": "x"}, "setting_unknown"),
        ({"audio_format": "aac"}, "setting_value"),
        ({"modalities": "audio"}, "setting_value"),
        ({"stream": 1}, "setting_value"),
        ({"temperature": True}, "setting_value"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_sent(open_endpoint, settings, code):
    with pytest.raises(EngineError) as raised:
        open_endpoint(**{"base_url": "http://127.0.0.1:9/v1", **settings})
    assert raised.value.code == f"endpoints.{code}"
    assert "secret" not in str(raised.value)


def test_the_abilities_follow_what_is_asked_for(open_endpoint):
    assert not open_endpoint("http://127.0.0.1:9/v1", modalities=["text"]).abilities.speech_out
    assert open_endpoint("http://127.0.0.1:9/v1", modalities=["text", "audio"], stream=True).abilities.streaming


def test_several_are_asked_at_once_and_a_failure_is_one_of_them(open_endpoint, clip):
    met = threading.Barrier(3, timeout=20)  # none is answered before all three have come

    def reply(request, count):
        met.wait()
        words = request.body["messages"][0]["content"][-1]["text"]
        return whole({"error": {"message": "no"}}, 400) if words == "b" else openai_reply(content=words)

    with FormServer(reply) as server:
        asks = [Ask(name, (SpokenTurn("user", name, (clip,)),)) for name in "abc"]
        system = open_endpoint(server.base_url)
        assert isinstance(system, BatchingSystem)
        ended = {name: piece for name, piece in system.respond_together(asks) if not isinstance(piece, TextPiece)}

    assert {name: getattr(piece, "text", None) for name, piece in ended.items()} == {"a": "a", "b": None, "c": "c"}
    assert ended["b"].code == "endpoints.bad_request"
