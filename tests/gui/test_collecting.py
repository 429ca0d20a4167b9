from __future__ import annotations

import threading
import weakref

import pytest
from PySide6.QtWidgets import QWidget

from gui.collecting import Collector


@pytest.fixture
def collector(qapp):
    made = Collector()
    yield made
    made.close()
    made.deleteLater()


class Ring:
    """A widget nobody holds but itself, as a closed dialog with its slots often is."""

    def __init__(self) -> None:
        self.widget = QWidget()
        self.widget.owner = self
        self.me = self


def test_a_forgotten_widget_is_destroyed_on_the_gui_thread_whoever_allocates(collector, jobs, qtbot):
    died_on = []
    ring = Ring()
    weakref.finalize(ring, lambda: died_on.append(threading.current_thread()))
    del ring

    def allocate():
        kept = [[number] for number in range(200_000)]  # would have collected dozens of times
        return len(kept)

    with qtbot.waitSignal(jobs.call(allocate).finished):
        pass
    qtbot.waitUntil(lambda: died_on != [])
    assert died_on == [threading.main_thread()]
