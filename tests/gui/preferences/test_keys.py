from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from gui.preferences.key_capture import keys_of
from gui.preferences.keys_model import ROW_ROLE, KeysModel


@pytest.fixture
def page(services, open_page):
    for name, keys, where in (
        ("screen.library", "Ctrl+1", None),
        ("frame.keys", ("?", "F1"), None),
        ("frame.log", "", None),
        ("library.open", "Ctrl+O", "library"),
        ("library.new", "Ctrl+N", "library"),
    ):
        services.actions.add(name, keys, lambda: None, screen=where)
    return open_page("keys")


def choose(page, action):
    page.list.setCurrentIndex(page.model.index(page.model.place_of(action)))


def titles(page):
    return [page.model.index(row).data() for row in range(page.model.rowCount())]


def test_the_list_of_actions_is_a_sound_model(page, services, qtmodeltester):
    qtmodeltester.check(KeysModel(services.actions))


def test_actions_stand_under_their_screens(page):
    assert titles(page)[0] == "Everywhere"
    assert titles(page).index("Library") < titles(page).index("Open a workspace") < titles(page).index("Settings")


def test_an_action_is_found_by_a_word_in_either_language_or_by_its_key(page):
    page.search.setText("工作区")
    assert titles(page) == ["Library", "Open a workspace", "New workspace"]
    page.search.setText("f1")
    assert titles(page) == ["Everywhere", "Keys of this screen"]
    page.search.setText("nothing like it")
    assert titles(page) == []
    assert not page.change.isEnabled()


def test_pressing_a_key_gives_it_to_the_action_and_keeps_it(page, services, qtbot):
    choose(page, "library.open")
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.capture.isVisible()
    qtbot.keyClick(page.capture, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert services.actions.keys("library.open") == "Ctrl+E"
    assert services.settings.get("keys") == {"library.open": ["Ctrl+E"]}
    assert not page.capture.isVisible()
    row = page.model.index(page.model.place_of("library.open")).data(ROW_ROLE)
    assert row.is_changed


def test_a_key_that_is_taken_is_refused_with_the_name_of_who_has_it(page, services, qtbot):
    choose(page, "library.open")
    page.change.click()
    qtbot.keyClick(page.capture, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert "Show Library" in page.error.sentence()
    assert services.actions.keys("library.open") == "Ctrl+O"


def test_the_same_key_may_do_other_things_on_other_screens(page, services, qtbot):
    choose(page, "library.open")
    page.change.click()
    qtbot.keyClick(page.capture, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)  # settings.find_key
    assert page.error.sentence() == ""
    assert services.actions.keys("library.open") == "Ctrl+F"


def test_one_more_key_does_the_same_and_a_cross_takes_one_away(page, services, qtbot):
    choose(page, "library.open")
    page.more.click()
    qtbot.keyClick(page.capture, Qt.Key.Key_F2)
    assert next(a.keys for a in services.actions if a.id == "library.open") == ("Ctrl+O", "F2")
    page.chips[0].removed.emit()
    assert next(a.keys for a in services.actions if a.id == "library.open") == ("F2",)


def test_delete_takes_all_keys_and_they_come_back_as_shipped(page, services, qtbot):
    choose(page, "frame.keys")
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    assert services.actions.keys("frame.keys") == ""
    page.reset.click()
    assert next(a.keys for a in services.actions if a.id == "frame.keys") == ("?", "F1")
    assert services.settings.get("keys") == {}


def test_all_keys_come_back_at_once_even_where_two_were_swapped(page, services):
    services.actions.rebind("library.open", ("F5",))
    services.actions.rebind("library.new", ("Ctrl+O",))
    services.actions.rebind("library.open", ("Ctrl+N",))
    services.asked.answer = False
    page.reset_all.click()
    assert services.actions.keys("library.open") == "Ctrl+N"
    services.asked.answer = True
    page.reset_all.click()
    assert services.actions.keys("library.open") == "Ctrl+O"
    assert services.actions.keys("library.new") == "Ctrl+N"
    assert services.actions.clashes() == []


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Tab])
def test_escape_and_tab_leave_the_key_as_it_is(page, services, qtbot, key):
    choose(page, "library.open")
    page.change.click()
    qtbot.keyClick(page.capture, key)
    assert not page.capture.isVisible()
    assert services.actions.keys("library.open") == "Ctrl+O"


def test_a_command_does_not_run_while_its_key_is_pressed_for_another(page, services, screen, qtbot):
    ran = []
    services.actions.add("frame.quit", "Ctrl+Q", lambda: ran.append(1))
    services.actions.belong_to(screen)
    services.actions.enter("settings")
    choose(page, "library.open")
    page.change.click()
    qtbot.keyClick(page.capture, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert ran == []
    assert "Close the window" in page.error.sentence()


@pytest.mark.parametrize(
    ("key", "modifiers", "text", "keys"),
    [
        (Qt.Key.Key_Question, Qt.KeyboardModifier.ShiftModifier, "?", "?"),
        (Qt.Key.Key_A, Qt.KeyboardModifier.ShiftModifier, "A", "Shift+A"),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "a", "A"),
        (Qt.Key.Key_5, Qt.KeyboardModifier.KeypadModifier, "5", "5"),
        (Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier, " ", "Shift+Space"),
        (Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier, "", "Shift+Left"),
        (Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier, "", "Ctrl+,"),
    ],
)
def test_keys_are_told_as_actions_name_them(key, modifiers, text, keys):
    assert keys_of(QKeyEvent(QKeyEvent.Type.KeyPress, key, modifiers, text)) == keys


def test_screens_that_were_not_opened_are_named(page):
    assert "Audit, Run" in page._card.foot.text()
