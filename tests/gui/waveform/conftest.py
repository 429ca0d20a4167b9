"""Lanes on a player whose device the test moves by hand, and recordings to show in them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import soundfile

from gui.actions import Actions
from gui.player.clip import Clip
from gui.player.player import Player
from gui.strings import words
from tests.gui.player.fakes import FakeSound


@pytest.fixture
def sound():
    return FakeSound()


@pytest.fixture
def lane_services(jobs, settings, sound, qtbot):
    """What lanes and transport ask of the services."""
    from PySide6.QtWidgets import QWidget

    holder, said = QWidget(), []
    qtbot.addWidget(holder)
    player = Player(jobs, settings, holder, sound=sound)
    yield SimpleNamespace(
        jobs=jobs,
        settings=settings,
        words=words,
        player=player,
        actions=Actions(words, settings, holder),
        workspace=SimpleNamespace(current=None),
        say=lambda sentence, tone="": said.append(sentence),
        said=said,
    )
    player.close()


@pytest.fixture
def recording(tmp_path):
    """Write a recording and give its clip."""

    def write(name, samples, rate_hz=16000, **known):
        samples = np.asarray(samples, np.float32)
        path = tmp_path / f"{name}.wav"
        soundfile.write(path, samples, rate_hz, subtype="FLOAT")
        channels = 1 if samples.ndim == 1 else samples.shape[1]
        return Clip(None, path, len(samples) / rate_hz, rate_hz, channels, **known)

    return write


@pytest.fixture
def lanes(lane_services, qtbot):
    from gui.waveform.lanes import Lanes

    made = Lanes(lane_services)
    qtbot.addWidget(made)
    made.resize(84 + 34 + 1000, 230)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def shown(lanes, recording, lane_services, qtbot):
    """The lanes with 4 s of question and 10 s of answer: 100 pixels to a second."""
    from gui.waveform.spans import MismatchSpan

    noise = np.random.default_rng(2).uniform(-0.5, 0.5, 160_000)
    spans = (MismatchSpan("deletion", 2.0, 2.1, "二"), MismatchSpan("repetition", 6.0, 6.8))
    lanes.show_clips(recording("q", noise[:64_000]), recording("a", noise), spans, 1.28)
    qtbot.waitUntil(lambda: all(row.outline is not None for row in lanes.rows) and lane_services.jobs.running == ())
    return lanes
