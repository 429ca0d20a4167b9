"""The one workspace the window shows: opened on a pool thread, left alone when another cannot be opened."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.clock import utc_text
from engine.errors import EngineError
from engine.progress import Progress
from gui.jobs import Job, JobRunner
from gui.settings import Settings

if TYPE_CHECKING:
    from engine.store.workspace import Workspace

RECENT = 12


class OpenWorkspace(QObject):
    """Holds the workspace on screen.

    Signals:
        opening: a path is being opened; its ``Progress`` follows by ``progressed``.
        progressed: the wide rows are being brought up to date.
        changed: another workspace is on screen, or none.
        content_changed: results were written into it by somebody.
        failed: an EngineError; the workspace on screen stays.
    """

    opening, progressed, failed = Signal(Path), Signal(object), Signal(object)
    changed, content_changed = Signal(), Signal()

    def __init__(self, jobs: JobRunner, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._settings = jobs, settings
        self._job: Job | None = None
        self.current: Workspace | None = None

    def open(self, path: Path, *, create: bool = False) -> None:
        """Open the workspace in ``path``; ``changed`` or ``failed`` follows."""
        self.opening.emit(path)
        self._start(_opened(path, create))

    def open_first(self) -> None:
        """Open the last workspace, else the default one where there is one; one that has gone is told by ``failed``."""
        self._start(_opened_first(self._settings.get("workspace")))

    def _start(self, work: Generator[Progress, None, Workspace | None]) -> None:
        if self._job is not None:
            self._job.cancel()
        self._job = job = self._jobs.run(work)
        job.progressed.connect(self.progressed)
        job.succeeded.connect(self._on_opened)
        job.failed.connect(self._on_failure)

    def _on_opened(self, workspace: Workspace | None) -> None:
        self._job = None
        if workspace is None:  # there is none yet
            return
        self.current = workspace
        self._remember(workspace.folder)
        self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)

    def _remember(self, folder: Path) -> None:
        others = [entry for entry in self._settings.get("recent") if entry.get("path") != str(folder)]
        self._settings.set("recent", [{"path": str(folder), "opened_at": utc_text()}, *others][:RECENT])
        self._settings.set("workspace", str(folder))


def _opened_first(last: str) -> Generator[Progress, None, Workspace | None]:
    from engine.store.workspace import default_folder

    folder = Path(last) if last else default_folder()
    if folder.exists():
        return (yield from _opened(folder, create=False))
    if last:
        raise EngineError("window.no_folder", path=str(folder))
    return None


def _opened(path: Path, create: bool) -> Generator[Progress, None, Workspace]:
    from engine.store.derivation import is_derived
    from engine.store.workspace import open_workspace

    workspace = open_workspace(path, create=create)
    yield Progress(0, 0)
    with closing(workspace.connect()) as db:
        if not is_derived(db):
            from engine.scoring.derive import ensure_derived  # a tenth of a second to import, and seldom needed

            yield from ensure_derived(db)
    return workspace
