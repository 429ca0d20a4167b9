"""The orders of the workspace's answers; the one that Audit opens with is read while Audit is still being imported."""

from __future__ import annotations

from contextlib import closing
from threading import Lock
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gui.jobs import JobRunner
from gui.open_workspace import OpenWorkspace
from gui.settings import Settings

if TYPE_CHECKING:
    from engine.query.fields import Method
    from engine.query.ranks import Ranks
    from engine.store.workspace import Workspace


class Orders(QObject):
    """Holds the ``Ranks`` of one state of the store, and takes new ones when results were written."""

    def __init__(
        self, workspace: OpenWorkspace, jobs: JobRunner, settings: Settings, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workspace, self._jobs, self._settings = workspace, jobs, settings
        self._ranks: Ranks | None = None
        self._lock = Lock()
        workspace.changed.connect(self._on_other_workspace)
        workspace.content_changed.connect(self._forget)

    @property
    def ranks(self) -> Ranks:
        """Those of now; for any thread."""
        from engine.query.ranks import Ranks

        with self._lock:
            if self._ranks is None:
                self._ranks = Ranks()
            return self._ranks

    def _forget(self) -> None:
        with self._lock:
            self._ranks = None

    def _on_other_workspace(self) -> None:
        self._forget()
        workspace = self._workspace.current
        if workspace is not None and self._settings.get("screen") == "audit":
            self._jobs.call(self._read_first, workspace)

    def _read_first(self, workspace: Workspace) -> None:
        """On a pool thread, beside the one that imports: a fifth of a second for 168,000 answers, spent in SQLite."""
        from engine.query.presets import PRESETS
        from gui.audit.columns import known_sort, sort_keys

        sort = sort_keys(known_sort(self._settings.get("audit_sort"))) or PRESETS[0].sort
        method: Method = "published" if self._settings.get("audit_method") == "published" else "corrected"
        with closing(workspace.connect()) as db:
            self.ranks.read(db, sort, method)
