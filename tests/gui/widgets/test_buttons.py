"""Buttons say what they do, with which key, and where the focus is."""

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QMenu

from gui.strings import words
from gui.theme import set_theme, theme
from gui.widgets import Button, IconButton, KeyCap, Segmented, key_words


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("Ctrl+K", "Ctrl K"),
        ("Return", "↵"),
        ("Shift+Return", "Shift ↵"),
        ("Space", "Space"),
        ("Ctrl++", "Ctrl +"),
        ("?", "?"),
        ("+", "+"),
        ("G, A", "G"),
        ("Left", "←"),
        ("", ""),
    ],
)
def test_keys_read_as_on_the_keyboard(keys, said):
    assert key_words(keys) == said


def test_the_space_bar_has_a_name_in_each_language(qtbot):
    cap = KeyCap("Space")
    qtbot.addWidget(cap)
    words.use("zh")
    assert cap.accessibleName() == "空格"
    assert cap.sizeHint().height() == 16


def test_a_button_names_its_key_in_the_tool_tip(qtbot):
    button = Button("Open", "folder-open", key="Ctrl+O")
    qtbot.addWidget(button)
    assert button.toolTip() == "Open (Ctrl O)"
    button.set_tip("Open a workspace")
    button.set_keys("F2")
    assert button.toolTip() == "Open a workspace (F2)"
    words.use("zh")
    button.set_keys("Space")
    assert button.toolTip().endswith("(空格)")


@pytest.mark.parametrize("size", ["button_small", "button", "button_large"])
def test_a_button_is_as_tall_as_the_look_says_and_holds_all_its_parts(qtbot, size):
    heights = {"button_small": 24, "button": 28, "button_large": 40}
    bare, full = Button("Export", size=size), Button("Export", "export", key="Ctrl+E", size=size)
    menu = Button("Export", size=size)
    menu.setMenu(QMenu(menu))
    for button in (bare, full, menu):
        qtbot.addWidget(button)
        assert button.sizeHint().height() == heights[size]
        assert button.minimumSizeHint() == button.sizeHint()
    assert bare.sizeHint().width() < menu.sizeHint().width() < full.sizeHint().width()


def test_an_icon_button_is_named_and_square(qtbot):
    button = IconButton("export", "Export", "E")
    qtbot.addWidget(button)
    assert (button.accessibleName(), button.toolTip()) == ("Export", "Export (E)")
    assert button.sizeHint() == QSize(28, 28)


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("role", ["plain", "primary", "quiet", "danger"])
def test_the_focus_is_seen_on_every_button(qtbot, name, role):
    set_theme(name)
    button = Button("Open", role=role)
    qtbot.addWidget(button)
    button.show()
    button.clearFocus()
    without = picture(button)
    button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(button.hasFocus)
    ring = theme().color("text.on_accent" if role == "primary" else "accent.focus")
    changed = [place for place in places(without) if without.pixel(*place) != picture(button).pixel(*place)]
    assert len(changed) > 100
    assert any(picture(button).pixelColor(*place) == ring for place in changed)


def test_segments_move_with_the_arrow_keys_and_say_what_was_chosen(qtbot):
    choice = Segmented([("published", "published rules"), ("corrected", "corrected"), ("both", "both")], "Method")
    qtbot.addWidget(choice)
    choice.show()
    heard = []
    choice.chosen.connect(heard.append)
    choice.set_value("corrected")
    assert (choice.value, heard) == ("corrected", [])
    segment = choice.findChildren(type(choice._group.button(0)))[1]
    segment.setFocus()
    qtbot.waitUntil(segment.hasFocus)
    qtbot.keyClick(segment, Qt.Key.Key_Right)
    assert (choice.value, heard) == ("both", ["both"])
    qtbot.mouseClick(choice._group.button(0), Qt.MouseButton.LeftButton)
    assert heard == ["both", "published"]


def test_choosing_moves_nothing(qtbot):
    choice = Segmented(["All", "Problems"])
    qtbot.addWidget(choice)
    before = choice.sizeHint()
    choice.set_value("Problems")
    assert choice.sizeHint() == before


def picture(widget) -> QImage:
    return widget.grab().toImage()


def places(image: QImage) -> list[tuple[int, int]]:
    return [(x, y) for x in range(image.width()) for y in range(image.height())]
