"""Transcription behind an address: a recogniser for cascades, and a system that answers what it heard."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.systems.endpoint.chat import stopwatch
from engine.systems.endpoint.connection import Connection
from engine.systems.endpoint.failures import CallError, failure_in_body
from engine.systems.endpoint.request import sent_audio
from engine.systems.endpoint.settings import EndpointSettings
from engine.systems.values import Abilities, Ask, Finished, Piece, TextPiece


def transcribed(connection: Connection, path: Path, deadline: float, language: str = "", prompt: str = "") -> str:
    """What /audio/transcriptions heard in a file, "" for nothing; ``deadline`` is monotonic.

    Raises EngineError ``endpoints.*``, or ``audio.*`` for a file that cannot be read.
    """
    settings = connection.settings
    data, name = sent_audio(path, settings)
    fields: dict[str, Any] = {"model": settings.model, "response_format": "json", **settings.extra}
    fields |= {key: value for key, value in (("language", language or settings.language), ("prompt", prompt)) if value}
    if settings.temperature is not None:
        fields["temperature"] = str(settings.temperature)
    files = {"file": (f"audio.{name}", data, f"audio/{'mpeg' if name == 'mp3' else name}")}

    def one_try() -> Generator[str, None, None]:
        with connection.post("/audio/transcriptions", deadline, data=fields, files=files) as reply:
            yield _heard(reply.whole(), reply.content_type, connection)

    return next(text for text in connection.patiently(one_try, deadline) if text is not None)


def _heard(data: bytes, content_type: str, connection: Connection) -> str:
    try:
        text = data.decode("utf-8-sig")
        told = json.loads(text) if "json" in content_type or text.lstrip().startswith("{") else {"text": text}
    except (ValueError, RecursionError) as error:
        raise CallError("endpoints.broken_reply", **connection.where) from error
    if isinstance(told, dict) and told.get("error"):
        raise failure_in_body(told["error"], connection.key, **connection.where)
    if not isinstance(told, dict) or not isinstance(told.get("text"), str):
        raise CallError("endpoints.broken_reply", **connection.where)
    return str(told["text"]).strip()


class TranscribingSystem:
    """Answers each ask with what it heard in the last turn's audios, one after another."""

    def __init__(self, settings: EndpointSettings, connection: Connection, abilities: Abilities) -> None:
        self._settings, self._connection = settings, connection
        self.abilities = replace(abilities, speech_out=False, streaming=False)

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """One piece of text for each audio."""
        clock, deadline = stopwatch(), time.monotonic() + ask.time_limit_s
        texts: list[str] = []
        for path in ask.turns[-1].audios:
            texts.append(transcribed(self._connection, path, deadline, prompt=ask.instruction or ""))
            yield TextPiece(("\n" if len(texts) > 1 else "") + texts[-1], clock())
        yield Finished("\n".join(texts), versions={"model": self._settings.model})

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
