"""CSM: a speech model of Sesame's, English, several speakers by number."""

from __future__ import annotations

from typing import Any

from engine.systems.cascade.part import Table
from engine.systems.cascade.voices.with_transformers import TransformersVoice


class Csm(TransformersVoice):
    """Settings: ``speaker`` by number, ``max_new_tokens`` (12.5 a second)."""

    def load(self, table: Table) -> None:
        """The model with its codec."""
        self._tokenizer: Any = self.transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
        self._speaker = table.take("speaker", 0)
        self._longest = table.take("max_new_tokens", 375)
        self._model = self.model("CsmForConditionalGeneration")
        self.rate = int(self._model.codec_model.config.sampling_rate)

    def said(self, sentence: str) -> Any:
        """The sentence, its speaker written before it."""
        inputs = self._tokenizer(f"[{self._speaker}]{sentence}", return_tensors="pt").to(self._model.device)
        told = {"input_ids": inputs["input_ids"], "attention_mask": inputs["attention_mask"]}
        return self._model.generate(**told, output_audio=True, max_new_tokens=self._longest)[0]
