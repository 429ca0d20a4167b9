"""Qwen-Audio-Chat: several audios and an instruction, answered in text by the code that comes with its weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class QwenAudio:
    """Earlier turns are pairs of question and answer."""

    def __init__(self, settings: Any) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        folder, trusted = settings.folder(), bool(settings.get("trust_remote_code"))
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, trust_remote_code=trusted)
        model: Any = AutoModelForCausalLM.from_pretrained(folder, device_map="cuda", trust_remote_code=trusted)
        self._model = model.eval()

    def respond(self, ask: Any) -> Iterator[str]:
        """Its text."""
        pairs: list[tuple[str, str]] = []
        question = ""
        for turn in ask.history:
            if turn.role == "user":
                question = self._query(turn.audios, turn.text)
            else:
                pairs.append((question, turn.text))
                question = ""
        words = "\n".join(text for text in (ask.system, question, ask.words) if text)
        text, _ = self._model.chat(self._tokenizer, query=self._query(ask.audios, words), history=pairs or None)
        yield str(text)

    def _query(self, audios: list[str], words: str) -> str:
        parts = [{"audio": path} for path in audios] + ([{"text": words}] if words else [])
        return str(self._tokenizer.from_list_format(parts))


def load(settings: Any) -> QwenAudio:
    """The model and its tokenizer."""
    return QwenAudio(settings)
