"""An application that can tell which calls on the GUI thread took long, by the processor's time of that thread.

A call that is slow for a reason of its own is slow whenever somebody walks that way; a machine that falters is slow
somewhere else each time. So ``slow_always`` has a way walked again where something was slow, up to three times, and what
counts is what was slow each time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QTextLayout
from PySide6.QtWidgets import QAbstractButton, QApplication

Place = TypeVar("Place")

LONGEST_S = 0.030  # on the machine where the calibration below takes as long as it says
CALIBRATION_S = 0.0040
WALKS = 3


def slowness() -> float:
    """How many times slower this machine is just now than the one the limit was set on; never less than 1."""
    laps = []
    for _ in range(5):
        began = time.thread_time()
        _calibrate()
        laps.append(time.thread_time() - began)
    return max(1.0, sorted(laps)[2] / CALIBRATION_S)


def _calibrate() -> None:
    """Texts laid out: a piece of the work of windows that sends no event and asks no style sheet."""
    kept = {}
    for number in range(480):
        layout = QTextLayout(f"{number} 个系统, {number} answers")
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(200)
        layout.endLayout()
        kept[layout.text()] = line.naturalTextWidth()


@dataclass(frozen=True, slots=True)
class SlowCall:
    """One event whose handling kept the GUI thread busy; ``receiver`` names the action, button or key where it was one."""

    event: str
    receiver: str
    seconds: float

    @property
    def name(self) -> tuple[str, str]:
        """What is the same when the same call comes again."""
        return self.event, self.receiver


@dataclass(frozen=True, slots=True)
class Walks:
    """What was slow on a way each time it was walked."""

    slow: tuple[Sequence[SlowCall], ...]

    @property
    def always(self) -> frozenset[tuple[str, str]]:
        """The names of calls that were slow every time; none where one walk had nothing slow."""
        return frozenset.intersection(*(frozenset(call.name for call in calls) for calls in self.slow))

    def __str__(self) -> str:
        lines = []
        for number, calls in enumerate(self.slow, start=1):
            lines.append(f"walk {number}: {len(calls)} slow")
            for call in calls:
                mark = "*" if call.name in self.always else " "
                lines.append(f" {mark} {call.seconds:.3f} s  {call.event}  {call.receiver}")
        return "\n".join(lines)


def slow_always(
    application: TimedApplication, walk: Callable[[Place], object], arrive: Callable[[int], Place] = int
) -> Walks:
    """Walk, and again as long as something was slow on every walk so far.

    Args:
        arrive: makes the place where a walk begins, given its number, and is not watched; a walk must not find what
            the one before left behind.
    """
    slow: list[Sequence[SlowCall]] = []
    for number in range(1, WALKS + 1):
        place = arrive(number)
        with application.watched() as found:
            walk(place)
        slow.append(found)
        if not Walks(tuple(slow)).always:
            break
    return Walks(tuple(slow))


class TimedApplication(QApplication):
    """Counts nothing until ``watched`` is entered."""

    slow: list[SlowCall] | None = None
    _inside = False
    _busiest = 1.0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        is_outermost = self.slow is not None and not self._inside
        if not is_outermost or threading.current_thread() is not threading.main_thread():
            return super().notify(receiver, event)
        kind, named = event.type().name, _named(receiver, event)  # either may be gone afterwards
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


def _named(receiver: QObject, event: QEvent) -> str:
    """The receiver's class and name; of an action its id and keys, of a button its words, of a key press the key."""
    name = f"{type(receiver).__name__} {receiver.objectName()}".strip()
    if isinstance(receiver, QAction):
        return f"{name} {receiver.shortcut().toString()}".strip()
    if isinstance(receiver, QAbstractButton):
        return f"{name} {receiver.text() or receiver.accessibleName()}"
    if isinstance(event, QKeyEvent):
        return f"{name} {QKeySequence(event.keyCombination()).toString()}"
    return name
