"""Systems behind an OpenAI-compatible address: chat with audio, transcription and speech, in every form they take."""

from __future__ import annotations

from engine.systems.declaration import SystemDeclaration
from engine.systems.endpoint.settings import read_settings
from engine.systems.values import Options, System


def make(declaration: SystemDeclaration, options: Options) -> System:
    """The system of that declaration; nothing is sent before it is asked.

    Raises EngineError ``endpoints.*`` for settings that cannot be, ``judges.no_key`` where a key is missing.
    """
    from engine.systems.endpoint.chat import ChatSystem
    from engine.systems.endpoint.connection import Connection
    from engine.systems.endpoint.hearing import TranscribingSystem
    from engine.systems.endpoint.speaking import SpeakingSystem

    settings = read_settings(declaration, options)
    connection = Connection(settings)
    match settings.task:
        case "transcription":
            return TranscribingSystem(settings, connection, declaration.abilities)
        case "speech":
            return SpeakingSystem(settings, connection, declaration.abilities)
        case _:
            return ChatSystem(settings, connection, declaration.abilities)
