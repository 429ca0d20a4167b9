"""Whisper by openai-whisper, the reference implementation (torch)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.installing import install_alone, install_extra
from engine.speech.cache import sha256_of_all
from engine.speech.on_torch import PADDED, device_and_type
from engine.speech.values import PACKAGED, SAMPLE_RATE_HZ, Heard, RecogniserSpec, Samples, Word
from engine.speech.weights import model_files, require_files, weights_folder
from engine.speech.words import tidy_words

_WINDOW = 30 * SAMPLE_RATE_HZ
_FRAMES_PER_S = 100
#: From the names of transformers to those of openai-whisper, in this order.
_NAMES = (
    ("model.", ""), ("encoder_attn_layer_norm", "cross_attn_ln"), ("self_attn_layer_norm", "attn_ln"),
    ("final_layer_norm", "mlp_ln"), ("encoder_attn", "cross_attn"), ("self_attn", "attn"), ("layers", "blocks"),
    ("q_proj", "query"), ("k_proj", "key"), ("v_proj", "value"), ("out_proj", "out"), ("fc1", "mlp.0"),
    ("fc2", "mlp.2"), ("encoder.layer_norm", "encoder.ln_post"), ("decoder.layer_norm", "decoder.ln"),
    ("embed_positions.weight", "positional_embedding"), ("embed_tokens", "token_embedding"),
)  # fmt: skip


def load(spec: RecogniserSpec) -> OpenaiWhisper:
    """The back end with its weights in memory: a transformers folder or hub id, or a ``.pt`` file when pickles may be.

    Raises EngineError ``speech.*`` for what is missing.
    """
    try:
        import torch  # noqa: F401
        import whisper  # noqa: F401
    except ImportError as error:
        raise EngineError(
            "speech.extra_missing",
            package="openai-whisper",
            command=f"{install_extra('whisper')} && {install_alone('openai-whisper')}",
        ) from error
    if spec.weights == PACKAGED:
        raise EngineError("speech.packaged_is_ctranslate2", backend=spec.backend)
    path = weights_folder(spec)
    if path.is_file() and not spec.allow_pickle:
        raise EngineError("speech.pickle_refused", file=str(path))
    if path.is_dir() and not (path / "config.json").exists():
        files = model_files(path, spec)
        path = files[0]
    return OpenaiWhisper(path, spec)


class OpenaiWhisper:
    """Windows through ``whisper.decode`` with timestamps off."""

    def __init__(self, path: Path, spec: RecogniserSpec) -> None:
        self._device, self.compute_type = device_and_type(spec, "float32", "float16")
        files = [path] if path.is_file() else model_files(path, spec)
        self.weights_sha256 = sha256_of_all(files)
        self.libraries = tuple(f"{name} {version(name)}" for name in ("openai-whisper", "torch"))
        self._model: Any = (_from_file(path) if path.is_file() else _from_folder(path, files)).to(self._device).eval()
        self.longest_answer = int(self._model.dims.n_text_ctx) // 2

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the text beside the compute type: how windows are padded."""
        return dict(PADDED)

    def hear(
        self, windows: Sequence[Samples], languages: Sequence[str | None], beam_size: int, word_times: bool
    ) -> list[Heard]:
        """What is heard in each window; see ``BackEnd``. A call decodes one language, so they go in groups."""
        import torch

        with torch.no_grad():
            mels = torch.stack([self._features(window) for window in windows])
            encoded = self._model.embed_audio(mels)
            known = self._languages(encoded, languages)
            heard: dict[int, Heard] = {}
            for language in sorted(set(known)):
                group = [index for index, each in enumerate(known) if each == language]
                results = self._decode(encoded[group], language, beam_size)
                for index, result in zip(group, results, strict=True):
                    words = self._words(result, language, mels[index], len(windows[index])) if word_times else ()
                    heard[index] = _heard(result, language, words)
        return [heard[index] for index in range(len(windows))]

    def _features(self, window: Samples) -> Any:
        import torch
        from whisper.audio import log_mel_spectrogram

        padded = torch.from_numpy(np.pad(window, (0, _WINDOW - len(window))))
        mel = log_mel_spectrogram(padded, self._model.dims.n_mels).to(self._device)
        return mel.half() if self.compute_type == "float16" else mel

    def _languages(self, encoded: Any, languages: Sequence[str | None]) -> list[str]:
        if not self._model.is_multilingual:
            return ["en"] * len(languages)
        from whisper.decoding import detect_language
        from whisper.tokenizer import LANGUAGES

        for language in filter(None, languages):
            if language not in LANGUAGES:
                raise EngineError("speech.unknown_language", language=language)
        if None not in languages:
            return [language for language in languages if language is not None]

        _, found = detect_language(self._model, encoded)
        return [language or max(chances, key=chances.get) for language, chances in zip(languages, found, strict=True)]

    def _decode(self, encoded: Any, language: str, beam_size: int) -> list[Any]:
        from whisper.decoding import DecodingOptions, decode

        options = DecodingOptions(
            language=language, beam_size=beam_size if beam_size > 1 else None, without_timestamps=True,
            fp16=self.compute_type == "float16", temperature=0.0,
        )  # fmt: skip
        return list(decode(self._model, encoded, options))

    def _words(self, result: Any, language: str, mel: Any, length: int) -> tuple[Word, ...]:
        from whisper.timing import find_alignment
        from whisper.tokenizer import get_tokenizer

        model = self._model
        tokenizer = get_tokenizer(model.is_multilingual, num_languages=model.num_languages, language=language,
                                  task="transcribe")  # fmt: skip
        tokens = [token for token in result.tokens if token < tokenizer.eot]
        frames = max(2, length * _FRAMES_PER_S // SAMPLE_RATE_HZ)
        found = find_alignment(model, tokenizer, tokens, mel, frames)
        pieces = (Word(item.word, float(item.start), float(item.end), float(item.probability)) for item in found)
        return tidy_words(pieces, length / SAMPLE_RATE_HZ)


def _heard(result: Any, language: str, words: tuple[Word, ...]) -> Heard:
    count = len(result.tokens)
    return Heard(result.text.strip(), language, float(result.avg_logprob), float(result.no_speech_prob), count, words)


def _from_file(path: Path) -> Any:
    import whisper

    return whisper.load_model(str(path), device="cpu")


def _from_folder(folder: Path, files: list[Path]) -> Any:
    """A model of openai-whisper out of a folder of transformers: the same weights under other names."""
    from whisper.model import ModelDimensions, Whisper

    require_files(folder, ("config.json",))
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model = Whisper(ModelDimensions(
        n_mels=config["num_mel_bins"], n_vocab=config["vocab_size"],
        n_audio_ctx=config["max_source_positions"], n_text_ctx=config["max_target_positions"],
        n_audio_state=config["d_model"], n_text_state=config["d_model"],
        n_audio_head=config["encoder_attention_heads"], n_text_head=config["decoder_attention_heads"],
        n_audio_layer=config["encoder_layers"], n_text_layer=config["decoder_layers"],
    ))  # fmt: skip
    model.load_state_dict({_renamed(name): values for name, values in _arrays(files).items()})
    _set_alignment_heads(model, folder)
    return model


def _arrays(files: list[Path]) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for file in files:
        if file.suffix == ".safetensors":
            from safetensors.torch import load_file

            arrays |= load_file(file)
        else:
            import torch

            arrays |= torch.load(file, map_location="cpu", weights_only=True)
    return {name: values for name, values in arrays.items() if name != "proj_out.weight"}


def _renamed(name: str) -> str:
    for old, new in _NAMES:
        name = name.replace(old, new)
    return name


def _set_alignment_heads(model: Any, folder: Path) -> None:
    """The heads that follow the audio, where the folder names them; else the later half of the layers is used."""
    import torch

    path = folder / "generation_config.json"
    heads = json.loads(path.read_text(encoding="utf-8")).get("alignment_heads") if path.exists() else None
    if heads:
        mask = torch.zeros(model.dims.n_text_layer, model.dims.n_text_head, dtype=torch.bool)
        for layer, head in heads:
            mask[layer, head] = True
        model.register_buffer("alignment_heads", mask.to_sparse(), persistent=False)
