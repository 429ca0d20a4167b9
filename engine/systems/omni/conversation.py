"""An ask as the messages and samples that chat models take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.audio.read import load_mono
from engine.systems.omni.settings import OmniSettings
from engine.systems.values import Ask, SpokenTurn

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages, each content a text or a list of parts, and the samples of the audio parts in their order."""

    messages: tuple[Message, ...]
    audios: tuple[NDArray[np.float32], ...]


def conversation_of(ask: Ask, settings: OmniSettings, sample_rate_hz: int, audio_mark: str) -> Conversation:
    """The conversation that ``ask`` puts before a model.

    The instruction stands in the last turn, before or after its audio. ``audio_mark`` in written words is left out,
    since a model would take it for one more audio. Raises EngineError ``audio.*`` for a file that cannot be read.
    """
    turns = _with_instruction(ask, settings)
    if settings.system_prompt and not any(turn.role == "system" for turn in turns):
        turns = (SpokenTurn("system", settings.system_prompt), *turns)
    messages: list[Message] = []
    audios: list[NDArray[np.float32]] = []
    for turn in turns:
        text = (turn.text or "").replace(audio_mark, "") if audio_mark else turn.text or ""
        parts: list[Message] = [{"type": "audio"} for _ in turn.audios]
        audios += [load_mono(path, sample_rate_hz) for path in turn.audios]
        if not parts:
            messages.append({"role": turn.role, "content": text})
            continue
        written: list[Message] = [{"type": "text", "text": text}] if text else []
        before = settings.instruction_place == "before"
        messages.append({"role": turn.role, "content": [*written, *parts] if before else [*parts, *written]})
    return Conversation(tuple(messages), tuple(audios))


def marked(messages: tuple[Message, ...], mark: str) -> list[Message]:
    """The messages with plain text for content, ``mark`` where an audio stands."""
    return [
        message if isinstance(message["content"], str) else {**message, "content": _marked(message["content"], mark)}
        for message in messages
    ]


def _marked(parts: list[Message], mark: str) -> str:
    return "".join(mark if part["type"] == "audio" else part["text"] for part in parts)


def _with_instruction(ask: Ask, settings: OmniSettings) -> tuple[SpokenTurn, ...]:
    if not ask.instruction:
        return ask.turns
    *earlier, last = ask.turns or (SpokenTurn("user"),)
    told = [last.text, ask.instruction] if settings.instruction_place == "after" else [ask.instruction, last.text]
    return (*earlier, SpokenTurn(last.role, "\n".join(filter(None, told)), last.audios))
