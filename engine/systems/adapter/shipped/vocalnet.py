"""VocalNet: one audio in, a text and a file of sound out."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

WINDOW_S = 30.0


class VocalNet:
    """Settings: ``cosyvoice`` (CosyVoice2-0.5B). Its loader wants ``qwen`` in the name of the weights' folder."""

    def __init__(self, settings: Any) -> None:
        import omni_speech.infer.vocalnet as module

        folder = settings.folder()
        if "qwen" not in folder.lower():
            raise ValueError(f"the name of the folder {folder} must contain qwen: its code chooses the class by that")
        module.COSYVOICE_MODEL = settings.folder("cosyvoice")
        module.VOCALNET_MODEL = folder
        self._model = module.VocalNetModel(folder, s2s=True)
        self._model.__initilize__()

    def respond(self, ask: Any) -> Iterator[Any]:
        """The text, then its sound."""
        import wave

        if len(ask.audios) != 1:
            ask.cannot("VocalNet hears exactly one audio")
        with wave.open(ask.audios[0]) as heard:
            if heard.getnframes() > WINDOW_S * heard.getframerate():
                ask.flag("audio_cut")
        self._model.set_audio_dir(ask.folder)
        found = self._model([{"role": "user", "content": "<speech>", "path": ask.audios[0]}])
        yield str(found["text"])
        if found.get("audio"):
            yield Path(ask.folder, found["audio"])


def load(settings: Any) -> VocalNet:
    """The model and its vocoder."""
    return VocalNet(settings)
