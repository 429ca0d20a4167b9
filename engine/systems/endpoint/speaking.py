"""Speech behind an address: a synthesiser for cascades, and a system that says what it is given."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from typing import Any

from engine.systems.endpoint.chat import stopwatch
from engine.systems.endpoint.connection import Connection, Reply
from engine.systems.endpoint.failures import CallError, failure_in_body
from engine.systems.endpoint.settings import EndpointSettings
from engine.systems.endpoint.sound import Base64Pieces, SoundStream, UnreadableSoundError
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Piece, TextPiece


def spoken(connection: Connection, text: str, deadline: float, clock: Callable[[], float]) -> Iterator[AudioPiece]:
    """The sound of ``text`` from /audio/speech as it comes; ``deadline`` is monotonic, ``clock`` gives the seconds.

    Raises EngineError ``endpoints.*``.
    """
    settings = connection.settings
    # the address calls raw 16-bit samples pcm, where chat completions call them pcm16
    wanted = "pcm" if settings.audio_format == "pcm16" else settings.audio_format
    body: dict[str, Any] = {"model": settings.model, "input": text, "response_format": wanted}
    body |= {"voice": settings.voice} if settings.voice else {}

    def one_try() -> Generator[AudioPiece, None, None]:
        with connection.post("/audio/speech", deadline, json={**body, **settings.extra}) as reply:
            stream = SoundStream(settings.audio_format, settings.pcm_rate_hz)
            try:
                for data in _sound_bytes(reply, connection):
                    if len(samples := stream.add(data)):
                        yield AudioPiece(samples, stream.sample_rate_hz, clock())
                if len(samples := stream.end()):
                    yield AudioPiece(samples, stream.sample_rate_hz, clock())
            except UnreadableSoundError as error:
                raise CallError("endpoints.sound_unreadable", reason=str(error), **connection.where) from error

    yield from (piece for piece in connection.patiently(one_try, deadline) if piece is not None)


def _sound_bytes(reply: Reply, connection: Connection) -> Iterator[bytes]:
    """The sound itself, or what a JSON body holds of it: an error, or base64."""
    if "json" not in reply.content_type:
        yield from reply.chunks
        return
    try:
        told = json.loads(reply.whole())
    except (ValueError, RecursionError) as error:
        raise CallError("endpoints.broken_reply", **connection.where) from error
    if not isinstance(told, dict) or told.get("error") or not isinstance(told.get("audio"), str):
        said = told.get("error") if isinstance(told, dict) else ""
        raise failure_in_body(said, connection.key, **connection.where)
    yield Base64Pieces().add(told["audio"])


class SpeakingSystem:
    """Says the words of the last turn, or the instruction where the turn has none."""

    def __init__(self, settings: EndpointSettings, connection: Connection, abilities: Abilities) -> None:
        self._connection = connection
        self._model = settings.model
        self.abilities = replace(abilities, speech_out=True, streaming=True)

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """The words, and their sound as it comes."""
        clock, deadline = stopwatch(), time.monotonic() + ask.time_limit_s
        text = ask.turns[-1].text or ask.instruction or ""
        yield TextPiece(text, clock())
        found = False
        for piece in spoken(self._connection, text, deadline, clock):
            found = True
            yield piece
        yield Finished(text, () if found else ("no_audio",), {"model": self._model})

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
