"""Dia: a dialogue model of Nari Labs', English, at 44.1 kHz by the codec DAC."""

from __future__ import annotations

from typing import Any

from engine.systems.cascade.part import Table
from engine.systems.cascade.voices.with_transformers import TransformersVoice
from engine.systems.local.weights import model_folder


class Dia(TransformersVoice):
    """Settings: ``codec`` (weights), ``codec_revision``, ``speaker`` ("S1"), ``max_new_tokens``, ``guidance_scale``.

    The processor's own way to the codec would fetch it by name; here it is a checkpoint like any other.
    """

    def load(self, table: Table) -> None:
        """The model, its tokenizer, and the codec."""
        codec, revision = table.take("codec", "descript/dac_44khz"), table.take("codec_revision", "")
        self._speaker = table.take("speaker", "S1")
        self._how = {
            "max_new_tokens": table.take("max_new_tokens", 3072),
            "guidance_scale": table.take("guidance_scale", 3.0),
        }
        tokenizer: Any = self.transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
        features = self.transformers.DiaFeatureExtractor.from_pretrained(self.folder, local_files_only=True)
        self._codec = self.model("DacModel", model_folder(codec, revision, self.options))
        self._processor = self.transformers.DiaProcessor(features, tokenizer, audio_tokenizer=self._codec)
        self._model = self.model("DiaForConditionalGeneration")
        self.rate = int(self._codec.config.sampling_rate)

    def said(self, sentence: str) -> Any:
        """The sentence, its speaker written before it."""
        inputs = self._processor(text=[f"[{self._speaker}] {sentence}"], padding=True, return_tensors="pt")
        made = self._model.generate(**inputs.to(self._model.device), **self._how)
        return self._processor.batch_decode(made)[0]
