"""Kimi-Audio: messages of text and audio in, text and sound out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

RATE_HZ = 24000
_SAMPLING = {
    "audio_temperature": 0.8,
    "audio_top_k": 10,
    "text_temperature": 0.0,
    "text_top_k": 5,
    "audio_repetition_penalty": 1.0,
    "audio_repetition_window_size": 64,
    "text_repetition_penalty": 1.0,
    "text_repetition_window_size": 16,
}


class Kimi:
    """Settings: ``speech`` (false asks for text alone) and its sampling parameters. It takes no system text."""

    def __init__(self, settings: Any) -> None:
        from kimia_infer.api.kimia import KimiAudio

        self._settings = settings
        self._speaks = bool(settings.get("speech", True))
        self._model = KimiAudio(model_path=settings.folder(), load_detokenizer=self._speaks)

    def respond(self, ask: Any) -> Iterator[Any]:
        """The text, then its sound. System text stands before the first user's words: it has no such role."""
        messages: list[dict[str, str]] = []
        if ask.system:
            messages.append({"role": "user", "message_type": "text", "content": ask.system})
        for turn in ask.history:
            messages += _messages(turn, turn.text)
        messages += _messages(ask.turns[-1], ask.words)
        settings = dict(self._settings, **ask.settings)
        sampling = {name: settings.get(name, usual) for name, usual in _SAMPLING.items()}
        wave, text = self._model.generate(
            messages,
            output_type="both" if self._speaks else "text",
            max_new_tokens=int(settings.get("max_new_tokens", -1)),
            **sampling,
        )
        yield str(text)
        if self._speaks and wave is not None:
            yield wave, RATE_HZ


def _messages(turn: Any, words: str) -> list[dict[str, str]]:
    text = [{"role": turn.role, "message_type": "text", "content": words}] if words else []
    return text + [{"role": turn.role, "message_type": "audio", "content": path} for path in turn.audios]


def load(settings: Any) -> Kimi:
    """The model, with what makes sound of its tokens."""
    return Kimi(settings)
