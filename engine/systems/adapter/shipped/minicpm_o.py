"""MiniCPM-o 2.6, by the code that comes with its weights."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


class MiniCpmO:
    """Settings: ``reference_wav`` (the voice), ``language``, ``temperature``, ``max_new_tokens``, ``streaming``."""

    def __init__(self, settings: Any) -> None:
        import librosa
        import torch
        from transformers import AutoModel, AutoTokenizer

        self._settings, folder = settings, settings.folder()
        trusted = {"trust_remote_code": bool(settings.get("trust_remote_code"))}
        model: Any = AutoModel.from_pretrained(
            folder,
            attn_implementation="sdpa",
            torch_dtype=torch.bfloat16,
            init_vision=True,
            init_audio=True,
            init_tts=True,
            **trusted,
        )
        self._model = model.eval().cuda()
        self._tokenizer: Any = AutoTokenizer.from_pretrained(folder, **trusted)
        self._model.init_tts()
        self._model.tts.float()
        voice = settings.get("reference_wav")
        self._voice = librosa.load(voice, sr=16000, mono=True)[0] if voice else None

    def respond(self, ask: Any) -> Iterator[Any]:
        """Text and sound as they come where it streams, else one after the other."""
        settings = dict(self._settings, **ask.settings)
        system = self._model.get_sys_prompt(
            ref_audio=self._voice, mode="audio_assistant", language=settings.get("language", "zh")
        )
        messages = [system, *(self._message(turn, turn.text) for turn in ask.history)]
        words = "\n".join(text for text in (ask.system, ask.words) if text)
        messages.append(self._message(ask.turns[-1], words))
        if settings.get("streaming", False):
            yield from self._streamed(messages, settings)
            return
        path = os.path.join(ask.folder, "answer.wav")
        found = self._model.chat(
            msgs=messages,
            tokenizer=self._tokenizer,
            sampling=True,
            max_new_tokens=int(settings.get("max_new_tokens", 2048)),
            use_tts_template=True,
            generate_audio=True,
            temperature=float(settings.get("temperature", 0.3)),
            output_audio_path=path,
        )
        yield str(getattr(found, "text", found))
        if os.path.exists(path):
            yield Path(path)

    def _streamed(self, messages: list[Any], settings: dict[str, Any]) -> Iterator[Any]:
        self._model.reset_session()
        told = {"session_id": "auricle", "tokenizer": self._tokenizer}
        for message in messages:
            self._model.streaming_prefill(msgs=[message], **told)
        temperature = float(settings.get("temperature", 0.3))
        for part in self._model.streaming_generate(temperature=temperature, generate_audio=True, **told):
            if part.text:
                yield str(part.text)
            if part.audio_wav is not None:
                yield part.audio_wav, part.sampling_rate

    def _message(self, turn: Any, words: str) -> dict[str, Any]:
        import librosa

        content: list[Any] = [librosa.load(path, sr=16000, mono=True)[0] for path in turn.audios]
        return {"role": turn.role, "content": content + ([words] if words else [])}


def load(settings: Any) -> MiniCpmO:
    """The model with its speech part."""
    return MiniCpmO(settings)
