"""SpeechT5 with its vocoder: English, in the voice of an embedding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.systems.cascade.part import Table
from engine.systems.cascade.voices.with_transformers import TransformersVoice
from engine.systems.local.packages import need, torch_and_transformers
from engine.systems.local.weights import model_folder

_RATE = 16_000


class SpeechT5(TransformersVoice):
    """Settings: ``vocoder`` (weights), ``vocoder_revision``, ``speaker``: a .npy file with the voice's embedding."""

    def load(self, table: Table) -> None:
        """The model, its vocoder and the voice."""
        torch, _ = torch_and_transformers()
        vocoder = table.take("vocoder", "microsoft/speecht5_hifigan")
        revision = table.take("vocoder_revision", "")
        if not (self.folder / "tokenizer.json").exists():
            need(("sentencepiece",), type(self).__name__)
        self._tokenizer: Any = self.transformers.AutoTokenizer.from_pretrained(self.folder, local_files_only=True)
        self._model = self.model("SpeechT5ForTextToSpeech")
        self._vocoder = self.model("SpeechT5HifiGan", model_folder(vocoder, revision, self.options))
        voice = _embedding(table.take("speaker", ""), int(self._model.config.speaker_embedding_dim))
        self._voice = torch.from_numpy(voice)[None].to(self._model.device, self._model.dtype)
        self.rate = int(getattr(self._vocoder.config, "sampling_rate", _RATE))

    def said(self, sentence: str) -> Any:
        """The sentence in the voice."""
        tokens = self._tokenizer(sentence, return_tensors="pt")["input_ids"].to(self._model.device)
        return self._model.generate_speech(tokens, self._voice, vocoder=self._vocoder)


def _embedding(file: str, length: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The voice in ``file``; zeros, an average voice, where none is named."""
    if not file:
        return np.zeros(length, np.float32)
    try:
        voice = np.asarray(np.load(Path(file).expanduser(), allow_pickle=False), np.float32).reshape(-1)
    except (OSError, ValueError) as error:
        raise EngineError("cascade.speaker_file", file=file, wanted=length) from error
    if len(voice) != length:
        raise EngineError("cascade.speaker_file", file=file, wanted=length)
    return voice
