"""A system that is asked through chat completions: audio in, text and perhaps speech out."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace

from engine.errors import EngineError
from engine.systems.endpoint.connection import Connection
from engine.systems.endpoint.reading import ChatReader, Read
from engine.systems.endpoint.request import chat_body
from engine.systems.endpoint.settings import EndpointSettings
from engine.systems.endpoint.together import together
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Piece, TextPiece


class ChatSystem:
    """Asks /chat/completions. A try that failed before anything came is made again, flagged ``asked_again``.

    The times of the pieces count from the try that answered; waiting to be let in is not the system's.
    """

    def __init__(self, settings: EndpointSettings, connection: Connection, abilities: Abilities) -> None:
        self._settings, self._connection = settings, connection
        speaks = settings.wants_audio if settings.modalities else abilities.speech_out
        self.abilities = replace(abilities, speech_out=speaks, streaming=settings.stream)

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """The pieces as they come; raises EngineError ``endpoints.*`` or ``audio.*``."""
        body = chat_body(ask, self._settings)
        deadline = time.monotonic() + ask.time_limit_s
        read = Read()

        def one_try() -> Generator[TextPiece | AudioPiece, None, None]:
            clock = stopwatch()
            with self._connection.post("/chat/completions", deadline, json=body) as reply:
                yield from ChatReader(self._connection, read).pieces(reply, clock)

        for piece in self._connection.patiently(one_try, deadline):
            if piece is None:
                read = Read(flags=["asked_again"])
            else:
                yield piece
        if self._settings.wants_audio and not read.has_sound:
            read.flag("no_audio")
        yield Finished(read.text, tuple(read.flags), read.versions)

    def respond_together(self, asks: Sequence[Ask]) -> Iterator[tuple[str, Piece | EngineError]]:
        """All of them at once."""
        return together(self.respond, asks)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def stopwatch() -> Callable[[], float]:
    """A function that gives the seconds since this call."""
    began = time.perf_counter()
    return lambda: time.perf_counter() - began
