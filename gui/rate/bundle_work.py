"""What the window of a bundle reads and writes: its passes, and the file that goes back to the owner."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QStandardPaths, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.bundle.open import OpenedBundle, bundle_of, opening
from engine.rating.bundle.results import results_file
from engine.rating.protocols import Protocol
from engine.store.studies import SessionRow, protocol_declaration, sessions_of
from engine.store.workspace import Workspace, open_workspace
from gui.jobs import JobRunner

_UNFIT = re.compile(r"[^\w\-]+")


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of the rater and the protocol's own name for it."""

    row: SessionRow
    title: str

    @property
    def left(self) -> int:
        """Items that were neither rated nor skipped."""
        return self.row.planned - self.row.rated - self.row.skipped


@dataclass(frozen=True, slots=True)
class Bundle:
    """An opened bundle: whose it is and what is to be done."""

    workspace: Workspace
    known: OpenedBundle
    passes: tuple[Pass, ...]

    @property
    def title(self) -> str:
        """The owner's name for it."""
        return self.passes[0].row.study_title if self.passes else ""

    @property
    def rater(self) -> str:
        """For whom it was made."""
        return self.passes[0].row.rater_name if self.passes else ""

    @property
    def language(self) -> str:
        """In which the rater is asked."""
        return self.passes[0].row.language if self.passes else ""

    @property
    def next(self) -> Pass | None:
        """The first pass with something left to rate."""
        return next((one for one in self.passes if one.left > 0), None)

    @property
    def proposed(self) -> Path:
        """Where the results are written unless the rater says otherwise."""
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        name = _UNFIT.sub("-", f"{self.title}-{self.rater}").strip("-") or "auricle"
        return Path(folder) / f"{name}-results.zip"


class BundleWork(QObject):
    """Opens a bundle, or the folder it was opened into before, and writes its results; all by jobs.

    Signals:
        changed: the bundle was read, or read anew.
        written: the path of the file that goes back.
        failed: an EngineError.
    """

    changed, written, failed = Signal(), Signal(object), Signal(object)

    def __init__(self, jobs: JobRunner, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._path = jobs, path
        self.bundle: Bundle | None = None

    def open(self) -> None:
        """Open it; ``changed`` or ``failed`` follows."""
        job = self._jobs.run(_opened(self._path), "working")
        job.succeeded.connect(self._on_read)
        job.failed.connect(self._on_failure)

    def look(self) -> None:
        """Read how far the passes are."""
        if self.bundle is not None:
            job = self._jobs.call(_read, self.bundle.workspace)
            job.succeeded.connect(self._on_read)
            job.failed.connect(self._on_failure)

    def write(self, target: Path) -> None:
        """Write the results; ``written`` or ``failed`` follows."""
        if self.bundle is not None:
            job = self._jobs.call(results_file, self.bundle.workspace, target, pool="writing")
            job.succeeded.connect(self.written)
            job.failed.connect(self._on_failure)

    def _on_read(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)


def _opened(path: Path) -> Generator[Progress, None, Bundle]:
    if path.is_dir():
        return _read(open_workspace(path))
    workspace = yield from opening(path)
    return _read(workspace)


def _read(workspace: Workspace) -> Bundle:
    known = bundle_of(workspace.folder)
    if known is None:
        raise EngineError("bundle.not_opened", folder=str(workspace.folder))
    with closing(workspace.connect()) as db:
        rows = sorted(sessions_of(db), key=lambda row: (row.study_id, row.number))
        titles = {row.protocol_id: Protocol.of(protocol_declaration(db, row.protocol_id)).title for row in rows}
    return Bundle(workspace, known, tuple(Pass(row, titles[row.protocol_id]) for row in rows))
