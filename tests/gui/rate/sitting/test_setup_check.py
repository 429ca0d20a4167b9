"""The check before a sitting: level, then left and right; what it found is kept with the sitting."""

from __future__ import annotations

import gc
import json

import numpy as np
from PySide6.QtCore import Qt

from gui.rate.setup_check.model import SetupCheck
from tests.gui.rate.sitting.made import session_of_all

Key = Qt.Key


def sits(rater):
    rater.sits_down(session_of_all(rater.workspace, "naturalness"))
    rater.waits(lambda: bool(rater.view.check._sounds))
    return rater.view.check


def hears(rater, check):
    rater.waits(lambda: check.was_heard)


def answers_all(rater, check, wrong=False):
    for _ in range(3):
        hears(rater, check)
        is_left = (check._next_side == "left") != wrong
        rater.presses(Key.Key_Left if is_left else Key.Key_Right)
        if check.step == "sides":
            rater.presses(Key.Key_Space)


def setup_of(rater):
    """What the first item's sitting keeps."""
    rater.goes_to_the_first_item()
    rater.waits(lambda: rater.count("sitting") == 1)
    ((device, rate, setup),) = rater.rows("SELECT device, sample_rate_hz, setup FROM sitting")
    return device, rate, json.loads(setup)


def test_a_rater_who_hears_each_side_where_it_is(rater):
    check = sits(rater)
    rater.presses(Key.Key_Space)
    hears(rater, check)
    rater.presses(Key.Key_Return)
    assert check.step == "sides"
    answers_all(rater, check)
    assert rater.view.setup_page.title.text() == "Good"
    rater.presses(Key.Key_Return)
    device, rate, setup = setup_of(rater)
    assert (device, rate) == ("Headphones", 16000)
    assert setup["sides_right"] is True
    assert all(side == said for side, said in setup["sides"])
    assert {side for side, _ in setup["sides"]} == {"left", "right"}


def test_headphones_the_wrong_way_round_are_told_and_written_down(rater):
    check = sits(rater)
    rater.presses(Key.Key_Return)
    answers_all(rater, check, wrong=True)
    assert rater.view.setup_page.title.text() == "The sides do not fit"
    rater.presses(Key.Key_R)
    assert (check.step, check.answers) == ("sides", [])
    answers_all(rater, check, wrong=True)
    rater.presses(Key.Key_Return)
    assert setup_of(rater)[2]["sides_right"] is False


def test_a_side_can_be_said_only_once_it_was_heard(rater):
    check = sits(rater)
    rater.sound.is_running = False
    rater.presses(Key.Key_Return)
    rater.presses(Key.Key_Left)
    assert check.answers == []
    rater.sound.is_running = True


def test_a_beep_sounds_in_one_ear_alone(rater):
    check = sits(rater)
    rater.presses(Key.Key_Return)
    hears(rater, check)
    frames = np.concatenate(rater.sound.opened[-1].blocks)
    loud = np.abs(frames).max(axis=0)
    side = 0 if check._next_side == "left" else 1
    assert loud[side] > 0.05
    assert loud[1 - side] == 0


def test_the_check_that_is_left_out_is_written_down_as_left_out(rater):
    sits(rater)
    rater.presses(Key.Key_S)
    assert setup_of(rater)[2] == {"skipped": True}


def test_a_device_with_one_channel_has_no_sides(rater, sound):
    from gui.player.devices import Plan

    sound.plan_now = Plan("Speaker", 0, 16000, 1)
    check = sits(rater)
    rater.waits(lambda: rater.view.player.plan is not None)
    rater.presses(Key.Key_Return)
    assert rater.view.model.page == "instructions"
    assert setup_of(rater)[2]["sides_right"] is None
    assert check.answers == []


def test_no_device_is_told_and_does_not_keep_a_rater_from_going_on(rater, sound):
    from engine.errors import EngineError

    sound.trouble = EngineError("player.no_device")
    sits(rater)
    rater.presses(Key.Key_Space)
    rater.waits(lambda: bool(rater.view.setup_page.trouble.sentence()))
    rater.presses(Key.Key_S)
    assert rater.view.model.page == "instructions"


def test_the_sounds_of_the_check_are_gone_afterwards(rater):
    check = sits(rater)
    (folder,) = {sound.path.parent for sound in check._sounds.values()}
    rater.view.close_sitting()
    assert not folder.exists()


def folder_of_a_check(rater):
    """Where a check that is started, and then forgotten, has its sounds."""
    check = SetupCheck(rater.services.jobs, rater.view.player)
    check.start()
    rater.waits(lambda: bool(check._sounds))
    folder = next(iter(check._sounds.values())).path.parent
    assert folder.is_dir()
    return folder


def test_sounds_of_a_check_that_nobody_closed_go_with_it(rater):
    rater.sits_down(session_of_all(rater.workspace, "naturalness"))
    folder = folder_of_a_check(rater)
    gc.collect()
    assert not folder.exists()
