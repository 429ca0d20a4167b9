from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from engine.audio.write import write_audio
from engine.systems.adapter import make
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Abilities, Options


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A tenth of a second of a tone at 16 kHz, 16 bits."""
    return write_audio(tmp_path / "clip.wav", 0.3 * np.sin(np.arange(1600) / 5), 16000)


@pytest.fixture
def open_adapter(tmp_path: Path):
    """Make a system of an adapter's source; all are closed at the end."""
    opened = []

    def make_one(source: str, options: Options | None = None, **settings):
        file = tmp_path / f"adapter_{len(opened)}.py"
        file.write_text(source, encoding="utf-8")
        told = {"adapter": file.name, "python": sys.executable, **settings}
        declaration = SystemDeclaration(
            id="tried", version=1, kind="adapter", title={}, abilities=Abilities(), settings=told,
            file=tmp_path / "tried.toml", weights="owner/weights",
        )  # fmt: skip
        opened.append(make(declaration, options or Options()))
        return opened[-1]

    yield make_one
    for system in opened:
        system.close()
