"""A rater's profile shows Rate and nothing else, over restarts too; leaving it takes the owner's PIN."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from gui.profile import Profile, Profiles
from gui.settings import settings_file
from tests.gui.frame.test_window import sit_down  # noqa: F401 - a fixture


@pytest.fixture
def profiles(settings, jobs):
    return Profiles(settings, jobs)


def with_pin(profiles, qtbot, pin="2580"):
    with qtbot.waitSignal(profiles.changed, timeout=10_000):
        profiles.choose_pin(pin)
    qtbot.waitUntil(lambda: not profiles.is_busy)


def test_nobody_else_gets_the_window_before_there_is_a_pin(profiles):
    assert profiles.now.is_owner
    with pytest.raises(ValueError, match="no PIN"):
        profiles.enter(Profile("u-1", "Lin"))


def test_a_pin_of_three_is_too_short(profiles):
    with pytest.raises(ValueError, match="short"):
        profiles.choose_pin("123")


def test_the_pin_is_kept_as_a_salted_hash(profiles, settings, qtbot):
    with_pin(profiles, qtbot)
    first = settings.get("owner_pin")
    assert "2580" not in json.dumps(first)
    with_pin(profiles, qtbot)
    assert settings.get("owner_pin")["hash"] != first["hash"]  # another salt


def test_only_the_owners_pin_leads_back(profiles, qtbot):
    with_pin(profiles, qtbot)
    profiles.enter(Profile("u-1", "Lin"))
    with qtbot.waitSignal(profiles.refused, timeout=10_000):
        profiles.leave("2581")
    assert profiles.now == Profile("u-1", "Lin")
    qtbot.waitUntil(lambda: not profiles.is_busy)
    with qtbot.waitSignal(profiles.changed, timeout=10_000):
        profiles.leave("2580")
    assert profiles.now.is_owner


def test_a_profile_lasts_over_restarts(profiles, settings, jobs, qtbot):
    with_pin(profiles, qtbot)
    profiles.enter(Profile("u-1", "Lin"))
    assert Profiles(settings, jobs).now == Profile("u-1", "Lin")


def test_who_has_taken_the_pin_out_of_the_settings_may_leave(profiles, settings, qtbot):
    with_pin(profiles, qtbot)
    profiles.enter(Profile("u-1", "Lin"))
    settings.set("owner_pin", {})
    with qtbot.waitSignal(profiles.changed, timeout=10_000):
        profiles.leave("anything")


@pytest.fixture
def person(sit_down, answered, study_of_all):  # noqa: F811
    """In front of the window on a workspace with a study of two raters."""
    study_of_all()
    sat = sit_down(answered.folder)
    sat.window.go("rate")
    sat.waits_to_see("winter")
    return sat


def hand_over(person):
    person.presses("P")
    person.waits_to_see("Hand the window over")
    page = person.window.view("rate").pages.people_page
    page.pin.setText("2580")
    person.clicks("Keep")
    person.waits_to_see("You have a PIN.")
    person.clicks("Hand the window over")
    person.waits_to_see("rater 1，你好")  # who reads Chinese


def shown_buttons(person):
    rail = person.window._rail
    return [button.text() for button in rail.findChildren(QAbstractButton) if button.isVisible()]


def test_the_window_of_a_rater_shows_rate_alone(person, answered):
    person.window.services.settings.set("recent", [{"path": str(answered.folder), "opened_at": ""}])
    hand_over(person)
    window = person.window
    assert shown_buttons(person) == ["评分"]
    assert window.windowTitle() == "rater 1 · Auricle"
    assert not person.sees(answered.folder.name)
    assert not person.sees("条回答")
    for keys in ("Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+,", "N", "Ctrl+Shift+G"):
        person.presses(keys)
    assert (window.shown_screen, window.view("rate").model.page) == ("rate", "rater")
    window.go("audit")  # whoever asks
    assert window.shown_screen == "rate"
    person.presses("Ctrl+K")
    listed = {window._palette._model.index(row).data() for row in range(window._palette._model.rowCount())}
    assert "打开评分" in listed
    assert not {"打开资料库", "打开审听", "新建评分任务", f"打开 {answered.folder.name}"} & listed
    person.presses("Escape")


def test_a_rater_sees_their_own_sessions_and_the_owner_gets_the_window_back(person):
    hand_over(person)
    page = person.window.view("rate").pages.rater_page
    assert page.list.sessions.rowCount() == 1
    person.clicks("交还给负责人")
    person.types("0000")
    person.clicks("离开")
    person.waits_to_see("这不是负责人的 PIN。")
    person.waits_until(lambda: not person.window.services.profiles.is_busy)
    page.pin.setText("2580")
    person.presses("Return")
    person.waits_to_see("Who rates what")
    assert shown_buttons(person) == ["Library", "Audit", "Run", "Rate", "Settings"]
    person.presses("Ctrl+2")
    person.waits_until(lambda: person.window.shown_screen == "audit")


def test_the_window_opens_again_as_the_raters(person, sit_down, answered):  # noqa: F811
    hand_over(person)
    person.window.close()
    assert json.loads(settings_file().read_text())["profile"]["name"] == "rater 1"
    again = sit_down(answered.folder)
    again.waits_to_see("rater 1，你好")
    assert shown_buttons(again) == ["评分"]


def test_the_pin_is_not_shown_while_it_is_typed(person):
    hand_over(person)
    page = person.window.view("rate").pages.rater_page
    page.ask_for_pin()
    page.pin.setText("2580")
    assert page.pin.displayText() != "2580"
    assert page.pin.inputMethodHints() & Qt.InputMethodHint.ImhHiddenText
