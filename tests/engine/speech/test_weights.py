"""Weights are found where the user says; nothing is fetched, no pickle loaded, unless allowed."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from engine.errors import EngineError
from engine.speech.packaged import packaged_whisper
from engine.speech.recognise import load_recogniser
from engine.speech.values import RecogniserSpec


def refused(**spec):
    with pytest.raises(EngineError) as raised:
        load_recogniser(RecogniserSpec(**spec))
    assert str(raised.value)
    assert raised.value.sentence("zh") != str(raised.value)
    return raised.value.code


@pytest.mark.parametrize("backend", ["faster-whisper", "openai-whisper", "transformers"])
@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ("/no/such/folder", "speech.weights_missing"),
        ("no such thing", "speech.weights_missing"),
        ("nobody/has-this-model", "speech.weights_not_local"),
    ],
)
def test_weights_that_are_not_here_are_named_and_not_fetched(backend, weights, code):
    if backend != "faster-whisper":
        pytest.importorskip("whisper" if backend == "openai-whisper" else "transformers")
    assert refused(backend=backend, weights=weights) == code


def test_offline_goes_before_a_permission_to_download(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert refused(weights="nobody/has-this-model", allow_download=True) == "speech.weights_not_local"


@pytest.mark.parametrize("backend", ["openai-whisper", "transformers"])
def test_the_packaged_weights_are_for_faster_whisper_and_others_say_so(backend):
    pytest.importorskip("whisper" if backend == "openai-whisper" else "transformers")
    assert refused(backend=backend) == "speech.packaged_is_ctranslate2"


@pytest.mark.parametrize("missing", ["tokenizer.json", "model.bin"])
def test_an_incomplete_folder_is_refused_before_a_library_asks_the_hub_for_the_rest(tmp_path, missing):
    for file in packaged_whisper().iterdir():
        if file.is_file() and file.name not in (missing, "model.bin"):
            shutil.copy(file, tmp_path)
    if missing != "model.bin":
        (tmp_path / "model.bin").touch()
    assert refused(weights=str(tmp_path)) == "speech.weights_incomplete"


def test_a_folder_of_another_form_says_how_to_convert_it(tmp_path):
    (tmp_path / "model.safetensors").touch()
    assert refused(weights=str(tmp_path)) == "speech.not_ctranslate2"


def test_a_pickle_is_refused_unless_allowed(tmp_path):
    pytest.importorskip("transformers")
    for name in ("config.json", "generation_config.json", "preprocessor_config.json", "pytorch_model.bin"):
        (tmp_path / name).write_text("{}")
    assert refused(backend="transformers", weights=str(tmp_path)) == "speech.pickle_refused"
    pytest.importorskip("whisper")
    assert refused(backend="openai-whisper", weights=str(tmp_path)) == "speech.pickle_refused"
    (tmp_path / "base.pt").touch()
    assert refused(backend="openai-whisper", weights=str(tmp_path / "base.pt")) == "speech.pickle_refused"


def test_a_missing_library_names_the_extra_that_brings_it(monkeypatch):
    for module, spec, extra in (
        ("faster_whisper", RecogniserSpec(), "offline"),
        ("whisper", RecogniserSpec(backend="openai-whisper"), "whisper"),
        ("transformers", RecogniserSpec(backend="transformers"), "torch"),
    ):
        monkeypatch.setitem(__import__("sys").modules, module, None)
        with pytest.raises(EngineError, match=rf"pip install .*\[{extra}\]"):
            load_recogniser(replace(spec, weights="/tmp"))
