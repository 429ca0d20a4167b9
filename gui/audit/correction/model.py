"""What a person does to transcripts: corrects, takes back, undoes. No widgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace

if TYPE_CHECKING:
    from engine.runs.correction import Corrected
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class _Step:
    kind: str  # kept, taken_back, undone
    response_id: int
    function: Callable[..., Corrected]
    arguments: tuple[Any, ...]


class CorrectionModel(QObject):
    """Writes one thing after another, each committed with what follows from it before it is told.

    Signals:
        written: (response id, "kept", "taken_back" or "undone", Corrected): committed; what shows it is read again.
        failed: (response id, EngineError): nothing was written; what was typed is kept here as the draft.
    """

    written, failed = Signal(int, str, object), Signal(int, object)

    def __init__(self, workspace: OpenWorkspace, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._jobs = workspace, jobs
        self._drafts: dict[int, str] = {}
        self._queue: deque[_Step] = deque()
        self._writing: _Step | None = None
        self._job: Job | None = None
        self._done: list[tuple[int, str]] = []
        workspace.changed.connect(self._on_other_workspace)

    def draft(self, response_id: int) -> str | None:
        """What was being typed about an answer and not kept; None where nothing was."""
        return self._drafts.get(response_id)

    def put_draft(self, response_id: int, text: str | None) -> None:
        """Remember what is being typed while another answer is looked at; None forgets it."""
        if text is None:
            self._drafts.pop(response_id, None)
        else:
            self._drafts[response_id] = text

    @property
    def can_undo(self) -> bool:
        """Whether anything was done in this window that is not undone yet."""
        return bool(self._done)

    def keep(self, response_id: int, text: str) -> None:
        """Keep ``text`` as what is heard in an answer."""
        self._drafts[response_id] = text
        self._do(_Step("kept", response_id, _keep, (response_id, text)))

    def take_back(self, response_id: int) -> None:
        """Let the correction before hold again, or the recogniser."""
        self._do(_Step("taken_back", response_id, _take_back, (response_id,)))

    def undo(self) -> None:
        """Undo what was done last in this window."""
        if self._done:
            response_id, uid = self._done[-1]
            self._do(_Step("undone", response_id, _undo, (response_id, uid)))

    def _do(self, step: _Step) -> None:
        if self._workspace.current is not None:
            self._queue.append(step)
            self._next()

    def _next(self) -> None:
        workspace = self._workspace.current
        if self._writing is None and self._queue and workspace is not None:
            self._writing = step = self._queue.popleft()
            self._job = job = self._jobs.call(step.function, workspace, *step.arguments, pool="writing")
            job.succeeded.connect(self._on_written)
            job.failed.connect(self._on_failure)

    def _on_written(self, found: Corrected) -> None:
        if self.sender() is not self._job or self._writing is None:
            return  # of a workspace that is no longer on screen
        step, self._writing = self._writing, None
        if step.kind == "kept":
            self._drafts.pop(step.response_id, None)
        if step.kind == "undone" and self._done:
            self._done.pop()
        elif found.uid is not None:
            self._done.append((step.response_id, found.uid))
        self.written.emit(step.response_id, step.kind, found)
        self._next()

    def _on_failure(self, error: Exception) -> None:
        if self.sender() is not self._job or self._writing is None:
            return
        step, self._writing = self._writing, None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(step.response_id, error)
        self._next()

    def _on_other_workspace(self) -> None:
        self._queue.clear()
        self._drafts.clear()
        self._done.clear()
        self._writing = self._job = None


def _keep(workspace: Workspace, response_id: int, text: str) -> Corrected:
    from engine.runs.correction import correct

    with closing(workspace.connect(durable=True)) as db:
        return correct(db, response_id, text)


def _take_back(workspace: Workspace, response_id: int) -> Corrected:
    from engine.runs.correction import take_correction_back

    with closing(workspace.connect(durable=True)) as db:
        return take_correction_back(db, response_id)


def _undo(workspace: Workspace, response_id: int, uid: str) -> Corrected:
    from engine.runs.correction import undo_correction

    with closing(workspace.connect(durable=True)) as db:
        return undo_correction(db, response_id, uid)
