"""The gallery draws every part in both themes and languages, and nothing in it is clipped."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gui.gallery.sections import SECTIONS
from gui.strings import words
from gui.theme import set_theme, theme
from tests.gui.gallery.clipping import clipped, open_gallery

HERE = Path(__file__).parent


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["light", "dark"])
def test_every_part_is_drawn_whole(qtbot, name, language):
    set_theme(name)
    words.use(language)
    page = open_gallery(1_300)
    qtbot.addWidget(page)
    assert clipped(page) == []
    picture = page.grab().toImage()
    assert picture.pixelColor(5, 60) == theme().color("surface.window")


def test_the_narrowest_window_still_shows_every_part_whole(qtbot):
    page = open_gallery(720)
    qtbot.addWidget(page)
    assert clipped(page) == []


def test_every_section_is_there_and_said_in_the_language_of_now(qtbot):
    page = open_gallery(1_300)
    qtbot.addWidget(page)
    assert [card.objectName() for card in page._cards] == list(SECTIONS)
    words.use("zh")
    assert [card.accessibleName() for card in page._cards][1] == "按钮"


def test_the_theme_is_changed_by_its_button(qtbot):
    page = open_gallery(1_300)
    qtbot.addWidget(page)
    page._theme.click()
    assert theme().name == "dark"
    assert page._theme.text() == "Light"


def test_every_control_has_a_name_and_a_tool_tip(qtbot):
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit

    page = open_gallery(1_300)
    qtbot.addWidget(page)
    unnamed = []
    for kind in (QAbstractButton, QComboBox):
        for control in page.findChildren(kind):
            named = control.accessibleName() or (control.text() if isinstance(control, QAbstractButton) else "")
            if control.isVisibleTo(page) and not named and not isinstance(control.parentWidget(), QLineEdit):
                unnamed.append(control)
    assert unnamed == []
    assert all(field.accessibleName() for field in page.findChildren(QLineEdit) if field.placeholderText())


@pytest.mark.parametrize("scale", ["1.5", "2"])
def test_nothing_is_clipped_on_a_fine_screen(scale):
    done = subprocess.run(
        [sys.executable, "-m", "tests.gui.gallery.clipping"],
        env={**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"},
        cwd=HERE.parents[2],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip() == scale
