"""Systems without a model: to try a benchmark, a machine or a run before a real one is loaded."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Ask, AudioPiece, Finished, Options, Piece, TextPiece

_TONE_HZ = 220.0
_LEVEL = 0.1


class NullSystem:
    """Answers at once with a fixed text and, where ``audio_s`` is above 0, seeded noise or a tone.

    Settings: ``text``, ``audio_s``, ``sample_rate_hz``, ``sound`` ("noise" or "tone"), ``pieces`` the audio comes in.
    """

    def __init__(self, declaration: SystemDeclaration, options: Options) -> None:
        self._settings: dict[str, Any] = {**declaration.settings, **options.settings}
        speaks = declaration.abilities.speech_out and float(self._settings.get("audio_s", 0.0)) > 0
        self.abilities = replace(declaration.abilities, speech_out=speaks)

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """The fixed text, the sound in pieces, and the end."""
        began = time.perf_counter()
        settings = {**self._settings, **ask.settings}
        text = str(settings.get("text", ""))
        yield TextPiece(text, time.perf_counter() - began)
        rate = int(settings.get("sample_rate_hz", 24000))
        samples = _sound(ask, settings, rate)
        pieces = max(1, int(settings.get("pieces", 1)))
        for part in np.array_split(samples, pieces) if len(samples) else ():
            yield AudioPiece(part, rate, time.perf_counter() - began)
        yield Finished(text)

    def close(self) -> None:
        """Nothing is held."""


class SleepingSystem(NullSystem):
    """Waits ``sleep_s`` seconds and answers as NullSystem does."""

    def respond(self, ask: Ask) -> Iterator[Piece]:
        """The pieces of NullSystem, later."""
        sleep_s = float({**self._settings, **ask.settings}.get("sleep_s", 1.0))
        time.sleep(sleep_s)
        for piece in super().respond(ask):
            if isinstance(piece, TextPiece):
                yield TextPiece(piece.text, piece.after_s + sleep_s)
            elif isinstance(piece, AudioPiece):
                yield AudioPiece(piece.samples, piece.sample_rate_hz, piece.after_s + sleep_s)
            else:
                yield piece


def _sound(ask: Ask, settings: dict[str, Any], rate: int) -> NDArray[np.float32]:
    frames = round(float(settings.get("audio_s", 0.0)) * rate)
    if settings.get("sound", "noise") == "tone":
        turns = np.arange(frames, dtype=np.float32) * np.float32(2 * np.pi * _TONE_HZ / rate)
        return np.asarray(_LEVEL * np.sin(turns), np.float32)
    seeded = np.random.default_rng([ask.seed, zlib.crc32(ask.id.encode())])
    return np.asarray(seeded.uniform(-_LEVEL, _LEVEL, frames), np.float32)
