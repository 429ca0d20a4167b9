"""Whisper by faster-whisper (CTranslate2): the default recogniser, which needs no torch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.installing import install_extra
from engine.speech.cache import sha256_of
from engine.speech.packaged import packaged_whisper
from engine.speech.threads import thread_count
from engine.speech.values import PACKAGED, SAMPLE_RATE_HZ, Heard, RecogniserSpec, Samples, Word
from engine.speech.weights import require_files, weights_folder
from engine.speech.words import tidy_words

SHORTEST_PADDED_S, SILENCE_AFTER_S = 20.0, 8.0
_PADDED_STEP_S, _LONGEST_S = 5.0, 30.0  # few lengths, so that many windows share one
_FRAMES_PER_S = 100


def load(spec: RecogniserSpec) -> FasterWhisper:
    """The back end with its weights in memory. Raises EngineError ``speech.*`` for what is missing."""
    try:
        import faster_whisper  # noqa: F401
    except ImportError as error:
        raise EngineError("speech.extra_missing", package="faster-whisper", command=install_extra("offline")) from error
    folder = packaged_whisper() if spec.weights == PACKAGED else weights_folder(spec)
    if (folder / "model.safetensors").exists() and not (folder / "model.bin").exists():
        raise EngineError("speech.not_ctranslate2", folder=str(folder))
    # without tokenizer.json faster-whisper would ask the hub for one
    require_files(folder, ("model.bin", "config.json", "tokenizer.json"))
    return FasterWhisper(folder, spec)


class FasterWhisper:
    """Windows through ``ctranslate2.models.Whisper``, padded with silence."""

    def __init__(self, folder: Path, spec: RecogniserSpec) -> None:
        from faster_whisper import WhisperModel
        from faster_whisper.transcribe import get_suppressed_tokens

        device = spec.device if spec.device != "auto" else _best_device()
        default = "int8" if device == "cpu" else "float16"
        self.compute_type = default if spec.compute_type == "default" else spec.compute_type
        self.weights_sha256 = sha256_of(folder / "model.bin")
        self.libraries = tuple(f"{name} {version(name)}" for name in ("faster-whisper", "ctranslate2"))
        self._model: Any = WhisperModel(
            str(folder), device=device, compute_type=self.compute_type, cpu_threads=thread_count(spec.cpu_threads),
            num_workers=1, local_files_only=True,
        )  # fmt: skip
        self._suppressed = get_suppressed_tokens(self._tokenizer("en"), [-1])
        self.longest_answer = int(self._model.max_length) - len(self._prompt("en"))

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the text beside the compute type: how windows are padded."""
        return {"padded_s": [SHORTEST_PADDED_S, SILENCE_AFTER_S, _PADDED_STEP_S]}

    def hear(
        self, windows: Sequence[Samples], languages: Sequence[str | None], beam_size: int, word_times: bool
    ) -> list[Heard]:
        """What is heard in each window; see ``BackEnd``. Those that are padded alike are decoded together."""
        heard: dict[int, Heard] = {}
        lengths = [padded_length(len(window)) for window in windows]
        for length in sorted(set(lengths)):
            group = [index for index, each in enumerate(lengths) if each == length]
            encoded = self._encode([windows[index] for index in group], length)
            known = self._languages(encoded, [languages[index] for index in group])
            results = self._model.model.generate(
                encoded, [self._prompt(language) for language in known], beam_size=beam_size,
                max_length=self._model.max_length, suppress_blank=True, suppress_tokens=self._suppressed,
                return_scores=True, return_no_speech_prob=True,
            )  # fmt: skip
            tokens = [result.sequences_ids[0] for result in results]
            seconds = [len(windows[index]) / SAMPLE_RATE_HZ for index in group]
            words = self._words(encoded, seconds, known, tokens) if word_times else [()] * len(group)
            for index, *found in zip(group, results, known, words, strict=True):
                heard[index] = self._heard(*found)
        return [heard[index] for index in range(len(windows))]

    def _encode(self, windows: Sequence[Samples], length: int) -> Any:
        # faster-whisper itself pads the features with zeros, which is no silence: 8 wrong syllables of 100 became 5
        features = np.stack(
            [self._model.feature_extractor(np.pad(w, (0, length - len(w))), padding=0) for w in windows]
        )
        if self._model.model.device != "cpu":
            return self._model.encode(features)
        # one by one, since a batch falls out of the processor's cache: a fifth faster
        return _storage(np.concatenate([np.asarray(self._model.encode(one)) for one in features]))

    def _languages(self, encoded: Any, languages: Sequence[str | None]) -> list[str]:
        if not self._model.model.is_multilingual:
            return ["en"] * len(languages)
        for language in filter(None, languages):
            if language not in self._model.supported_languages:
                raise EngineError("speech.unknown_language", language=language)
        if None not in languages:
            return [language for language in languages if language is not None]
        found = self._model.model.detect_language(encoded)
        return [language or best[0][0][2:-2] for language, best in zip(languages, found, strict=True)]

    def _tokenizer(self, language: str) -> Any:
        from faster_whisper.tokenizer import Tokenizer

        multilingual = self._model.model.is_multilingual
        return Tokenizer(self._model.hf_tokenizer, multilingual, task="transcribe", language=language)

    def _prompt(self, language: str) -> list[int]:
        return list(self._model.get_prompt(self._tokenizer(language), [], without_timestamps=True))

    def _heard(self, result: Any, language: str, words: tuple[Word, ...]) -> Heard:
        tokens = result.sequences_ids[0]
        text = self._tokenizer(language).decode(tokens).strip()
        mean = result.scores[0] * len(tokens) / (len(tokens) + 1)  # the score is a mean without the end token
        return Heard(text, language, float(mean), float(result.no_speech_prob), len(tokens), words)

    def _words(
        self, encoded: Any, seconds: list[float], languages: list[str], tokens: list[list[int]]
    ) -> list[tuple[Word, ...]]:
        """Word times of each window; the windows of one language are aligned as one batch."""
        words: list[tuple[Word, ...]] = [()] * len(seconds)
        for language in sorted(set(languages)):
            group = [i for i, known in enumerate(languages) if known == language and tokens[i]]
            if not group:
                continue
            features = encoded if len(group) == len(seconds) else _rows(encoded, group)
            frames = [max(2, round(seconds[i] * _FRAMES_PER_S)) for i in group]
            asked = [tokens[i] for i in group]
            found = self._model.find_alignment(self._tokenizer(language), asked, features, frames)
            for i, items in zip(group, found, strict=True):
                words[i] = tidy_words(map(_word, items), seconds[i])
        return words


def padded_length(length: int) -> int:
    """Samples to which a window of ``length`` is padded with silence, at most 30 s.

    Whisper was trained on 30 s, and its encoder takes as long for a word as for 30 s. With 8 s of silence behind
    the speech and 20 s in all it errs no more (78 of 931 known words and syllables, 81 with 30 s) in half the time.
    """
    seconds = max(SHORTEST_PADDED_S, length / SAMPLE_RATE_HZ + SILENCE_AFTER_S)
    return round(min(_LONGEST_S, math.ceil(seconds / _PADDED_STEP_S) * _PADDED_STEP_S) * SAMPLE_RATE_HZ)


def _storage(rows: Any) -> Any:
    import ctranslate2

    return ctranslate2.StorageView.from_array(np.ascontiguousarray(rows))


def _rows(encoded: Any, group: list[int]) -> Any:
    """Some rows of what the encoder gave, brought to the processor's memory."""
    import ctranslate2

    return _storage(np.asarray(encoded.to_device(ctranslate2.Device.cpu))[group])


def _word(item: dict[str, Any]) -> Word:
    return Word(item["word"], float(item["start"]), float(item["end"]), float(item["probability"]))


def _best_device() -> str:
    import ctranslate2

    return "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
