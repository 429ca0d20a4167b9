"""A player on a device that the test moves by hand, and clips of known samples."""

from __future__ import annotations

import numpy as np
import pytest
import soundfile

from gui.player.clip import Clip
from gui.player.player import Player
from tests.gui.player.fakes import FakeSound


@pytest.fixture
def sound():
    return FakeSound()


@pytest.fixture
def player(jobs, settings, sound):
    made = Player(jobs, settings, sound=sound)
    yield made
    made.close()


@pytest.fixture
def clip(tmp_path):
    """Write a recording and give its clip: ``clip("a", samples, rate)``."""

    def write(name, samples, rate_hz=16000, **known):
        samples = np.asarray(samples, np.float32)
        path = tmp_path / f"{name}.wav"
        soundfile.write(path, samples, rate_hz, subtype="FLOAT")
        channels = 1 if samples.ndim == 1 else samples.shape[1]
        return Clip(None, path, len(samples) / rate_hz, rate_hz, channels, **known)

    return write


@pytest.fixture
def playing(player, sound, qtbot):
    """Press play and wait until the device is open and there is sound to play; gives the device."""

    def press(*arguments, **named):
        from gui.player.player import State

        player.play(*arguments, **named)
        qtbot.waitUntil(lambda: player.state is State.PLAYING, timeout=5000)
        parts = [track.pcm for track in player._tracks._tracks.values() if track.pcm is not None]
        qtbot.waitUntil(lambda: all(pcm.complete or pcm.ready >= 60_000 for pcm in parts), timeout=5000)
        is_stretched(qtbot, player)
        return sound.opened[-1]

    return press


def is_stretched(qtbot, player):
    """Wait until what is heard next is there at the speed of now."""

    def is_there():
        tracks = player._tracks._tracks.values()
        return not any(track.stretching or (track.at_speed and track.at_speed.lacks) for track in tracks)

    qtbot.waitUntil(is_there, timeout=5000)
