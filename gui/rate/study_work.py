"""What is done with a study: bundles out, results in, exports, the methods paragraph, the reveal of the letters."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from engine.errors import EngineError
from engine.progress import Progress
from gui.jobs import Job, Pool
from gui.rate import carrying, wording
from gui.services import Services

if TYPE_CHECKING:
    from engine.rating.bundle.results import Merged
    from engine.store.studies import SessionRow, StudyRow


class StudyWork(QObject):
    """One piece of work at a time; what comes of it is said on the status line.

    Signals:
        busy_changed: ``progress`` is another; None when nothing goes on.
        trouble_changed: ``error`` is another.
        changed: the store has other rows now.
        adjudicated: the id of the study made of disagreements.
    """

    busy_changed, trouble_changed, changed, adjudicated = Signal(), Signal(), Signal(), Signal(object)

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._job: Job | None = None
        self._said = ""
        self.progress: Progress | None = None
        self.error: EngineError | None = None
        self.fingerprint = ""

    @property
    def is_busy(self) -> bool:
        """Whether something goes on."""
        return self._job is not None

    def stop(self) -> None:
        """Ask what goes on to stop; what is finished is kept."""
        if self._job is not None:
            self._job.cancel()

    def put_error_away(self) -> None:
        """What stood in the way is not shown any more."""
        self._say_error(None)

    def export_bundle(self, session: SessionRow, target: Path) -> None:
        """Write the bundle of a session's rater."""
        workspace = self._services.workspace.current
        if workspace is not None:
            work = carrying.bundle(workspace, session.study_id, session.rater_id, target)
            self._run_signed(work, "said.bundle", path=target.name)

    def export_bundles(self, study: StudyRow, sessions: tuple[SessionRow, ...], folder: Path) -> None:
        """Write one bundle for each rater of a study."""
        workspace = self._services.workspace.current
        if workspace is not None:
            raters = _raters(sessions)
            work = carrying.bundles(workspace, study, raters, folder)
            self._run_signed(work, "said.bundles", n=len(raters), path=folder.name)

    def merge(self, path: Path) -> None:
        """Take the results of a rater elsewhere; twice is harmless."""
        workspace = self._services.workspace.current
        if workspace is not None:
            self._run(carrying.merged(workspace, path), "", "aside")
            if self._job is not None:
                self._job.succeeded.connect(self._on_merged)

    def export(self, study: StudyRow, form: Literal["csv", "jsonl"], target: Path) -> None:
        """Write the ratings of a study as a table."""
        workspace = self._services.workspace.current
        if workspace is not None:
            work = carrying.exported(workspace, study.id, form, target)
            self._run(work, "said.exported", "aside", path=target.name)

    def export_label_studio(self, study: StudyRow, sessions: tuple[SessionRow, ...], folder: Path) -> None:
        """Write a folder for each rater of a study."""
        workspace = self._services.workspace.current
        if workspace is not None:
            work = carrying.label_studio(workspace, study, _raters(sessions), folder)
            self._run(work, "said.exported", "aside", path=folder.name)

    def copy_methods(self, study: StudyRow) -> None:
        """Put the paragraph on methods on the clipboard, in the language of now."""
        workspace = self._services.workspace.current
        if workspace is not None:
            language = self._services.words.language
            self._run(carrying.methods(workspace, study.id, language), "said.methods")
            if self._job is not None:
                self._job.succeeded.connect(_copy)

    def reveal(self, study: StudyRow, reason: str) -> None:
        """Have the letters resolved from now on; the reason is kept."""
        workspace = self._services.workspace.current
        if workspace is not None and reason.strip():
            self._run(carrying.revealed(workspace, study.id, reason), "said.revealed", "writing")
            if self._job is not None:
                self._job.succeeded.connect(self._services.workspace.content_changed)  # Audit may show it now

    def adjudicate(self, study: StudyRow) -> None:
        """Make a study of the items on which the raters differ, for the owner to rate blind."""
        workspace = self._services.workspace.current
        if workspace is not None:
            title = wording.say("adjudicate.title", title=study.title)
            self._run(carrying.adjudicated(workspace, study.id, title), "said.adjudicate", "writing")
            if self._job is not None:
                self._job.succeeded.connect(self.adjudicated)

    def _run_signed(self, work: Generator[Progress, None, str], said: str, **values: object) -> None:
        self._run(work, said, "aside", **values)
        if self._job is not None:
            self._job.succeeded.connect(self._on_signed)

    def _run(self, work: Generator[Progress, None, Any], said: str, pool: Pool = "reading", **values: object) -> None:
        if self._job is not None:
            work.close()
            return
        self._say_error(None)
        self._said = wording.say(said, **values) if said else ""
        self.progress = Progress(0, 0)
        self._job = self._services.jobs.run(work, pool)
        self._job.progressed.connect(self._on_progress)
        self._job.succeeded.connect(self._on_done)
        self._job.failed.connect(self._on_failure)
        self._job.finished.connect(self._on_finished)
        self.busy_changed.emit()

    def _on_progress(self, progress: Progress) -> None:
        self.progress = progress
        self.busy_changed.emit()

    def _on_done(self) -> None:
        if self._said:
            self._services.say(self._said)
        self.changed.emit()

    def _on_merged(self, told: Merged) -> None:
        taken = sum(told.taken.added.values())
        lines = [
            wording.say("said.merged" if taken else "said.merged_nothing", name=told.title, n=wording.count(taken))
        ]
        lines.append(wording.say("said.signer", signer=told.signer))
        if told.taken.refused:
            lines.append(wording.say("said.refused", n=wording.count(len(told.taken.refused))))
        self._services.say(wording.say("gap").join(lines), "warning" if told.taken.refused else "")
        self._services.workspace.content_changed.emit()

    def _on_signed(self, fingerprint: str) -> None:
        self.fingerprint = fingerprint
        self.changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self._say_error(error)

    def _say_error(self, error: EngineError | None) -> None:
        self.error = error
        self.trouble_changed.emit()

    def _on_finished(self) -> None:
        self._job = self.progress = None
        self.busy_changed.emit()


def _raters(sessions: tuple[SessionRow, ...]) -> tuple[tuple[int, str], ...]:
    return tuple(dict.fromkeys((each.rater_id, each.rater_name) for each in sessions))


def _copy(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
