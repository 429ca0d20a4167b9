from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.audio.write import write_audio
from engine.systems.declaration import SystemDeclaration
from engine.systems.endpoint import make
from engine.systems.values import Abilities, Ask, AudioPiece, Finished, Options, SpokenTurn, TextPiece


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A tenth of a second of a tone at 16 kHz, 16 bits."""
    return write_audio(tmp_path / "clip.wav", 0.3 * np.sin(np.arange(1600) / 5), 16000)


@pytest.fixture
def open_endpoint():
    """Make a system of the settings given; all are closed at the end."""
    opened = []

    def make_one(base_url: str, **settings):
        declaration = SystemDeclaration(
            id="tried",
            version=1,
            kind="endpoint",
            title={},
            abilities=Abilities(several_audios=True, text_history=True),
        )
        told = {"base_url": base_url, "model": "loopback", **settings}
        opened.append(make(declaration, Options(settings=told)))
        return opened[-1]

    yield make_one
    for system in opened:
        system.close()


class Answered:
    """All that one ask brought."""

    def __init__(self, pieces):
        pieces = list(pieces)
        self.finished = pieces[-1]
        assert isinstance(self.finished, Finished)
        self.texts = [piece.text for piece in pieces if isinstance(piece, TextPiece)]
        sounds = [piece for piece in pieces if isinstance(piece, AudioPiece)]
        self.sounds = sounds
        self.samples = np.concatenate([piece.samples for piece in sounds]) if sounds else np.zeros(0, np.float32)
        self.rates = {piece.sample_rate_hz for piece in sounds}
        times = [piece.after_s for piece in pieces[:-1]]
        assert times == sorted(times)


@pytest.fixture
def answer():
    def ask(system, *turns, **values) -> Answered:
        return Answered(system.respond(asked(*turns, **values)))

    return ask


def asked(*turns, **values) -> Ask:
    made = tuple(SpokenTurn("user", audios=(turn,)) if isinstance(turn, Path) else turn for turn in turns)
    return Ask("i-1", made, **values)
