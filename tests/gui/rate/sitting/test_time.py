"""How long it takes: the pace, a break, active time, and other headphones in the middle of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from gui.player.devices import Plan

Key = Qt.Key


@pytest.fixture
def clock():
    """A clock that stands still until it is moved."""

    class Clock:
        now = 1000.0

        def __call__(self):
            return self.now

    return Clock()


@pytest.fixture
def timed(at_first, clock):
    """At the first item, by that clock."""

    def sit(protocol="naturalness", **more):
        rater = at_first(protocol, **more)
        model = rater.view.model
        model.time.now = clock
        for counted in (model.time.clock, model.item.clock):
            counted.begin()
        model.touch()
        return rater

    return sit


def works(rater, clock, seconds):
    """Time goes by in which the rater does something every twenty seconds."""
    while seconds > 0:
        clock.now += min(seconds, 20.0)
        seconds -= 20.0
        rater.view.model.touch()


def test_the_time_spent_on_an_item_is_kept_without_the_tea(timed, clock):
    rater = timed()
    works(rater, clock, 35.0)
    clock.now += 600.0  # nobody is there
    rater.rates("4")
    assert rater.rows("SELECT active_s FROM rating") == [(35.0,)]


def test_a_break_is_offered_after_the_protocols_time_and_enter_goes_on(timed, clock):
    rater = timed()
    works(rater, clock, 44 * 60.0)
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    assert "break in 1 min" not in rater.view.top.time.text()  # eight items take less
    works(rater, clock, 120.0)
    rater.rates("4")
    rater.waits(lambda: rater.view.model.page == "break")
    assert "46 min" in rater.view.pages["break"].text.text()
    rater.presses(Key.Key_Space, Key.Key_4)  # nothing of an item works here
    assert rater.count("rating") == 2
    rater.presses(Key.Key_Return)
    assert (rater.view.model.page, rater.place) == ("item", 3)
    rater.rates("4")
    rater.waits(lambda: rater.place == 4)


def test_a_rater_may_take_a_break_before(timed):
    rater = timed()
    rater.presses(Key.Key_P)
    assert rater.view.pages["break"].title.text() == "Break"
    rater.presses(Key.Key_Return)
    assert (rater.view.model.page, rater.place) == ("item", 1)


def test_the_time_left_follows_the_pace(timed, clock):
    rater = timed()
    for place in range(1, 4):
        works(rater, clock, 60.0)
        rater.rates("4")
        rater.waits(lambda place=place: rater.place == place + 1)
    assert "about 5 min left" in rater.view.top.time.text()


def test_the_next_break_is_told_where_it_comes_before_the_end(timed, clock):
    rater = timed()
    for place in range(1, 4):
        works(rater, clock, 14 * 60.0)
        rater.rates("4")
        rater.waits(lambda place=place: rater.place == place + 1)
    assert rater.view.top.time.text() == "about 70 min left · break in 3 min"


def test_other_headphones_are_another_sitting(at_first, sound, settings):
    rater = at_first("naturalness")
    rater.rates("4")
    rater.waits(lambda: rater.place == 2)
    sound.plan_now = Plan("Loudspeaker", 1, 48000, 2)
    settings.set("sound_output", "Loudspeaker")
    rater.waits(lambda: rater.view.model.seat.device == "Loudspeaker")
    assert "Loudspeaker · 48 kHz" in rater.view.foot.device.text()
    rater.rates("5")
    rater.waits(lambda: rater.place == 3)
    rater.waits(lambda: not rater.services.jobs.running)
    devices = rater.rows(
        "SELECT device FROM rating JOIN presentation ON presentation.id = presentation_id"
        " JOIN sitting ON sitting.id = sitting_id ORDER BY rating.id"
    )
    assert devices[0] == ("Headphones",)
    assert rater.rows("SELECT device, sample_rate_hz FROM sitting ORDER BY id DESC LIMIT 1") == [("Loudspeaker", 48000)]
