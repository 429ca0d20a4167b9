from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from gui.frame.palette import Palette
from gui.frame.sheet import KeySheet, columns_of
from gui.strings import words


@pytest.fixture
def desk(qtbot, services):
    """A window with a palette, a sheet and three actions that write down that they ran."""
    window = QWidget()
    window.resize(900, 600)
    window.field = QLineEdit(window)
    QVBoxLayout(window).addWidget(window.field)
    window.ran = []
    services.actions.belong_to(window)
    for name, keys, screen in (
        ("screen.audit", "Ctrl+2", None),
        ("frame.theme_dark", "", None),
        ("frame.quit", "Ctrl+Q", "run"),
    ):
        services.actions.add(name, keys, lambda name=name: window.ran.append(name), screen=screen)
    services.actions.enter("library")
    window.palette_ = Palette(services, window)
    window.sheet = KeySheet(services.actions, window)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    window.field.setFocus()
    qtbot.waitUntil(window.field.hasFocus)
    return window


def lines(palette):
    model = palette._list.model()
    return [model.index(row).data() for row in range(model.rowCount())]


def test_it_lists_what_works_here_and_nothing_else(desk):
    desk.palette_.show_up()
    assert lines(desk.palette_) == ["Dark theme", "Show Audit"]


def test_typing_narrows_it_and_enter_runs_the_chosen_one(desk, qtbot):
    desk.palette_.show_up()
    qtbot.keyClicks(desk.palette_._field, "aud")
    assert lines(desk.palette_) == ["Show Audit"]
    qtbot.keyClick(desk.palette_._field, Qt.Key.Key_Return)
    assert desk.ran == ["screen.audit"]
    assert not desk.palette_.isVisible()


def test_a_command_is_found_by_its_name_in_the_other_language(desk, qtbot):
    desk.palette_.show_up()
    desk.palette_._field.setText("审听")
    assert lines(desk.palette_) == ["Show Audit"]


def test_arrows_move_and_stop_at_the_ends(desk, qtbot):
    desk.palette_.show_up()
    for _ in range(3):
        qtbot.keyClick(desk.palette_._field, Qt.Key.Key_Down)
    qtbot.keyClick(desk.palette_._field, Qt.Key.Key_Return)
    assert desk.ran == ["screen.audit"]


def test_when_nothing_fits_it_says_so_and_enter_does_nothing(desk, qtbot):
    desk.palette_.show_up()
    desk.palette_._field.setText("zzz")
    assert lines(desk.palette_) == [words.text("window.palette.nothing")]
    qtbot.keyClick(desk.palette_._field, Qt.Key.Key_Return)
    assert desk.ran == []


def test_escape_puts_it_away_and_the_focus_goes_back(desk, qtbot):
    desk.palette_.show_up()
    qtbot.keyClick(desk.palette_._field, Qt.Key.Key_Escape)
    assert not desk.palette_.isVisible()
    qtbot.waitUntil(desk.field.hasFocus)


def test_a_click_beside_it_puts_it_away(desk, qtbot):
    desk.palette_.show_up()
    qtbot.mouseClick(desk.field, Qt.MouseButton.LeftButton)
    assert not desk.palette_.isVisible()


def test_a_recent_workspace_can_be_opened_from_it(desk, qtbot, services, tmp_path):
    services.settings.set("recent", [{"path": str(tmp_path / "gone"), "opened_at": ""}])
    desk.palette_.show_up()
    desk.palette_._field.setText("open gone")
    with qtbot.waitSignal(services.workspace.failed) as caught:
        qtbot.keyClick(desk.palette_._field, Qt.Key.Key_Return)
    assert caught.args[0].code == "store.no_workspace"


def test_the_sheet_names_the_keys_of_this_screen_and_of_all(desk, services):
    services.actions.enter("run")
    desk.sheet.show_up()
    said = {label.text() for label in desk.sheet.findChildren(QWidget) if hasattr(label, "text")}
    assert {"Show Audit", "Close the window", "Everywhere", "Run"} <= said
    assert "Dark theme" not in said  # it has no key
    desk.sheet.show_up()
    assert not desk.sheet.isVisible()


def test_escape_closes_the_sheet_even_where_escape_means_something_on_the_screen(desk, qtbot, services):
    services.actions.add("run.back", "Escape", lambda: desk.ran.append("run.back"), screen="run")
    services.actions.enter("run")
    desk.sheet.show_up()
    qtbot.keyClick(desk.sheet._area, Qt.Key.Key_Escape)
    assert not desk.sheet.isVisible()
    assert desk.ran == []


def test_the_columns_of_the_sheet_are_as_long_as_each_other_and_a_title_stands_over_its_keys():
    keys = [object() for _ in range(10)]  # stand for actions: only titles are words
    here = ["Audit", *keys[:6], "Everywhere", *keys[6:]]
    assert [len(column) for column in columns_of(here, 3)] == [4, 3, 5]  # the title is moved to what it names
    assert columns_of(here, 3)[2][0] == "Everywhere"
    assert columns_of(here, 1) == [here]
