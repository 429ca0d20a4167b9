"""The rating screen on a real device path: what the ledger says was heard is what a recorder at the loudspeaker heard."""

from __future__ import annotations

import os

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gui.player.output import PortAudio
from gui.player.player import Player
from tests.gui.player import pulse
from tests.gui.rate.sitting.conftest import Rater
from tests.gui.rate.sitting.made import ANSWER_S, session_of_all, spoken_workspace

pytestmark = pytest.mark.skipif(not pulse.is_installed(), reason="needs pulseaudio")
Key = Qt.Key


@pytest.fixture
def loudspeaker():
    speaker = pulse.VirtualLoudspeaker()
    kept = {name: os.environ.get(name) for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER")}
    try:
        speaker.start()
        os.environ.update({name: speaker.environment[name] for name in kept})
        yield speaker
    finally:
        for name, value in kept.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        speaker.stop()


def test_a_pause_in_the_middle_is_where_the_recorder_heard_it(
    loudspeaker, services, jobs, settings, qtbot, tmp_path, open_here
):
    settings.set("sound_output", "pulse")
    holder = QWidget()
    player = Player(jobs, settings, holder, sound=PortAudio())
    with qtbot.waitSignal(player.devices_changed, timeout=20_000):
        player.refresh_devices()
    services.make_player = lambda: player
    workspace = spoken_workspace(tmp_path, 1)
    open_here(workspace.folder)
    rater = Rater(services, qtbot, workspace, None)
    rater.sits_down(session_of_all(workspace, "naturalness"))
    rater.goes_to_the_first_item()
    recording = loudspeaker.record()
    rater.presses(Key.Key_Space)
    rater.waits(
        lambda: rater.item.plays.get("answer") is not None and rater.item.plays["answer"].plays[-1][1] > 0.4, 20_000
    )
    rater.presses(Key.Key_Space)
    rater.waits(lambda: not rater.view.player.is_playing, 20_000)
    first = recording.stop()
    told_s = sum(min(end, 0.6) - max(start, 0.2) for start, end in rater.item.ledgers["answer"].spans if end > 0.2)
    loud = np.abs(first) > 0.02
    sounded_s = (np.flatnonzero(loud)[-1] - np.flatnonzero(loud)[0]) / pulse.RATE_HZ
    assert told_s == pytest.approx(sounded_s, abs=0.05)
    assert not rater.item.is_open
    rater.presses(Key.Key_Space)
    rater.waits(lambda: rater.item.is_open and not rater.view.player.is_playing, 20_000)
    spans = rater.item.ledgers["answer"].spans
    assert spans[0][0] == 0.0
    assert spans[-1][1] == pytest.approx(ANSWER_S, abs=0.001)
    assert sum(end - start for start, end in spans) > ANSWER_S - 0.15  # what was lost at the pause was not heard
    rater.view.close_sitting()
    player.close()
    qtbot.waitUntil(lambda: not jobs.running)
    holder.deleteLater()
