"""SALMONN 7B and 13B: an instruction about one audio, answered in text."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

WINDOW_S = 30.0


class Salmonn:
    """Settings: ``config`` (decode_config.yaml), ``llama``, ``whisper``, ``beats``; ``weights`` is its checkpoint."""

    def __init__(self, settings: Any) -> None:
        from config import Config
        from models.salmonn import SALMONN
        from transformers import WhisperFeatureExtractor

        config = Config(SimpleNamespace(cfg_path=settings.get("config", "configs/decode_config.yaml"), options=None))
        model = config.config.model
        model.llama_path, model.whisper_path = settings.folder("llama"), settings.folder("whisper")
        model.beats_path, model.ckpt = settings["beats"], settings["weights"]
        self._generate = config.config.generate
        self._model = SALMONN.from_config(model)
        self._model.to("cuda")
        self._model.eval()
        self._features = WhisperFeatureExtractor.from_pretrained(model.whisper_path)

    def respond(self, ask: Any) -> Iterator[str]:
        """Its text."""
        import torch
        from utils import prepare_one_sample

        if len(ask.audios) != 1:
            ask.cannot("SALMONN hears exactly one audio")
        with wave.open(ask.audios[0]) as heard:
            if heard.getnframes() > WINDOW_S * heard.getframerate():
                ask.flag("audio_cut")
        samples = prepare_one_sample(ask.audios[0], self._features)
        prompt = f"USER: <Speech><SpeechHere></Speech> {ask.words}\nASSISTANT:"
        with torch.cuda.amp.autocast(dtype=torch.float16):
            text = self._model.generate(samples, self._generate, prompts=[prompt])[0]
        yield str(text).replace("<s>", "").replace("</s>", "").strip()


def load(settings: Any) -> Salmonn:
    """The model and its feature extractor."""
    return Salmonn(settings)
