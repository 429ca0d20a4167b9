"""GAMA: a question about one audio, answered in text by its script, in which its paths are written."""

from __future__ import annotations

import wave
from collections.abc import Iterator
from typing import Any

WINDOW_S = 10.24


class Gama:
    """``code`` is its checkout, with the paths in gama_inf_single_audio.py set to the weights."""

    def __init__(self, settings: Any) -> None:
        import gama_inf_single_audio

        self._predict = gama_inf_single_audio.predict

    def respond(self, ask: Any) -> Iterator[str]:
        """Its text."""
        if len(ask.audios) != 1:
            ask.cannot("GAMA hears exactly one audio")
        with wave.open(ask.audios[0]) as heard:
            if heard.getnframes() > WINDOW_S * heard.getframerate():
                ask.flag("audio_cut")
        _, text = self._predict(ask.audios[0], ask.words)
        yield str(text).strip()


def load(settings: Any) -> Gama:
    """All that its script loads."""
    return Gama(settings)
