"""MiMo-Audio: spoken dialogue, or text about audio."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class Mimo:
    """Settings: ``tokenizer`` (MiMo-Audio-Tokenizer), ``speech`` (false asks for text), ``prompt_wav`` (the voice).

    In speech its written words are the system prompt alone; its spoken history is audio.
    """

    def __init__(self, settings: Any) -> None:
        from src.mimo_audio.mimo_audio import MimoAudio

        self._settings = settings
        self._model = MimoAudio(settings.folder(), settings.folder("tokenizer"))

    def respond(self, ask: Any) -> Iterator[Any]:
        """The text, then its sound."""
        if len(ask.audios) != 1:
            ask.cannot("MiMo-Audio hears exactly one audio in a turn")
        if not bool(dict(self._settings, **ask.settings).get("speech", True)):
            yield _words(self._understood(ask))
            return
        path = os.path.join(ask.folder, "answer.wav")
        told: dict[str, Any] = {
            "output_audio_path": path,
            "system_prompt": "\n".join(text for text in (ask.system, ask.words) if text) or None,
            "prompt_speech": self._settings.get("prompt_wav") or None,
        }
        if ask.history:
            messages = [self._message(turn, ask) for turn in [*ask.history, ask.turns[-1]]]
            found = self._model.spoken_dialogue_sft_multiturn(messages, **told)
        else:
            found = self._model.spoken_dialogue_sft(ask.audios[0], add_history=False, **told)
        yield _words(found)
        if os.path.exists(path):
            yield Path(path)

    def _understood(self, ask: Any) -> Any:
        words = "\n".join(text for text in (ask.system, ask.words) if text)
        if words:
            return self._model.audio_understanding_sft(ask.audios[0], words, thinking=False)
        return self._model.speech2text_dialogue_sft(ask.audios[0], thinking=False, add_history=False)

    def _message(self, turn: Any, ask: Any) -> dict[str, Any]:
        if not turn.audios:
            ask.cannot("MiMo-Audio takes earlier turns as audio only")
        if turn.role == "user":
            return {"role": "user", "content": turn.audios[0]}
        return {"role": "assistant", "content": {"text": turn.text, "audio": turn.audios[0]}}


def _words(found: Any) -> str:
    text = found[0] if isinstance(found, (tuple, list)) else found
    return str(text).split("<|eot|>")[0].replace(".....", "").replace("<|im_end|>", "").strip()


def load(settings: Any) -> Mimo:
    """The model and its audio tokenizer."""
    return Mimo(settings)
