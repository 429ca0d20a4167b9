"""The watch over the GUI thread: what is slow on every walk is told, what is slow once is the machine's."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.gui.timed import LONGEST_S, SlowCall, Walks, slow_always, slowness


def keep_busy():
    """A tenth of a second of this thread's processor time, more on a slower machine."""
    end = time.thread_time() + 0.1 * slowness()
    while time.thread_time() < end:
        pass


@pytest.fixture
def turn(qtbot):
    """One call on the GUI thread, through the event loop."""

    def once(call):
        timer = QTimer()
        timer.setObjectName("planted")
        timer.setSingleShot(True)
        timer.timeout.connect(call)
        with qtbot.waitSignal(timer.timeout):
            timer.start(0)

    return once


def test_a_call_that_is_slow_on_every_walk_is_told(qapp, turn):
    walks = slow_always(qapp, lambda _: turn(keep_busy))
    assert walks.always == {("Timer", "QTimer planted")}
    assert [call.seconds > LONGEST_S for calls in walks.slow for call in calls] == [True, True, True]


@pytest.mark.parametrize("planted", [1, 2])
def test_a_call_that_is_slow_on_one_walk_is_not(qapp, turn, planted):
    walks = slow_always(qapp, lambda number: turn(keep_busy if number == planted else list))
    assert walks.always == frozenset()


def test_nobody_walks_twice_where_nothing_was_slow(qapp, turn):
    walked = []
    assert str(slow_always(qapp, walked.append)) == "walk 1: 0 slow"
    assert walked == [1]


def test_what_is_told_names_the_calls_of_every_walk():
    new = SlowCall("Shortcut", "QAction run.new N", 0.065)
    once = SlowCall("Timer", "QTimer", 0.041)
    said = str(Walks(([new, once], [new])))
    assert said.splitlines() == [
        "walk 1: 2 slow",
        " * 0.065 s  Shortcut  QAction run.new N",
        "   0.041 s  Timer  QTimer",
        "walk 2: 1 slow",
        " * 0.065 s  Shortcut  QAction run.new N",
    ]


def test_an_action_is_called_by_its_id_and_key(qapp, qtbot, services):
    window = QWidget()
    qtbot.addWidget(window)
    services.actions.belong_to(window)
    services.actions.add("run.new", "N", keep_busy)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    with qapp.watched() as slow:
        QTest.keyClick(window, Qt.Key.Key_N)
    assert [call.name for call in slow] == [("Shortcut", "QAction run.new N")]
    assert window.actions()[0].shortcut() == QKeySequence("N")
    assert isinstance(window.actions()[0], QAction)
