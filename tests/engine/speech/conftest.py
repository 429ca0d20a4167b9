"""Real weights, loaded once a session, and real speech whose words are known."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.audio.read import load_mono
from engine.metrics.error_rates import error_rate
from engine.shipped import shipped
from engine.speech.packaged import packaged_whisper
from engine.speech.recognise import load_recogniser
from engine.speech.values import RecogniserSpec
from tests.shared import shared_file


@dataclass(frozen=True)
class Spoken:
    """A clip at 16 kHz and what is said in it."""

    samples: NDArray[np.float32]
    text: str
    language: str

    def errors(self, heard: str) -> float:
        """Corrected syllable error (zh) or word error (en)."""
        unit = "syllable" if self.language == "zh" else "word"
        return error_rate(unit, self.text, heard, self.language).rate


def pooled(clips, transcripts):
    unit = {"zh": "syllable", "en": "word"}
    rates = [error_rate(unit[c.language], c.text, t.text, c.language) for c, t in zip(clips, transcripts, strict=True)]
    return sum(rate.errors for rate in rates) / sum(rate.reference_length for rate in rates)


@pytest.fixture(scope="session")
def recording():
    """The shared recording: 51 s of Mandarin, 236 characters."""
    folder = shared_file("vocalbench-zh/model_output/qwen3-omni")
    record = json.loads((folder / "json_asr" / "chinese_knowledge.json").read_text(encoding="utf-8"))[0]
    return Spoken(load_mono(folder / "wav" / "chinese_knowledge-0000.wav", 16000), record["Response"], "zh")


@pytest.fixture(scope="session")
def sample_speech():
    """Clips of the sample pack whose words are known: eight Mandarin ones, then four English ones."""
    listed = shipped("data/sample/speech/floor.jsonl")
    entries = [json.loads(line) for line in listed.read_text(encoding="utf-8").splitlines() if line]
    chosen = [e for e in entries if e["language"] == "zh"][:8] + [e for e in entries if e["language"] == "en"][:4]
    pack = listed.parent.parent
    return [Spoken(load_mono(pack / e["audio"], 16000), e["text"], e["language"]) for e in chosen]


@pytest.fixture(scope="session")
def recogniser():
    """The recogniser as the product runs it, with word times."""
    return load_recogniser(RecogniserSpec(word_times=True, cpu_threads=2))


@pytest.fixture(scope="session")
def transformers_folder(tmp_path_factory):
    """The packaged weights in the form of transformers."""
    pytest.importorskip("transformers")
    from tests.engine.speech.convert import write_transformers

    return write_transformers(packaged_whisper(), tmp_path_factory.mktemp("whisper-transformers"))


@pytest.fixture(scope="session")
def openai_file(tmp_path_factory):
    """The packaged weights as openai-whisper saves them, a pickle."""
    pytest.importorskip("whisper")
    from tests.engine.speech.convert import write_openai

    return write_openai(packaged_whisper(), tmp_path_factory.mktemp("whisper-openai"))
