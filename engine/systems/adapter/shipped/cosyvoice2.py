"""CosyVoice2: says the words it is given, in the voice of a prompt."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any


class CosyVoice2:
    """Settings: ``prompt_wav``, ``prompt_text`` (else cross-lingual), ``streaming``, ``speed``, ``text_frontend``."""

    def __init__(self, settings: Any) -> None:
        sys.path.insert(0, os.path.join(str(settings["code"]), "third_party", "Matcha-TTS"))
        import cosyvoice.cli.cosyvoice as module

        make = getattr(module, "AutoModel", None) or module.CosyVoice2  # its name before November 2025
        self._settings = settings
        self._model = make(model_dir=settings.folder())

    def respond(self, ask: Any) -> Iterator[Any]:
        """The words, and their sound sentence by sentence."""
        settings = dict(self._settings, **ask.settings)
        words = ask.turns[-1].text or ask.instruction
        how = {
            "stream": bool(settings.get("streaming", False)),
            "speed": float(settings.get("speed", 1.0)),
            "text_frontend": bool(settings.get("text_frontend", True)),
        }
        yield words
        wav, prompt = settings["prompt_wav"], settings.get("prompt_text")
        if prompt:
            parts = self._model.inference_zero_shot(words, prompt, wav, **how)
        else:
            parts = self._model.inference_cross_lingual(words, wav, **how)
        for part in parts:
            yield part["tts_speech"], int(getattr(self._model, "sample_rate", 24000))


def load(settings: Any) -> CosyVoice2:
    """The model."""
    return CosyVoice2(settings)
