"""Reads one answer on a pool thread and keeps the last ones: the panel gets whole values, never the database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Mapping
from contextlib import closing
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.query.alignment import NotShown, ShownAlignment, shown_alignment
from engine.query.detail import detail_of
from engine.query.readings import readings_of
from engine.query.told import ClipTold, ResponseDetail
from engine.store.workspace import Workspace
from gui.jobs import Job, JobRunner
from gui.open_workspace import OpenWorkspace
from gui.player.clip import Clip
from gui.waveform.load import Outline, outline_of

KEPT = 50


@dataclass(frozen=True, slots=True)
class Loaded:
    """One answer as the panel shows it under ``method``; a clip is None where there is no audio."""

    detail: ResponseDetail
    method: str
    alignment: ShownAlignment | NotShown
    question: Clip | None
    answer: Clip | None


@dataclass(frozen=True, slots=True)
class Ahead:
    """An answer that was read before it was asked for, and what is drawn of its recordings."""

    loaded: Loaded
    outlines: Mapping[Clip, Outline]


class DetailViewModel(QObject):
    """Holds which answer is shown.

    Signals:
        loaded: a ``Loaded``: show it.
        cleared: nothing is chosen.
        failed: an EngineError: the answer cannot be shown.
        prepared: a ``Loaded`` that was asked for ahead.
        foreseen: outlines by clip, of the answer that will probably be shown next.
        read: the ``SideRead`` of the answer that is shown, after ``read_sides``.
    """

    loaded, cleared, failed, prepared = Signal(object), Signal(), Signal(object), Signal(object)
    read, foreseen = Signal(object), Signal(object)

    def __init__(self, jobs: JobRunner, workspace: OpenWorkspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._workspace = jobs, workspace
        self._job: Job | None = None
        self._ahead: Job | None = None
        self._reading: Job | None = None
        self._kept: OrderedDict[tuple[int, str], Loaded] = OrderedDict()
        self._wanted: tuple[int, str] | None = None
        workspace.changed.connect(self._on_other_workspace)
        workspace.content_changed.connect(self._on_new_content)

    @property
    def wanted(self) -> tuple[int, str] | None:
        """The answer and method that are shown or about to be."""
        return self._wanted

    @property
    def is_reading(self) -> bool:
        """Whether the wanted answer is not there yet."""
        return self._job is not None

    def show(self, response_id: int | None, method: str) -> None:
        """Show an answer by the rules of ``method``, or nothing; what was still being read is forgotten."""
        self._stop()
        self._leave_ahead()
        self._wanted = None if response_id is None else (response_id, method)
        if self._wanted is None or self._workspace.current is None:
            self.cleared.emit()
            return
        known = self._kept.get(self._wanted)
        if known is not None:
            self._kept.move_to_end(self._wanted)
            self.loaded.emit(known)
            return
        self._read()

    def prepare(self, response_id: int) -> None:
        """Read an answer that is shown soon, by the rules of the one that is shown now; ``prepared`` follows."""
        workspace = self._workspace.current
        if self._wanted is None or workspace is None:
            return
        known = self._kept.get((response_id, self._wanted[1]))
        if known is not None:
            self.prepared.emit(known)
            return
        job = self._jobs.call(read_answer, workspace, response_id, self._wanted[1])
        job.succeeded.connect(self._on_prepared)  # a failure is told when the answer is shown

    def _on_prepared(self, loaded: Loaded) -> None:
        self._kept[loaded.detail.answered.id, loaded.method] = loaded
        self.prepared.emit(loaded)

    def look_ahead(self, response_id: int) -> None:
        """Read the answer that will probably be shown next, when nothing else is being read."""
        self._leave_ahead()
        workspace = self._workspace.current
        if workspace is None or self._wanted is None:
            return
        known = self._kept.get((response_id, self._wanted[1]))
        self._ahead = job = self._jobs.run(read_ahead(workspace, response_id, self._wanted[1], known), "aside")
        job.succeeded.connect(self._on_ahead)  # a failure is told when the answer is shown

    def _on_ahead(self, ahead: Ahead) -> None:
        if self.sender() is self._ahead:
            self._ahead = None
            self._keep(ahead.loaded)
            self.foreseen.emit(ahead.outlines)

    def _leave_ahead(self) -> None:
        if self._ahead is not None:
            self._ahead.cancel()
            self._ahead = None

    def _keep(self, loaded: Loaded) -> None:
        self._kept[loaded.detail.answered.id, loaded.method] = loaded
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def reread(self) -> None:
        """Something was said of answers: what is shown is read again."""
        self._on_new_content()

    def read_sides(self, loaded: Loaded) -> None:
        """Find out how the sides of an answer are spoken, and by which rules."""
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._jobs.call(readings_of, loaded.detail, loaded.method)
        self._reading.succeeded.connect(self._on_read)

    def _on_read(self, reads: object) -> None:
        if self.sender() is self._reading:
            self._reading = None
            self.read.emit(reads)

    def _read(self) -> None:
        workspace, wanted = self._workspace.current, self._wanted
        if workspace is None or wanted is None:
            return
        self._job = self._jobs.call(read_answer, workspace, *wanted)
        self._job.succeeded.connect(self._on_loaded)
        self._job.failed.connect(self._on_failure)

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None

    def _on_loaded(self, loaded: Loaded) -> None:
        key = (loaded.detail.answered.id, loaded.method)
        if key != self._wanted:
            return
        self._job = None
        self._keep(loaded)
        self.loaded.emit(loaded)

    def _on_failure(self, error: Exception) -> None:
        self._job = None
        if not isinstance(error, EngineError):
            raise error
        self.failed.emit(error)

    def _on_other_workspace(self) -> None:
        self._kept.clear()
        self.show(None, "corrected")

    def _on_new_content(self) -> None:
        self._leave_ahead()
        self._kept.clear()
        self._stop()
        self._read()


def read_ahead(
    workspace: Workspace, response_id: int, method: str, known: Loaded | None = None
) -> Generator[Progress, None, Ahead]:
    """The answer, where it is not ``known``, with the outlines of its recordings, which are put where they are kept."""
    loaded = known or read_answer(workspace, response_id, method)
    outlines = {}
    for clip in (loaded.question, loaded.answer):
        if clip is not None:
            outlines[clip] = yield from outline_of(clip)
    return Ahead(loaded, outlines)


def read_answer(workspace: Workspace, response_id: int, method: str) -> Loaded:
    """One answer with its clips and its alignment; for a pool thread."""
    with closing(workspace.connect()) as db:
        detail = detail_of(db, response_id)
    question = next((clip for clip in detail.asked.clips if clip.audio_id is not None), None)
    return Loaded(
        detail,
        method,
        shown_alignment(detail, method),
        _clip(workspace, question),
        _clip(workspace, detail.answered.clip),
    )


def _clip(workspace: Workspace, told: ClipTold | None) -> Clip | None:
    if told is None or told.audio_id is None:
        return None
    facts = told.facts or {}
    return Clip(
        told.audio_id,
        workspace.audio / (told.path or ""),
        facts.get("duration_s"),
        facts.get("sample_rate_hz"),
        facts.get("channels"),
        facts.get("loudness_lufs"),
        workspace,
    )
