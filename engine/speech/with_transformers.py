"""Whisper by transformers: any folder or hub id of its kind (torch)."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.installing import install_extra
from engine.speech.cache import sha256_of_all
from engine.speech.on_torch import PADDED, device_and_type
from engine.speech.values import PACKAGED, SAMPLE_RATE_HZ, Heard, RecogniserSpec, Samples, Word
from engine.speech.weights import model_files, require_files, weights_folder
from engine.speech.words import SECONDS_PER_FRAME, pieces_of, smoothed_attention, tidy_words, token_times


def load(spec: RecogniserSpec) -> TransformersWhisper:
    """The back end with its weights in memory. Raises EngineError ``speech.*`` for what is missing."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise EngineError("speech.extra_missing", package="transformers", command=install_extra("torch")) from error
    if spec.weights == PACKAGED:
        raise EngineError("speech.packaged_is_ctranslate2", backend=spec.backend)
    folder = weights_folder(spec)
    require_files(folder, ("config.json", "generation_config.json", "preprocessor_config.json"))
    return TransformersWhisper(folder, spec)


class TransformersWhisper:
    """Windows through the encoder once, then detection, beam search and alignment over what it gave."""

    def __init__(self, folder: Path, spec: RecogniserSpec) -> None:
        import torch

        transformers: Any = import_module("transformers")  # half typed: what mypy says of it changes by version
        self._device, self.compute_type = device_and_type(spec, "float32", "float16", "bfloat16")
        files = model_files(folder, spec)
        self.weights_sha256 = sha256_of_all(files)
        self.libraries = tuple(f"{name} {version(name)}" for name in ("transformers", "torch"))
        local: dict[str, Any] = {"local_files_only": True}
        self._model: Any = transformers.WhisperForConditionalGeneration.from_pretrained(
            folder, dtype=getattr(torch, self.compute_type), use_safetensors=files[0].suffix == ".safetensors",
            attn_implementation="eager" if spec.word_times else "sdpa", **local,
        ).to(self._device).eval()  # fmt: skip
        self._features: Any = transformers.WhisperFeatureExtractor.from_pretrained(folder, **local)
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder, **local)
        self._tokens = _SpecialTokens(self._model)
        self.longest_answer = int(self._model.config.max_target_positions) - len(self._tokens.prompt("en"))

    @property
    def settings(self) -> dict[str, Any]:
        """What decides the text beside the compute type: how windows are padded."""
        return dict(PADDED)

    def hear(
        self, windows: Sequence[Samples], languages: Sequence[str | None], beam_size: int, word_times: bool
    ) -> list[Heard]:
        """What is heard in each window; see ``BackEnd``."""
        import torch

        with torch.no_grad():
            encoded = self._encode(windows)
            no_speech, found = self._first_step(encoded)
            known = [language or best for language, best in zip(languages, found, strict=True)]
            answers = self._generate(encoded, known, beam_size)
            return [
                self._heard(encoded[index], answers[index], known[index], no_speech[index], len(window), word_times)
                for index, window in enumerate(windows)
            ]

    def _encode(self, windows: Sequence[Samples]) -> Any:
        features = self._features(
            list(windows), sampling_rate=SAMPLE_RATE_HZ, return_tensors="pt", padding="max_length", truncation=True
        ).input_features
        encoder = self._model.get_encoder()
        return encoder(features.to(self._device, self._model.dtype)).last_hidden_state

    def _first_step(self, encoded: Any) -> tuple[list[float], list[str]]:
        """What the model makes of its start token: the chance that nobody speaks, and the likeliest language."""
        logits = self._logits(encoded, [[self._tokens.start]] * len(encoded))[:, 0].float()
        chances = logits.softmax(dim=-1)
        no_speech = chances[:, self._tokens.no_speech].tolist()
        if not self._tokens.languages:
            return no_speech, ["en"] * len(encoded)
        names = list(self._tokens.languages)
        best = logits[:, [self._tokens.languages[name] for name in names]].argmax(dim=-1)
        return no_speech, [names[index] for index in best.tolist()]

    def _logits(self, encoded: Any, tokens: list[list[int]]) -> Any:
        import torch

        asked = torch.tensor(tokens, device=self._device)
        return self._model(encoder_outputs=(encoded,), decoder_input_ids=asked).logits

    def _generate(self, encoded: Any, languages: list[str], beam_size: int) -> list[list[int]]:
        import torch

        transformers: Any = import_module("transformers")
        mixin: Any = import_module("transformers.generation").GenerationMixin
        outputs: Any = import_module("transformers.modeling_outputs")
        prompts = [self._tokens.prompt(language) for language in languages]
        config = transformers.GenerationConfig(
            num_beams=beam_size, do_sample=False, max_length=self._model.config.max_target_positions,
            eos_token_id=self._tokens.end, pad_token_id=self._tokens.end, suppress_tokens=self._tokens.suppressed,
            decoder_start_token_id=self._tokens.start, begin_suppress_tokens=self._tokens.suppressed_first,
        )  # fmt: skip
        # Whisper's own generate() would cut, pad and detect by rules that change between versions
        made = mixin.generate(
            self._model, encoder_outputs=outputs.BaseModelOutput(last_hidden_state=encoded), generation_config=config,
            decoder_input_ids=torch.tensor(prompts, device=self._device),
            attention_mask=torch.ones(encoded.shape[:2], dtype=torch.long, device=self._device),
        )  # fmt: skip
        answers = made[:, len(prompts[0]) :].tolist()
        return [
            answer[: answer.index(self._tokens.end)] if self._tokens.end in answer else answer for answer in answers
        ]

    def _heard(
        self, encoded: Any, answer: list[int], language: str, no_speech: float, length: int, word_times: bool
    ) -> Heard:
        import torch

        prompt = self._tokens.prompt(language)
        asked = torch.tensor([[*prompt, *answer]], device=self._device)
        made = self._model(encoder_outputs=(encoded[None],), decoder_input_ids=asked, output_attentions=word_times)
        chances = made.logits[0, len(prompt) - 1 :].float().log_softmax(dim=-1)
        logs = chances[torch.arange(len(answer) + 1), torch.tensor([*answer, self._tokens.end])].tolist()
        words: tuple[Word, ...] = ()
        if word_times and answer:
            words = self._words(made.cross_attentions, answer, len(prompt), np.exp(logs[:-1]).tolist(), length)
        text = self._tokenizer.decode(answer, skip_special_tokens=True).strip()
        return Heard(text, language, float(np.mean(logs)), no_speech, len(answer), words)

    def _words(
        self, attentions: Any, answer: list[int], prompt_length: int, chances: list[float], length: int
    ) -> tuple[Word, ...]:
        frames = max(1, round(length / SAMPLE_RATE_HZ / SECONDS_PER_FRAME))
        heads = np.stack([attentions[layer][0, head].float().cpu().numpy() for layer, head in self._tokens.heads])
        along = smoothed_attention(heads[:, :, :frames].astype(np.float64))[
            prompt_length - 1 :
        ]  # a row for each token that follows
        times = token_times(along)
        tokens, first = self._whole_characters(answer)
        begins = [*(times[index] for index in first), times[-1]]
        pieces = pieces_of(tokens, begins, [chances[index] for index in first])
        return tidy_words(pieces, length / SAMPLE_RATE_HZ)

    def _whole_characters(self, answer: list[int]) -> tuple[list[str], list[int]]:
        """The answer in pieces of whole characters (a rare Han character is several tokens), and where each begins."""
        pieces: list[str] = []
        first: list[int] = []
        start = 0
        for end in range(1, len(answer) + 1):
            piece = self._tokenizer.decode(answer[start:end])
            if "\ufffd" not in piece or end == len(answer):
                pieces.append(piece)
                first.append(start)
                start = end
        return pieces, first


class _SpecialTokens:
    """The numbers of Whisper's special tokens, from the folder's generation config."""

    def __init__(self, model: Any) -> None:
        config = model.generation_config
        self.start: int = config.decoder_start_token_id
        self.end: int = config.eos_token_id if isinstance(config.eos_token_id, int) else config.eos_token_id[0]
        self.no_timestamps: int = config.no_timestamps_token_id
        self.no_speech = self.no_timestamps - 1  # their order in every Whisper vocabulary
        self.suppressed: list[int] = list(config.suppress_tokens or [])
        self.suppressed_first: list[int] = list(config.begin_suppress_tokens or [])
        known: dict[str, int] = getattr(config, "lang_to_id", None) or {}
        self.languages = {name[2:-2]: number for name, number in known.items()}
        self._transcribe: int | None = (getattr(config, "task_to_id", None) or {}).get("transcribe")
        layers, heads = model.config.decoder_layers, model.config.decoder_attention_heads
        later_half = [(layer, head) for layer in range(layers // 2, layers) for head in range(heads)]
        self.heads: list[tuple[int, int]] = getattr(config, "alignment_heads", None) or later_half

    def prompt(self, language: str) -> list[int]:
        """What the answer begins after; an English-only model knows no languages."""
        if not self.languages or self._transcribe is None:
            return [self.start, self.no_timestamps]
        if language not in self.languages:
            raise EngineError("speech.unknown_language", language=language)
        return [self.start, self.languages[language], self._transcribe, self.no_timestamps]
