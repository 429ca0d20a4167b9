"""VITS and the MMS voices: one language a checkpoint."""

from __future__ import annotations

from typing import Any

from engine.systems.cascade.part import Table
from engine.systems.cascade.voices.with_transformers import TransformersVoice
from engine.systems.local.packages import need


class Vits(TransformersVoice):
    """Settings: ``speaking_rate``, ``noise_scale`` (0 leaves nothing to chance), ``speaker`` by number."""

    def load(self, table: Table) -> None:
        """The model and its tokenizer; a checkpoint whose script is not Latin wants uroman."""
        self._tokenizer: Any = self.transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
        if getattr(self._tokenizer, "is_uroman", False):
            need(("uroman",), type(self).__name__)
        self._model = self.model("VitsModel")
        self._model.speaking_rate = table.take("speaking_rate", float(self._model.speaking_rate))
        self._model.noise_scale = table.take("noise_scale", float(self._model.noise_scale))
        self._speaker = table.take("speaker", 0)
        self.rate = int(self._model.config.sampling_rate)

    def said(self, sentence: str) -> Any:
        """The sentence; no samples where it has no letter that the checkpoint knows."""
        inputs = self._tokenizer(sentence, return_tensors="pt").to(self._model.device)
        if not inputs["input_ids"].shape[1]:
            return inputs["input_ids"].new_zeros(0)
        speaker = {"speaker_id": self._speaker} if self._model.config.num_speakers > 1 else {}
        return self._model(**inputs, **speaker).waveform[0]
