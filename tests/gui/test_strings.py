"""Who is told that the language is another, and when."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from gui.strings import PUT_AWAY, Words


class Sign(QLabel):
    """Says the language."""

    def __init__(self, words, parent=None):
        super().__init__(words.language, parent)
        self._words = words
        words.changed.connect(self.say)

    def say(self):
        self.setText(self._words.language)


@pytest.fixture
def words():
    return Words("en")


@pytest.fixture
def screens(words, qtbot):
    """One screen in sight and one that is put away, a sign on each."""
    stack = QStackedWidget()
    qtbot.addWidget(stack)
    signs = []
    for away in (False, True):
        view = QWidget()
        view.setProperty(PUT_AWAY, away)
        stack.addWidget(view)
        signs.append(Sign(words, view))
    with qtbot.waitExposed(stack):
        stack.show()
    yield signs
    stack.close()


def test_what_is_in_sight_speaks_the_new_language_at_once(words, screens):
    here, away = screens
    words.use("zh")
    assert (here.text(), away.text()) == ("zh", "en")


def test_what_is_put_away_speaks_it_a_turn_later(words, screens, qtbot):
    words.use("zh")
    qtbot.waitUntil(lambda: screens[1].text() == "zh")


def test_a_screen_that_is_shown_before_its_turn_catches_up(words, screens):
    away = screens[1]
    words.use("zh")
    words.changed.catch_up(away.parentWidget())
    assert away.text() == "zh"


def test_a_widget_without_a_screen_is_told_at_once(words, qtbot):
    alone = Sign(words)
    qtbot.addWidget(alone)
    words.use("zh")
    assert alone.text() == "zh"


def test_a_widget_that_is_gone_is_told_nothing(words, screens):
    gone, kept = screens
    gone.deleteLater()
    QCoreApplication.sendPostedEvents(gone, QEvent.Type.DeferredDelete)
    words.use("zh")
    words.changed.catch_up(kept.parentWidget())
    assert kept.text() == "zh"


def test_words_hold_nobody(words):
    Sign(words).say()
    assert not words.changed._slots
