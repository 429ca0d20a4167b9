"""What may be written next in the filter of a new session, from the values that the workspace has."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from engine.query.complete import NO_FACETS, Facets, Suggestion, complete, read_facets
from gui.jobs import Job
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.workspace import Workspace


class Completing(QObject):
    """Reads the values by a job, anew whenever a session is begun; until then only names of fields are offered."""

    def __init__(self, services: Services, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._facets = NO_FACETS
        self._job: Job | None = None
        services.workspace.changed.connect(self._forget)

    def read(self) -> None:
        """See which values there are now."""
        workspace = self._services.workspace.current
        if workspace is not None:
            self._job = self._services.jobs.call(_facets_of, workspace)
            self._job.succeeded.connect(self._on_read)

    def suggest(self, text: str, cursor: int) -> list[Suggestion]:
        """What may stand at ``cursor``, the best first."""
        return complete(text, cursor, self._facets, self._services.words.language)

    def _forget(self) -> None:
        self._facets, self._job = NO_FACETS, None

    def _on_read(self, facets: Facets) -> None:
        if self.sender() is self._job:
            self._facets = facets


def _facets_of(workspace: Workspace) -> Facets:
    with closing(workspace.connect()) as db:
        return read_facets(db)
