"""Asks with a second of noise, and a declaration for a checkpoint in a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.audio.write import write_audio
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Options, SpokenTurn, TextPiece


@pytest.fixture(scope="session")
def noise(tmp_path_factory: pytest.TempPathFactory) -> Callable[[float], Path]:
    """A file of seeded noise of that many seconds."""
    folder = tmp_path_factory.mktemp("noise")

    def made(seconds: float) -> Path:
        path = folder / f"{seconds}.wav"
        samples = np.random.default_rng(round(seconds * 100)).uniform(-0.3, 0.3, round(seconds * 16000))
        write_audio(path, samples.astype(np.float32), 16000)
        return path

    return made


@pytest.fixture
def ask(noise: Callable[[float], Path]) -> Callable[..., Ask]:
    """An ask with one second of noise, its last turn; ``earlier`` turns before it."""

    def made(name: str = "a", *, seconds: tuple[float, ...] = (1.0,), earlier: Any = (), **more: Any) -> Ask:
        settings = {"max_new_tokens": 8, **more.pop("settings", {})}
        last = SpokenTurn("user", more.pop("text", None), tuple(map(noise, seconds)))
        return Ask(name, (*earlier, last), settings=settings, **more)

    return made


def declared(folder: Path, **settings: Any) -> tuple[SystemDeclaration, Options]:
    """A declaration of the checkpoint in ``folder``, and options that run it on the processor."""
    declaration = SystemDeclaration("tiny", 1, "omni", {"en": "Tiny", "zh": "小"}, Abilities(), settings=settings)
    return declaration, Options(device="cpu", weights=str(folder))


def parts(pieces: list[Any]) -> tuple[str, list[AudioPiece], Finished]:
    """The text that came in pieces, the audio, and the end."""
    text = "".join(piece.text for piece in pieces if isinstance(piece, TextPiece))
    return text, [piece for piece in pieces if isinstance(piece, AudioPiece)], pieces[-1]
