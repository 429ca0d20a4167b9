"""Rating in a real window, driven by keys and timed: from Enter to the next item on screen, the rating on the disk.

``python -m tests.bench.rating_window FOLDER`` prints a JSON list of milliseconds.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from tests.gui.rate.sitting.alone import alone
from tests.gui.rate.sitting.made import session_of_all, spoken_workspace

INSTANCES = 40
BETWEEN_KEYS_S = 0.02  # a finger moves


class Painted(QObject):
    """Whether a widget was painted since it was asked."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.is_painted = False
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.is_painted |= event.type() == QEvent.Type.Paint
        return False


def main(folder: Path) -> list[float]:
    """The times of all items but the last."""
    workspace = spoken_workspace(folder, INSTANCES)
    taken = []
    with alone(workspace, session_of_all(workspace, "empathy_semantic"), folder) as here:
        here.to_the_first_item()
        model, painted = here.view.model, Painted(here.view.item_page.head.letter)
        while model.page == "item":
            item = model.item
            here.sound.is_running = True
            if item.to_hear:
                QTest.keyClick(here.view, Qt.Key.Key_Space)
            here.until(lambda gone=item: not gone.to_hear and not model.playing.is_playing)
            here.sound.is_running = False  # a real device asks for its blocks on a thread of its own
            QTest.keyClicks(here.view, "4")
            rest = time.monotonic() + BETWEEN_KEYS_S
            here.until(lambda end=rest: time.monotonic() > end)
            painted.is_painted = False
            began = time.perf_counter()
            QTest.keyClick(here.view, Qt.Key.Key_Return)
            here.until(lambda gone=item: model.page != "item" or (model.item is not gone and painted.is_painted))
            if model.page == "item":
                taken.append((time.perf_counter() - began) * 1000)
    return taken


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
