"""What all models that chat about audio have in common; a file per family says what is its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.systems.local.packages import need, torch_and_transformers
from engine.systems.local.placing import Placing
from engine.systems.local.weights import uses_safetensors
from engine.systems.omni.conversation import Conversation, Message
from engine.systems.omni.settings import OmniSettings

Samples = NDArray[np.float32]
Tensors = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Generated:
    """What a model made: per row its new tokens and, where it speaks, its samples."""

    tokens: list[list[int]]
    waves: list[Samples] | None = None


class Family:
    """One kind of checkpoint: how its input is built, and how it is asked to generate.

    The text is rendered by the checkpoint's own chat template; each audio mark in it becomes as many tokens as the
    audio has. No processor class is used where that would want torchaudio or torchvision for pictures nobody sends.
    """

    model_class: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    audio_mark: ClassVar[str] = ""
    sample_rate_hz: ClassVar[int] = 16_000
    speech_rate_hz: ClassVar[int] = 24_000
    speaks: ClassVar[bool] = False
    answers_together: ClassVar[bool] = True
    usual_template: ClassVar[str] = ""

    def __init__(self, folder: Path, placing: Placing, settings: OmniSettings) -> None:
        need(self.packages, self.model_class)
        _, transformers = torch_and_transformers()
        self.folder = folder
        self.tokenizer: Any = self.load_tokenizer(transformers)
        self.features: Any = self.load_features(transformers)
        loading = {**placing.loading(), "use_safetensors": uses_safetensors(folder), **self.loading(settings)}
        self.model: Any = placing.placed(getattr(transformers, self.model_class).from_pretrained(folder, **loading))

    def loading(self, settings: OmniSettings) -> dict[str, Any]:
        """What else ``from_pretrained`` is told."""
        return {}

    def load_tokenizer(self, transformers: Any) -> Any:
        """The checkpoint's tokenizer, which pads before the text."""
        return transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True, padding_side="left")

    def load_features(self, transformers: Any) -> Any:
        """What turns samples into the model's input."""
        return transformers.WhisperFeatureExtractor.from_pretrained(self.folder, local_files_only=True)

    def heard(self, audios: Sequence[Samples]) -> tuple[Tensors, list[int]]:
        """The model's input for these audios, and how many tokens of the text each of them takes."""
        raise NotImplementedError

    def rendered(self, messages: tuple[Message, ...]) -> str:
        """The text of a conversation, up to where the answer begins."""
        template = _template(self.folder) or getattr(self.tokenizer, "chat_template", None) or self.usual_template
        if not template:
            raise EngineError("omni.no_chat_template", folder=str(self.folder))
        return str(
            self.tokenizer.apply_chat_template(
                list(messages), chat_template=template, add_generation_prompt=True, tokenize=False
            )
        )

    def inputs(self, conversations: Sequence[Conversation]) -> Tensors:
        """What ``generate`` is given for these conversations, on the model's device and in its numbers."""
        texts = [self.rendered(conversation.messages) for conversation in conversations]
        audios = [audio for conversation in conversations for audio in conversation.audios]
        features, counts = self.heard(audios) if audios else ({}, [])
        filled = filled_marks(texts, self.audio_mark, counts)
        tokens = self.tokenizer(filled, padding=True, add_special_tokens=False, return_tensors="pt")
        return self.moved({"input_ids": tokens["input_ids"], "attention_mask": tokens["attention_mask"], **features})

    def moved(self, inputs: Tensors) -> Tensors:
        """Tensors on the model's device, fractions in its own numbers."""
        model = self.model
        return {
            name: value.to(model.device, model.dtype) if value.is_floating_point() else value.to(model.device)
            for name, value in inputs.items()
        }

    def generate(self, inputs: Tensors, settings: OmniSettings, stepper: Any) -> Generated:
        """The answers to ``inputs``; ``stepper`` sees each token, or is None."""
        made = self.model.generate(**inputs, **settings.generation, streamer=stepper)
        return Generated(made[:, inputs["input_ids"].shape[1] :].tolist())

    def decoded(self, tokens: list[int]) -> str:
        """The words of an answer."""
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    def is_cut(self, tokens: list[int], settings: OmniSettings) -> bool:
        """Whether the answer ended because it had no more room."""
        return len(tokens) >= settings.max_new_tokens and self.ends().isdisjoint(tokens)

    def ends(self) -> set[int]:
        """The tokens that end an answer."""
        told = self.model.generation_config.eos_token_id
        return set(told) if isinstance(told, (list, tuple)) else {told}


def filled_marks(texts: Sequence[str], mark: str, counts: Sequence[int]) -> list[str]:
    """The texts with each ``mark`` repeated as often as its audio, in order, has tokens.

    Raises EngineError ``omni.marks_and_audios`` where there are more or fewer marks than audios.
    """
    marks = sum(text.count(mark) for text in texts) if mark else 0
    if marks != len(counts):
        raise EngineError("omni.marks_and_audios", marks=marks, audios=len(counts))
    left = iter(counts)
    return ["".join(_filled(text, mark, left)) for text in texts] if mark else list(texts)


def _filled(text: str, mark: str, counts: Any) -> list[str]:
    first, *others = text.split(mark)
    return [first, *(mark * next(counts) + part for part in others)]


def _template(folder: Path) -> str:
    """The chat template that lies beside the processor, in either of its forms; "" where there is none."""
    if (folder / "chat_template.jinja").exists():
        return (folder / "chat_template.jinja").read_text(encoding="utf-8")
    if not (folder / "chat_template.json").exists():
        return ""
    told = json.loads((folder / "chat_template.json").read_text(encoding="utf-8"))
    return str(told.get("chat_template") or "")
