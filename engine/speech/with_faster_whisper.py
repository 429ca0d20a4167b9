"""Whisper by faster-whisper (CTranslate2): the default recogniser, which needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.speech.cache import sha256_of
from engine.speech.packaged import packaged_whisper
from engine.speech.threads import thread_count
from engine.speech.values import PACKAGED, SAMPLE_RATE_HZ, Heard, RecogniserSpec, Samples, Word
from engine.speech.weights import require_files, weights_folder
from engine.speech.words import tidy_words

_WINDOW = 30 * SAMPLE_RATE_HZ
_FRAMES_PER_S = 100


def load(spec: RecogniserSpec) -> FasterWhisper:
    """The back end with its weights in memory. Raises EngineError ``speech.*`` for what is missing."""
    try:
        import faster_whisper  # noqa: F401
    except ImportError as error:
        raise EngineError("speech.extra_missing", package="faster-whisper", extra="offline") from error
    folder = packaged_whisper() if spec.weights == PACKAGED else weights_folder(spec, ("model.bin",))
    if (folder / "model.safetensors").exists() and not (folder / "model.bin").exists():
        raise EngineError("speech.not_ctranslate2", folder=str(folder))
    # without tokenizer.json faster-whisper would ask the hub for one
    require_files(folder, ("model.bin", "config.json", "tokenizer.json"))
    return FasterWhisper(folder, spec)


class FasterWhisper:
    """Windows through ``ctranslate2.models.Whisper``, padded with silence to 30 s as Whisper was trained."""

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

    def hear(
        self, windows: Sequence[Samples], languages: Sequence[str | None], beam_size: int, word_times: bool
    ) -> list[Heard]:
        """What is heard in each window; see ``BackEnd``."""
        encoded = self._model.encode(np.stack([self._features(window) for window in windows]))
        known = self._languages(encoded, languages)
        results = self._model.model.generate(
            encoded, [self._prompt(language) for language in known], beam_size=beam_size,
            max_length=self._model.max_length, suppress_blank=True, suppress_tokens=self._suppressed,
            return_scores=True, return_no_speech_prob=True,
        )  # fmt: skip
        tokens = [result.sequences_ids[0] for result in results]
        words = self._words(encoded, windows, known, tokens) if word_times else [()] * len(windows)
        return [
            self._heard(result, language, spoken)
            for result, language, spoken in zip(results, known, words, strict=True)
        ]

    def _features(self, window: Samples) -> Any:
        # faster-whisper itself pads the features with zeros, which is no silence: 8 wrong syllables of 100 became 5
        return self._model.feature_extractor(np.pad(window, (0, _WINDOW - len(window))), padding=0)

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
        self, encoded: Any, windows: Sequence[Samples], languages: list[str], tokens: list[list[int]]
    ) -> list[tuple[Word, ...]]:
        """Word times of each window; the windows of one language are aligned as one batch."""
        words: list[tuple[Word, ...]] = [()] * len(windows)
        for language in sorted(set(languages)):
            group = [i for i, known in enumerate(languages) if known == language and tokens[i]]
            if not group:
                continue
            features = encoded if len(group) == len(windows) else self._rows(encoded, group, windows)
            frames = [max(2, len(windows[i]) * _FRAMES_PER_S // SAMPLE_RATE_HZ) for i in group]
            asked = [tokens[i] for i in group]
            found = self._model.find_alignment(self._tokenizer(language), asked, features, frames)
            for i, items in zip(group, found, strict=True):
                words[i] = tidy_words(map(_word, items), len(windows[i]) / SAMPLE_RATE_HZ)
        return words

    def _rows(self, encoded: Any, group: list[int], windows: Sequence[Samples]) -> Any:
        """Some rows of what the encoder gave; on a GPU it is out of numpy's reach and is computed again."""
        import ctranslate2

        if self._model.model.device != "cpu":
            return self._model.encode(np.stack([self._features(windows[i]) for i in group]))
        return ctranslate2.StorageView.from_array(np.ascontiguousarray(np.asarray(encoded)[group]))


def _word(item: dict[str, Any]) -> Word:
    return Word(item["word"], float(item["start"]), float(item["end"]), float(item["probability"]))


def _best_device() -> str:
    import ctranslate2

    return "cuda" if ctranslate2.get_cuda_device_count() else "cpu"
