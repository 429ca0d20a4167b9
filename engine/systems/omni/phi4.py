"""Phi-4-multimodal: speech by an adapter of its own on the language model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from engine.systems.local.packages import need
from engine.systems.local.placing import Placing
from engine.systems.omni.conversation import Message, marked
from engine.systems.omni.family import Family, Samples, Tensors
from engine.systems.omni.settings import OmniSettings

_ADAPTER = "speech-lora"


class Phi4(Family):
    """Its processor wants torchvision for pictures; the input is built from its parts for sound and text alone."""

    model_class: ClassVar[str] = "Phi4MultimodalForCausalLM"
    audio_mark: ClassVar[str] = "<|endoftext11|>"

    def __init__(self, folder: Path, placing: Placing, settings: OmniSettings) -> None:
        super().__init__(folder, placing, settings)
        if (folder / _ADAPTER).is_dir():
            need(("peft",), self.model_class)
            self.model.load_adapter(str(folder / _ADAPTER), adapter_name="speech")
            self.model.set_adapter("speech")

    def load_features(self, transformers: object) -> object:
        """The part of the processor that hears."""
        from transformers import Phi4MultimodalFeatureExtractor

        return Phi4MultimodalFeatureExtractor.from_pretrained(self.folder, local_files_only=True)

    def rendered(self, messages: tuple[Message, ...]) -> str:
        """The text with a mark for each audio, as its template takes it."""
        return super().rendered(tuple(marked(messages, self.audio_mark)))

    def heard(self, audios: Sequence[Samples]) -> tuple[Tensors, list[int]]:
        """Mel features, and how many tokens each audio has."""
        made = self.features(list(audios), sampling_rate=self.sample_rate_hz, return_tensors="pt")
        return dict(made), [int(size) for size in made["audio_embed_sizes"]]
