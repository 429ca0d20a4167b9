"""The body of a chat completion: turns, audio and what is wanted, in the form that the endpoint speaks."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.audio.read import load_mono
from engine.audio.source import opened
from engine.audio.write import encode_audio
from engine.systems.endpoint.settings import EndpointSettings
from engine.systems.values import Ask, SpokenTurn

Message = dict[str, Any]
_WAV = "wav"


def chat_body(ask: Ask, settings: EndpointSettings) -> dict[str, Any]:
    """The whole request. What the ask's own settings say (temperature, top_p, max_new_tokens) wins.

    Raises EngineError ``audio.*`` for an audio that cannot be read.
    """
    body: dict[str, Any] = {"model": settings.model, "messages": _messages(ask, settings)}
    if settings.modalities:
        body["modalities"] = list(settings.modalities)
    if "audio" in settings.modalities:
        body |= _wanted_sound(settings)
    if settings.stream:
        body["stream"] = True
        body |= {"stream_options": {"include_usage": True}} if settings.stream_usage else {}
    if settings.send_seed:
        body["seed"] = ask.seed
    return {**body, **_sampling(ask, settings), **settings.extra}


def sent_audio(path: Path, settings: EndpointSettings) -> tuple[bytes, str]:
    """The bytes of an audio as it is sent, and the name of their format: a WAV of 16 bits, or an MP3 as it is."""
    with opened(path) as source:
        found, mono = (source.format, source.subtype), source.channels == 1
        rate = source.sample_rate_hz
    wanted = settings.send_rate_hz or rate
    if not settings.send_rate_hz and found[0] == "MP3":
        return path.read_bytes(), "mp3"
    if found == ("WAV", "PCM_16") and mono and wanted == rate:
        return path.read_bytes(), _WAV
    return encode_audio(Path("sent.wav"), load_mono(path, wanted), wanted), _WAV


def _messages(ask: Ask, settings: EndpointSettings) -> list[Message]:
    system = [settings.system_prompt, *(turn.text or "" for turn in ask.turns if turn.role == "system")]
    told = "\n\n".join(text for text in system if text)
    *earlier, last = [turn for turn in ask.turns if turn.role != "system"] or [SpokenTurn("user")]
    instruction = ask.instruction
    messages: list[Message] = []
    if told and settings.system_place == "message":
        messages = [{"role": "system", "content": told}]
    elif told:
        instruction = "\n\n".join(text for text in (told, instruction) if text)
    for turn in earlier:
        messages += _turn(turn, None, settings)
    return messages + _turn(last, instruction, settings)


def _turn(turn: SpokenTurn, instruction: str | None, settings: EndpointSettings) -> list[Message]:
    """One turn as one message, or as several where a message may hold one audio."""
    words = "\n\n".join(text for text in (instruction, turn.text) if text)
    audios = [_audio_part(path, settings) for path in turn.audios] if turn.role == "user" else []
    if not audios:
        return [{"role": turn.role, "content": words}]
    text = [{"type": "text", "text": words}] if words else []
    groups = [[audio] for audio in audios] if settings.one_audio_per_message else [audios]
    if settings.text_first:
        groups[0] = [*text, *groups[0]]
    else:
        groups[-1] = [*groups[-1], *text]
    return [{"role": "user", "content": group} for group in groups]


def _audio_part(path: Path, settings: EndpointSettings) -> Message:
    data, name = sent_audio(path, settings)
    text = base64.b64encode(data).decode("ascii")
    if settings.input_form == "audio_url":
        mime = "mpeg" if name == "mp3" else name
        prefix = settings.data_prefix or f"data:audio/{mime};base64,"
        return {"type": "audio_url", "audio_url": {"url": prefix + text}}
    return {"type": "input_audio", "input_audio": {"data": settings.data_prefix + text, "format": name}}


def _wanted_sound(settings: EndpointSettings) -> dict[str, Any]:
    if settings.voice_place == "speaker":
        return {"speaker": settings.voice} if settings.voice else {}
    return {"audio": {**({"voice": settings.voice} if settings.voice else {}), "format": settings.audio_format}}


def _sampling(ask: Ask, settings: EndpointSettings) -> dict[str, Any]:
    own: Mapping[str, Any] = ask.settings
    values = {
        "temperature": own.get("temperature", settings.temperature),
        "top_p": own.get("top_p", settings.top_p),
        settings.max_tokens_name: own.get("max_new_tokens", settings.max_tokens),
    }
    return {name: value for name, value in values.items() if value is not None}
