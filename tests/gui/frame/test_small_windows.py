"""No words are cut or lie over others in any screen, from a screen of 1600 by 900 at 200 % up, in both languages."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gui.preferences.sections import SectionList
from gui.strings import words
from tests.gui.audit_detail.conftest import answers  # noqa: F401 - a fixture
from tests.gui.frame.room import squeezed
from tests.gui.frame.test_window import sit_down  # noqa: F401 - a fixture

FIRST_SEEN = {  # of each screen, once it has read what it shows
    "library": {"en": "Chinese knowledge", "zh": "中国知识"},
    "audit": {"en": "example-flawed", "zh": "example-flawed"},
    "run": {"en": "took", "zh": "用时"},
    "settings": {"en": "Keys", "zh": "按键"},
}
SIZES = [(800, 450), (1024, 600), (1366, 768), (1600, 900)]


def look_at(person, what, sizes=SIZES):
    """Resize through all sizes; what is squeezed must come right once the window has laid itself out."""
    for size in sizes:
        person.window.resize(*size)
        try:
            person.waits_until(lambda: not squeezed(person.window), patience_ms=8_000)
        except AssertionError:
            assert squeezed(person.window) == [], (what, size)


@pytest.fixture(params=["en", "zh"])
def person(request, sit_down, answers):  # noqa: F811
    """In front of a window on a small workspace, in either language."""
    sat = sit_down(answers.workspace.folder, (1366, 768), language=request.param)
    assert words.language == request.param
    sat.waits_until(lambda: answers.workspace.folder.name in sat.window.windowTitle())
    return sat


def test_what_is_cut_and_what_lies_over_something_is_found(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 100)
    first, second, button = QLabel("first", window), QLabel("second", window), QPushButton("to be pressed", window)
    first.setGeometry(10, 10, 80, 20)
    second.setGeometry(60, 10, 80, 20)
    button.setGeometry(10, 60, 30, 30)
    window.show()
    over, cut = sorted(squeezed(window), key=lambda told: "lies over" not in told)
    assert "first" in over and "second" in over
    assert "to be pressed" in cut and "needs" in cut


def goes(person, screen):
    person.window.services.go(screen)
    person.waits_until(lambda: person.window.shown_screen == screen)
    person.waits_to_see(FIRST_SEEN[screen][words.language])


def test_the_library_and_a_new_run(person):
    goes(person, "library")
    look_at(person, "library")
    goes(person, "run")
    look_at(person, "run")
    person.presses("N")
    look_at(person, "a new run")


def test_the_audit_screen_with_every_kind_of_answer_shown_as_sound_and_as_text(person):
    goes(person, "audit")
    screen = _audit(person.window)
    person.waits_until(lambda: screen.table.model().rowCount() == 6)
    for row in range(6):
        screen.table.choose_row(row)
        wanted = int(screen.model.rows.ids[row])
        person.waits_until(lambda wanted=wanted: screen.detail.detail and screen.detail.detail.answered.id == wanted)
        look_at(person, f"audit, row {row}", SIZES if row == 0 else SIZES[:2])
    screen.table.choose_row(0)
    screen.detail.focus_alignment()
    look_at(person, "audit, text")


def test_every_page_of_the_settings(person):
    goes(person, "settings")
    pages = person.window.findChild(SectionList)
    for page in range(pages.model().rowCount()):
        pages.setCurrentIndex(pages.model().index(page, 0))
        look_at(person, f"settings, page {page}")


def _audit(window):
    from gui.audit.screen import AuditScreen

    return window.findChild(AuditScreen)
