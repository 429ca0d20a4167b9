"""What the player says was heard: frames that left the device, to the sample, and no others."""

from __future__ import annotations

import numpy as np
import pytest

from gui.player.player import State
from tests.gui.player.fakes import LATENCY_S

RATE = 16000


def tone(seconds):
    return 0.5 * np.sin(2 * np.pi * 440.0 * np.arange(round(seconds * RATE)) / RATE)


@pytest.fixture
def plays(player):
    """All that was told, joined where one piece goes on from the last."""
    told: list[list] = []

    def add(lane, start_s, end_s, speed):
        if told and told[-1][0] == lane and told[-1][2] == pytest.approx(start_s, abs=1e-9):
            told[-1][2] = end_s
        else:
            told.append([lane, start_s, end_s, speed])

    player.sounded.connect(add)
    return told


def ends(player, qtbot):
    qtbot.waitUntil(lambda: player.state is State.READY, timeout=5000)


def test_a_clip_played_to_its_end_was_heard_from_the_first_frame_to_the_last(player, clip, playing, plays, qtbot):
    player.load(None, clip("a", tone(0.5)))
    playing().play(0.7)
    ends(player, qtbot)
    assert plays == [["answer", 0.0, 0.5, 1.0]]


def test_what_is_still_on_its_way_to_the_ear_was_not_heard(player, clip, playing, plays, qtbot):
    player.load(None, clip("a", tone(2.0)))
    output = playing()
    output.play(0.5)
    qtbot.waitUntil(lambda: bool(plays))
    assert plays[-1][2] == pytest.approx(0.5 - LATENCY_S, abs=0.011)


def test_a_seek_leaves_out_what_was_jumped_over(player, clip, playing, plays, qtbot):
    player.load(None, clip("a", tone(2.0)))
    output = playing()
    output.play(0.3)
    player.seek(1.5)
    output.play(0.7)
    ends(player, qtbot)
    assert [lane for lane, *_ in plays] == ["answer", "answer"]
    assert plays[0][1] == 0.0
    assert plays[0][2] == pytest.approx(0.305, abs=0.011)  # it goes out over 5 ms
    assert plays[1][1:3] == [1.5, 2.0]


def test_question_and_answer_are_told_apart(player, clip, playing, plays, qtbot):
    player.load(clip("q", tone(0.3)), clip("a", tone(0.4)))
    player.set_part("both")
    playing().play(0.9)
    ends(player, qtbot)
    assert [(lane, start_s, round(end_s, 6)) for lane, start_s, end_s, _ in plays] == [
        ("question", 0.0, 0.3),
        ("answer", 0.0, 0.4),
    ]


def test_seconds_are_those_of_the_recording_at_another_speed_too(player, clip, playing, plays, qtbot):
    player.load(None, clip("a", tone(1.0)))
    player.set_speed(2.0)
    playing().play(0.7)
    ends(player, qtbot)
    assert plays[0][1] == 0.0
    assert plays[-1][2] == pytest.approx(1.0, abs=0.001)
    assert {speed for *_, speed in plays} == {2.0}


def test_a_fixed_gain_is_played_whatever_the_user_has_set(player, clip, playing, settings, qtbot):
    settings.set("sound_gain", "clip")
    player.load(None, clip("a", tone(0.5), gain_db=-20.0))
    output = playing()
    output.play(0.4)
    assert np.abs(output.heard).max() == pytest.approx(0.05, rel=0.01)
