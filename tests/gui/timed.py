"""An application that can tell which calls on the GUI thread took long, by the processor's time of that thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

LONGEST_S = 0.030  # on the machine where the calibration below takes as long as it says
CALIBRATION_S = 0.0072


def slowness() -> float:
    """How many times slower this machine is just now than the one the limit was set on; never less than 1."""
    laps = []
    for _ in range(5):
        began = time.thread_time()
        _calibrate()
        laps.append(time.thread_time() - began)
    return max(1.0, sorted(laps)[2] / CALIBRATION_S)


def _calibrate() -> None:
    """A piece of the work that windows do: widgets, lay-outs, texts."""
    holder = QWidget()
    column = QVBoxLayout(holder)
    for number in range(120):
        label = QLabel(f"{number} 个系统")
        label.setToolTip(str(number))
        column.addWidget(label)
    holder.adjustSize()
    holder.deleteLater()


@dataclass(frozen=True, slots=True)
class SlowCall:
    """One event whose handling kept the GUI thread busy."""

    event: str
    receiver: str
    seconds: float


class TimedApplication(QApplication):
    """Counts nothing until ``watched`` is entered."""

    slow: list[SlowCall] | None = None
    _inside = False
    _busiest = 1.0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        is_outermost = self.slow is not None and not self._inside
        if not is_outermost or threading.current_thread() is not threading.main_thread():
            return super().notify(receiver, event)
        kind = event.type().name  # the event may be gone afterwards
        named = f"{type(receiver).__name__} {receiver.objectName()}".strip()
        self._inside = True
        began = time.thread_time()
        try:
            return super().notify(receiver, event)
        finally:
            self._inside = False
            spent = time.thread_time() - began
            if self.slow is not None and spent > LONGEST_S * self._busiest and spent > LONGEST_S * slowness():
                self.slow.append(SlowCall(kind, named, spent))

    @contextmanager
    def watched(self) -> Iterator[list[SlowCall]]:
        """Gather slow calls while the block runs.

        The limit is that of the machine at the moment of the call: a recogniser at work on the other core makes the
        same call take longer, and the calibration made right after it just as much longer.
        """
        self._busiest = slowness()
        self.slow = found = []
        try:
            yield found
        finally:
            self.slow = None
