"""What was said of the answer that is looked at: said, taken back, undone and done again. No widgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.store.evidence import Act, Evidence, Table
from engine.store.tags import TagInUse
from engine.store.workspace import Workspace
from gui.audit.evidence.target import Target
from gui.audit.evidence.writing import (
    read_evidence,
    read_in_use,
    write_given_back,
    write_note,
    write_tag,
    write_taken_back,
    write_undone,
)
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.strings import words

MOST_UNDONE = 200
_LONGEST_TOLD = 40


@dataclass(frozen=True, slots=True)
class _Step:
    """Something a person does: how it is written, which of ``tag`` and ``note`` it is, and the words for it.

    ``kind`` is ``add``, ``take_back``, ``give_back``, ``undo`` or ``redo``; the last two say what they reverse.
    """

    kind: str
    table: Table = "tag"
    text: str = ""
    function: Callable[..., Act] | None = None
    arguments: tuple[Any, ...] = ()
    workspace: Workspace | None = None


@dataclass(frozen=True, slots=True)
class _Done:
    """A step that was written."""

    step: _Step
    act: Act


class EvidenceModel(QObject):
    """Writes one thing after another, each committed before it is told.

    Signals:
        said_changed: ``evidence`` is another now.
        in_use_changed: ``in_use`` is another now.
        written: something was committed; what shows tags is to be read again.
        told: a sentence for the status line.
        kept: "tag" or "note": what was last typed is committed.
        failed: an EngineError; what was typed is not kept.
    """

    said_changed, in_use_changed, written = Signal(), Signal(), Signal()
    told, kept, failed = Signal(str), Signal(str), Signal(object)

    def __init__(self, workspace: OpenWorkspace, jobs: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workspace, self._jobs = workspace, jobs
        self._current: int | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self._in_use: tuple[TagInUse, ...] = ()
        self._reading: Job | None = None
        self._counting: Job | None = None
        self._queue: deque[_Step] = deque()
        self._writing: _Step | None = None
        self._done: list[_Done] = []
        self._undone: list[_Done] = []
        workspace.changed.connect(self._on_other_workspace)
        workspace.content_changed.connect(self._read)
        self._count()

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """All that was said of the answer, what was taken back too."""
        return self._evidence

    @property
    def in_use(self) -> tuple[TagInUse, ...]:
        """The tags in use, the most frequent first."""
        return self._in_use

    def of(self, table: Table) -> list[Evidence]:
        """The tags or notes of the answer, the newest last."""
        return [said for said in self.evidence if said.table == table]

    def show(self, response_id: int | None) -> None:
        """Look at another answer."""
        if response_id == self._current:
            return
        self._current, self._evidence = response_id, ()
        self._read()
        self.said_changed.emit()

    def add_tag(self, target: Target, name: str) -> None:
        """Tag all of ``target``; ``kept`` or ``failed`` follows."""
        self._do(_Step("add", "tag", name.strip(), write_tag, (target, name)))

    def add_note(self, target: Target, text: str) -> None:
        """Write a note on all of ``target``; ``kept`` or ``failed`` follows."""
        self._do(_Step("add", "note", text.strip(), write_note, (target, text)))

    def take_back(self, said: Evidence) -> None:
        """Take a tag or note back."""
        self._do(_Step("take_back", said.table, said.text, write_taken_back, (said.table, said.uid)))

    def give_back(self, said: Evidence) -> None:
        """Let a tag or note that was taken back stand again."""
        self._do(_Step("give_back", said.table, said.text, write_given_back, (said.table, said.uid)))

    def undo(self) -> None:
        """Undo what was done last in this window, once all before it is written."""
        self._do(_Step("undo"))

    def redo(self) -> None:
        """Do again what was undone last."""
        self._do(_Step("redo"))

    # one after another

    def _do(self, step: _Step) -> None:
        workspace = self._workspace.current
        if workspace is not None:
            self._queue.append(replace(step, workspace=workspace))
            self._next()

    def _next(self) -> None:
        while self._writing is None and self._queue:
            step = self._queue.popleft()
            function, arguments = step.function, step.arguments
            if function is None:
                stack = self._done if step.kind == "undo" else self._undone
                if not stack:
                    self.told.emit(words.text(f"evidence.told.nothing_to_{step.kind}"))
                    continue
                function, arguments = write_undone, (stack[-1].act,)
            self._writing = step
            job = self._jobs.call(function, step.workspace, *arguments, pool="writing")
            job.succeeded.connect(self._on_written)
            job.failed.connect(self._on_failure)

    def _on_written(self, act: Act) -> None:
        step, self._writing = self._writing, None
        assert step is not None
        if step.workspace != self._workspace.current:
            pass  # kept, but nothing on screen is about it any more
        elif step.kind == "undo":
            undone = self._done.pop()
            self._undone.append(_Done(undone.step, act))
            self._tell("undone", undone.step, act.count)
        elif step.kind == "redo":
            done = self._undone.pop()
            self._done.append(_Done(done.step, act))
            self._tell("redone", done.step, act.count)
        else:
            if act.count:
                self._done = [*self._done[1 - MOST_UNDONE :], _Done(step, act)]
                self._undone.clear()
            self._tell(step.kind if act.count else "already", step, act.count)
        if step.kind == "add":
            self.kept.emit(step.table)
        self._read()
        self._count()
        self.written.emit()
        self._next()

    def _tell(self, what: str, step: _Step, count: int) -> None:
        """Say what became of a step, and of how many answers."""
        text = " ".join(step.text.split())
        text = text if len(text) <= _LONGEST_TOLD else text[:_LONGEST_TOLD] + "…"
        named = words.text(f"evidence.told.{step.table}", text=text)
        if what in ("undone", "redone"):
            named = words.text(f"evidence.told.of_{step.kind}", named=named)
        number = words.text("evidence.told.answers", count=f"{count:,}") if count > 1 else ""
        self.told.emit(words.text(f"evidence.told.{what}", named=named, answers=number).strip())

    def _on_failure(self, error: Exception) -> None:
        self._writing = None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)
        self._next()

    # what stands

    def _read(self) -> None:
        _stop(self._reading)
        self._reading = None
        workspace = self._workspace.current
        if workspace is not None and self._current is not None:
            self._reading = job = self._jobs.call(read_evidence, workspace, self._current)
            job.succeeded.connect(self._on_read)
            job.failed.connect(self._on_unread)

    def _count(self) -> None:
        _stop(self._counting)
        self._counting = None
        workspace = self._workspace.current
        if workspace is not None:
            self._counting = job = self._jobs.call(read_in_use, workspace)
            job.succeeded.connect(self._on_counted)
            job.failed.connect(self._on_unread)

    def _on_read(self, evidence: tuple[Evidence, ...]) -> None:
        if self.sender() is self._reading:
            self._reading = None
            if evidence != self._evidence:
                self._evidence = evidence
                self.said_changed.emit()

    def _on_counted(self, in_use: tuple[TagInUse, ...]) -> None:
        if self.sender() is self._counting:
            self._counting = None
            if in_use != self._in_use:
                self._in_use = in_use
                self.in_use_changed.emit()

    def _on_unread(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)

    def _on_other_workspace(self) -> None:
        self._done, self._undone = [], []
        self._current, self._evidence, self._in_use = None, (), ()
        self._read()
        self._count()
        self.said_changed.emit()
        self.in_use_changed.emit()


def _stop(job: Job | None) -> None:
    if job is not None:
        job.cancel()
