"""Pages that are made a step a turn while nobody waits for them, so that the key that shows one is answered at once."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from gui.screens import all_at_once


class Ahead(QObject):
    """Holds the steps of the pages that are not made yet, and the pages that are.

    Signals:
        made: the name of a page that is there now.
    """

    made = Signal(str)

    def __init__(self, steps: dict[str, Generator[None, None, QWidget]], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps, self._pages = steps, dict[str, QWidget]()
        self._turn = QTimer(self)
        self._turn.setObjectName("ahead")
        self._turn.setInterval(0)
        self._turn.timeout.connect(self._make_on)

    def begin(self) -> None:
        """Make all pages, in the turns to come."""
        if self._steps:
            self._turn.start()

    def want(self, name: str) -> None:
        """Make this page before the others."""
        self._steps = {name: self._steps.pop(name), **self._steps}
        self._turn.start()

    def get(self, name: str) -> QWidget | None:
        """The page, None while it is not made."""
        return self._pages.get(name)

    def now(self, name: str) -> QWidget:
        """The page; what is left to make of it is made at once."""
        if name not in self._pages:
            self._take(name, all_at_once(self._steps.pop(name)))
        return self._pages[name]

    def __iter__(self) -> Iterator[QWidget]:
        return iter(self._pages.values())

    def _make_on(self) -> None:
        name = next(iter(self._steps), None)
        if name is None:
            self._turn.stop()
            return
        try:
            next(self._steps[name])
        except StopIteration as end:
            del self._steps[name]
            self._take(name, end.value)

    def _take(self, name: str, page: QWidget) -> None:
        self._pages[name] = page
        self.made.emit(name)
