"""What the real worker answers about real and faulty audio."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from engine.audio.read import load_mono
from engine.errors import EngineError
from engine.shipped import shipped
from engine.speech.packaged import SHA256
from engine.worker.client import WorkerClient
from engine.worker.process import COMMAND
from engine.worker.protocol import pcm_text
from tests.shared import make_case, needs_shared

RATE = 16_000


@pytest.fixture(scope="module")
def worker(tmp_path_factory):
    with WorkerClient(COMMAND, tmp_path_factory.mktemp("worker") / "worker.log") as client:
        yield client


def answers(worker, kind, items, **settings):
    return {outcome.id: outcome for outcome in worker.ask(kind, items, **settings) if outcome is not None}


def transcripts(worker, items):
    return answers(worker, "recognise", items, recogniser={"cpu_threads": 2, "word_times": True}, language="zh")


def tone(seconds=1.0):
    return (0.1 * np.sin(2 * np.pi * 300 * np.arange(round(seconds * RATE)) / RATE)).astype(np.float32)


def test_speech_is_recognised_alike_from_a_path_and_from_samples(worker):
    path = shipped("data/sample/vocalbench_zh/audio/knowledge/chinese/0001.ogg")
    samples = load_mono(path, RATE)
    items = [
        {"id": "path", "path": str(path)},
        {"id": "pcm", "pcm": pcm_text(samples)},
        {"id": "fast", "pcm": pcm_text(np.repeat(samples, 3)), "rate": 3 * RATE},
    ]
    found = transcripts(worker, items)
    texts = [found[name].values["text"] for name in ("path", "pcm", "fast")]
    assert texts[0] == texts[1] != ""
    assert len(texts[2]) > len(texts[0]) / 2
    values = found["path"].values
    assert values["language"] == "zh"
    assert {"text", "start_s", "end_s", "probability"} == set(values["words"][0])
    assert values["seconds"] == pytest.approx(len(samples) / RATE)
    assert values["spent_s"] > 0


def test_bad_items_fail_alone_with_their_code(worker, tmp_path):
    (tmp_path / "page.wav").write_text("<!DOCTYPE html><html></html>")
    items = [
        {"id": 1, "path": str(tmp_path / "page.wav")},
        {"id": 2, "path": str(tmp_path / "none.wav")},
        {"id": 3, "pcm": "***"},
        {"id": 4, "pcm": pcm_text(np.full(8, np.nan, np.float32))},
        {"id": 5, "pcm": pcm_text(np.zeros(RATE, np.float32))},
    ]
    for kind in ("recognise", "quality"):
        found = answers(worker, kind, items, language="zh")
        codes = {name: outcome.code for name, outcome in found.items()}
        assert codes == {
            1: "audio.web_page", 2: "audio.missing", 3: "worker.pcm_damaged", 4: "worker.pcm_not_finite", 5: None,
        }  # fmt: skip
        for outcome in found.values():
            if outcome.code:
                assert str(EngineError(outcome.code, **outcome.error_values))


def test_silence_is_an_empty_text_with_its_flag_and_has_no_quality(worker):
    item = {"id": 1, "pcm": pcm_text(np.zeros(3 * RATE, np.float32))}
    heard = transcripts(worker, [item])[1].values
    assert (heard["text"], heard["flags"]) == ("", ["silent"])
    quality = answers(worker, "quality", [item])[1].values
    assert [quality[name] for name in ("ovrl", "sig", "bak", "p808")] == [None] * 4


def test_samples_that_are_no_numbers_are_told_with_what_was_heard(worker, tmp_path):
    samples = tone()
    samples[100] = np.nan
    soundfile.write(tmp_path / "nan.wav", samples, RATE, subtype="FLOAT")
    items = [{"id": "file", "path": str(tmp_path / "nan.wav")}, {"id": "pcm", "pcm": pcm_text(samples)}]
    for outcome in transcripts(worker, items).values():
        assert "non_finite" in outcome.values["flags"]
    assert all(outcome.values["ovrl"] is not None for outcome in answers(worker, "quality", items).values())


def test_facts_tell_the_faults_of_a_file(worker, tmp_path):
    soundfile.write(tmp_path / "silent.wav", np.zeros(RATE, np.float32), RATE)
    found = answers(worker, "facts", [{"id": 1, "path": str(tmp_path / "silent.wav")}, {"id": 2, "path": "/none"}])
    assert [fault["code"] for fault in found[1].values["faults"]] == ["silent"]
    assert found[1].values["peak_dbfs"] is None
    assert found[2].code == "audio.missing"


def test_describe_tells_what_makes_the_transcripts(worker):
    values = answers(worker, "describe", [{"id": 0}], recogniser={"cpu_threads": 2, "word_times": True})[0].values
    assert (values["name"], values["weights_sha256"]) == ("faster-whisper", SHA256)
    assert any(library.startswith("ctranslate2") for library in values["libraries"])


def test_a_recogniser_that_cannot_be_loaded_stops_the_whole_request_and_says_why(worker):
    with pytest.raises(EngineError) as raised:
        answers(worker, "recognise", [{"id": 1, "path": "x.wav"}], recogniser={"weights": "/no/such/folder"})
    assert raised.value.code == "speech.weights_missing"
    assert "/no/such/folder" in str(raised.value)


@needs_shared
def test_non_finite_cases_are_read_as_finite_samples_or_fail_saying_why(worker, tmp_path):
    folder = make_case("audio-non-finite", tmp_path)
    items = [{"id": name, "path": str(folder / name)} for name in ("clip.wav", "all-nan.wav")]
    heard = transcripts(worker, items)
    assert "non_finite" in heard["clip.wav"].values["flags"]
    assert heard["all-nan.wav"].code == "audio.no_usable_sample"
    quality = answers(worker, "quality", items)
    assert all(np.isfinite(quality["clip.wav"].values[name]) for name in ("ovrl", "sig", "bak", "p808"))
    assert quality["all-nan.wav"].code == "audio.no_usable_sample"


@needs_shared
def test_the_case_of_digital_silence_gives_no_stock_phrase(worker, tmp_path):
    clip = make_case("audio-digital-silence", tmp_path) / "clip.wav"
    values = transcripts(worker, [{"id": 1, "path": str(clip)}])[1].values
    assert (values["text"], values["flags"]) == ("", ["silent"])


@needs_shared
def test_the_case_of_a_dead_left_channel_is_not_called_silent(worker, tmp_path):
    clip = make_case("audio-dead-left-channel", tmp_path) / "clip.wav"
    assert "silent" not in transcripts(worker, [{"id": 1, "path": str(clip)}])[1].values["flags"]


@needs_shared
def test_the_case_of_files_that_are_no_audio_fails_five_times_and_goes_on(worker, tmp_path):
    folder = make_case("audio-not-audio", tmp_path)
    items = [{"id": n, "path": str(folder / f"000{n}.wav")} for n in range(1, 6)]
    found = transcripts(worker, [*items, {"id": 6, "pcm": pcm_text(tone())}])
    codes = ["lfs_pointer", "web_page", "empty_file", "only_zeros", "cut_header"]
    assert [found[n].code for n in range(1, 6)] == [f"audio.{code}" for code in codes]
    assert found[6].code is None
