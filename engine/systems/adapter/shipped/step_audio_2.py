"""Step-Audio 2 mini: text and audio tokens from its model, sound from its token2wav."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

_MARK = re.compile(r"<\|[A-Za-z_]+\|>|<tts_(?:start|end|pad)>")


class StepAudio2Mini:
    """Settings: ``prompt_wav`` (the voice), ``speech`` (false asks for text alone), sampling as generate takes it."""

    def __init__(self, settings: Any) -> None:
        from stepaudio2 import StepAudio2
        from token2wav import Token2wav

        if not settings.get("trust_remote_code"):
            raise PermissionError("its weights come with code; nobody allowed it")
        self._settings = settings
        folder = settings.folder()
        self._model = StepAudio2(folder)
        self._speaker = Token2wav(os.path.join(folder, "token2wav"))

    def respond(self, ask: Any) -> Iterator[Any]:
        """The text, then its sound."""
        settings = dict(self._settings, **ask.settings)
        speaks = bool(settings.get("speech", True))
        messages: list[Any] = [{"role": "system", "content": ask.system or "You are a helpful assistant."}]
        for turn in ask.history:
            messages.append(self._message(turn, turn.text))
        messages.append(self._message(ask.turns[-1], ask.words))
        last: dict[str, Any] = {"role": "assistant", "content": "<tts_start>", "eot": False}
        messages.append(last if speaks else {"role": "assistant", "content": None})
        most = int(settings.get("max_new_tokens", 4096))
        tokens, text, sound = self._model(
            messages,
            max_new_tokens=most,
            temperature=float(settings.get("temperature", 0.7)),
            repetition_penalty=float(settings.get("repetition_penalty", 1.05)),
            top_p=float(settings.get("top_p", 0.9)),
            do_sample=bool(settings.get("do_sample", True)),
        )
        if len(tokens) >= most - 1:  # its class takes the last token off, an end mark or not
            ask.flag("cut_off")
        yield _MARK.sub("", text).strip()
        if speaks and sound:
            yield self._speaker(sound, prompt_wav=settings.get("prompt_wav", "assets/default_female.wav"))

    def _message(self, turn: Any, words: str) -> dict[str, Any]:
        role = "human" if turn.role == "user" else turn.role
        if not turn.audios:
            return {"role": role, "content": words}
        content = [{"type": "audio", "audio": path} for path in turn.audios]
        return {"role": role, "content": content + ([{"type": "text", "text": words}] if words else [])}


def load(settings: Any) -> StepAudio2Mini:
    """The model and its vocoder."""
    return StepAudio2Mini(settings)
