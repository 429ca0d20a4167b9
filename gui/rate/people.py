"""Raters: adding them, and handing the window over to one of them."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.profile import Profile
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.raters import Rater
    from engine.store.workspace import Workspace


class People(QObject):
    """Writes raters into the workspace.

    Signals:
        added: the ``Rater`` that is new.
        trouble_changed: ``error`` is another.
    """

    added, trouble_changed = Signal(object), Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.error: EngineError | None = None

    def add(self, name: str, language: str = "") -> None:
        """Add a rater by name and the language they read; one after another where several are asked for at once."""
        workspace = self._services.workspace.current
        if workspace is None or not name.strip():
            return
        self._say(None)
        job = self._services.jobs.call(_add, workspace, name.strip(), language, pool="writing")
        job.succeeded.connect(self.added)
        job.failed.connect(self._on_failure)

    def hand_over(self, rater: Rater) -> None:
        """Make this the rater's window; the owner must have a PIN."""
        self._services.profiles.enter(Profile(rater.uid, rater.name, rater.language))

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self._say(error)

    def _say(self, error: EngineError | None) -> None:
        self.error = error
        self.trouble_changed.emit()


def _add(workspace: Workspace, name: str, language: str) -> Rater:
    from engine.store.raters import add_rater

    with closing(workspace.connect(durable=True)) as db:
        return add_rater(db, name, language)
