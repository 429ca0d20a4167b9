"""Waits that the tests of lanes and transport share."""

from __future__ import annotations

from gui.player.player import State


def playing(qtbot, player):
    """Wait until the device plays and there is sound for it."""
    qtbot.waitUntil(lambda: player.state is State.PLAYING)
    parts = [track.pcm for track in player._tracks._tracks.values() if track.pcm is not None]
    qtbot.waitUntil(lambda: all(pcm.complete for pcm in parts))
