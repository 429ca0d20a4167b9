"""The import of pyqtgraph, off the GUI thread where somebody asked in time."""

from __future__ import annotations

import sys
from collections.abc import Generator

from PySide6.QtCore import QObject, Signal

from engine.progress import Progress


class Warmth(QObject):
    """Whether pyqtgraph can be used without waiting.

    Signals:
        done: it has been imported.
    """

    done = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_asked = False
        self.is_done = "pyqtgraph" in sys.modules
        self.done.connect(self._on_done)

    def _on_done(self) -> None:
        self.is_done = True


_warmth: list[Warmth] = []


def warmth() -> Warmth:
    """The one state of the import; first asked for on the GUI thread."""
    if not _warmth:
        _warmth.append(Warmth())
    return _warmth[0]


def warm() -> Generator[Progress, None, None]:
    """A job that imports pyqtgraph on a pool thread; charts shown meanwhile wait for it."""
    state = warmth()
    state.is_asked = True
    return _import(state)


def _import(state: Warmth) -> Generator[Progress, None, None]:
    yield Progress(0, 1, "pyqtgraph")
    import pyqtgraph  # noqa: F401

    state.done.emit()
