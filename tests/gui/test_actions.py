from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from engine.errors import EngineError
from gui.actions import Actions
from gui.strings import words


@pytest.fixture
def desk(qtbot, settings):
    """A window with a text field and a registry whose actions write down that they ran."""

    class Desk(QWidget):
        def __init__(self):
            super().__init__()
            self.field, self.canvas = QLineEdit(self), QWidget(self)
            self.canvas.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            column = QVBoxLayout(self)
            column.addWidget(self.field)
            column.addWidget(self.canvas)
            self.ran = []
            self.actions_ = Actions(words, settings, self)
            self.actions_.belong_to(self)

        def add(self, name, keys, screen=None):
            self.actions_.add(name, keys, lambda: self.ran.append(name), screen=screen)

    made = Desk()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow)
    return made


def press(qtbot, widget, key, held=Qt.KeyboardModifier.NoModifier):
    widget.setFocus()
    qtbot.keyClick(widget, key, held)


def test_a_key_runs_its_action(desk, qtbot):
    desk.add("frame.keys", "Ctrl+K")
    press(qtbot, desk.canvas, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert desk.ran == ["frame.keys"]


def test_a_letter_types_while_a_text_field_has_the_focus_and_acts_elsewhere(desk, qtbot):
    desk.add("frame.keys", "N")
    press(qtbot, desk.field, Qt.Key.Key_N)
    assert (desk.field.text(), desk.ran) == ("n", [])
    press(qtbot, desk.canvas, Qt.Key.Key_N)
    assert desk.ran == ["frame.keys"]


def test_space_types_in_a_text_field(desk, qtbot):
    desk.add("frame.keys", "Space")
    press(qtbot, desk.field, Qt.Key.Key_Space)
    assert (desk.field.text(), desk.ran) == (" ", [])


def test_an_action_of_a_screen_works_on_that_screen_only(desk, qtbot):
    desk.add("audit.play", "P", screen="audit")
    desk.actions_.enter("run")
    press(qtbot, desk.canvas, Qt.Key.Key_P)
    desk.actions_.enter("audit")
    press(qtbot, desk.canvas, Qt.Key.Key_P)
    assert desk.ran == ["audit.play"]


def test_the_same_key_on_two_screens_is_no_clash(desk, qtbot):
    desk.add("audit.play", "P", screen="audit")
    desk.add("run.pause", "P", screen="run")
    assert desk.actions_.clashes() == []
    desk.actions_.enter("run")
    press(qtbot, desk.canvas, Qt.Key.Key_P)
    assert desk.ran == ["run.pause"]


def test_another_key_is_taken_at_once_and_kept(desk, qtbot, settings):
    desk.add("frame.keys", "Ctrl+K")
    desk.actions_.rebind("frame.keys", ("Ctrl+J",))
    press(qtbot, desk.canvas, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    press(qtbot, desk.canvas, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert desk.ran == ["frame.keys"]
    assert settings.get("keys") == {"frame.keys": ["Ctrl+J"]}
    again = Actions(words, settings)
    again.add("frame.keys", "Ctrl+K", lambda: None)
    assert again.keys("frame.keys") == "Ctrl+J"


def test_a_key_that_is_taken_is_refused_and_says_by_what(desk):
    desk.add("frame.keys", "Ctrl+K")
    desk.add("frame.quit", "Ctrl+Q")
    with pytest.raises(EngineError) as refused:
        desk.actions_.rebind("frame.quit", ("Ctrl+K",))
    assert desk.actions_.title("frame.keys") in refused.value.sentence("en")
    assert desk.actions_.keys("frame.quit") == "Ctrl+Q"


def test_going_back_to_the_shipped_key_leaves_nothing_in_the_settings(desk, settings):
    desk.add("frame.keys", "Ctrl+K")
    desk.actions_.rebind("frame.keys", ("Ctrl+J",))
    desk.actions_.rebind("frame.keys", ("Ctrl+K",))
    assert settings.get("keys") == {}


def test_an_id_is_registered_once(desk):
    desk.add("frame.keys", "Ctrl+K")
    with pytest.raises(ValueError, match=r"frame\.keys"):
        desk.add("frame.keys", "Ctrl+J")
