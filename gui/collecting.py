"""Keeps Python's garbage collection on the GUI thread.

A collection runs on whichever thread happens to allocate. On a pool thread it would destroy widgets that nobody holds
any more on the wrong thread, which ends the process.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

EVERY_MS = 500
OFTEN, SELDOM = 10, 100  # each older generation is looked at once in so many times


def keep_what_is_loaded() -> None:
    """Have collections pass over all there is by now: for pool threads that have imported rooms, which stay.

    The next collection would look through all of it at once, and stand in the way of the GUI thread.
    """
    gc.freeze()


class Collector(QObject):
    """Collects young garbage twice a second and old garbage seldom, all on the thread it was made on."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rounds = 0
        gc.disable()
        gc.freeze()  # what is there at the start stays: the oldest generation is quick to look through
        self._timer = QTimer(self)
        self._timer.setObjectName("collector")
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self._collect)
        self._timer.start()

    def close(self) -> None:
        """Leave collecting to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

    def _collect(self) -> None:
        self._rounds += 1
        gc.collect(2 if self._rounds % SELDOM == 0 else 1 if self._rounds % OFTEN == 0 else 0)
