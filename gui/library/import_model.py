"""The state of an import: choose, check, write, done. Reading and writing are jobs; what stands in the way is told."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.store.workspace import default_folder
from gui.jobs import Job
from gui.library import work
from gui.services import Services

if TYPE_CHECKING:
    from engine.benchmarks.guess import Guess, Kind
    from engine.runs.checked_import import Checked, Written
    from engine.store.audio import Keep

Page = Literal["choose", "check", "report", "write", "done"]
STEADY_AFTER_S = 1.0  # before that a rate would jump about


class ImportModel(QObject):
    """One import at a time.

    Signals:
        page_changed: ``page`` is another.
        choice_changed: kind, path or what they bring with them is another.
        progressed: ``progress`` is another.
        trouble_changed: ``trouble`` is another.
        unknown_dropped: a path that holds nothing we know.
        workspace_dropped: the path of a workspace: it is to be opened, not imported.
        written: something was written, whole or in part.
    """

    page_changed, choice_changed, progressed, trouble_changed = Signal(), Signal(), Signal(), Signal()
    unknown_dropped, workspace_dropped, written = Signal(Path), Signal(Path), Signal(Path)

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.page: Page = "choose"
        self.kind: Kind = "vocalbench_zh"
        self.path: Path | None = None
        self.system, self.benchmark, self.encoding = "", "", ""
        self.keep: Keep = "link"
        self.benchmarks: tuple[str, ...] = ()
        self.systems: tuple[Path, ...] = ()  # where a folder holds several
        self.checked: Checked | None = None
        self.result: Written | None = None
        self.was_stopped = False
        self.progress = Progress(0, 0)
        self.trouble: EngineError | None = None
        self._job: Job | None = None
        self._started_s = 0.0
        services.workspace.changed.connect(self._read_benchmarks)
        services.workspace.content_changed.connect(self._read_benchmarks)

    @property
    def is_busy(self) -> bool:
        """Whether it reads, checks or writes."""
        return self._job is not None

    @property
    def target(self) -> Path:
        """The workspace that is open, else the one that would be made."""
        current = self._services.workspace.current
        return current.folder if current is not None else default_folder()

    @property
    def makes_workspace(self) -> bool:
        """Whether importing would make the workspace first."""
        return self._services.workspace.current is None

    @property
    def may_check(self) -> bool:
        """Whether there is something to check."""
        return self.path is not None and not self.systems and not self.is_busy

    @property
    def rate(self) -> float:
        """Items a second since the start of this step; 0.0 before it is steady."""
        passed = time.monotonic() - self._started_s
        return self.progress.done / passed if passed >= STEADY_AFTER_S else 0.0

    @property
    def seconds_left(self) -> int | None:
        """How long the rest takes at that rate; None where nobody can tell."""
        rest = self.progress.total - self.progress.done
        return int(rest / self.rate) if self.rate and self.progress.total and rest >= 0 else None

    def begin(self, kind: Kind | None = None, path: Path | None = None) -> None:
        """Start over, with what is known already."""
        if self.is_busy:
            return
        self.path, self.systems, self.checked, self.result = None, (), None, None
        self.system, self.benchmark, self.was_stopped = "", "", False
        self.kind = kind or self.kind
        self._say_trouble(None)
        self._turn_to("choose")
        self.choice_changed.emit()
        if path is not None:
            self.look_into(path)

    def look_into(self, path: Path) -> None:
        """Take a path and find out what it holds."""
        if self._job is not None:
            return
        self._asked = path
        self._start(self._services.jobs.call(work.look_into, path))
        if self._job is not None:
            self._job.succeeded.connect(self._on_guess)

    def choose_kind(self, kind: Kind) -> None:
        """The user knows better what it is."""
        if kind != self.kind:
            self.kind = kind
            self._say_trouble(None)
            self.choice_changed.emit()

    def choose_system_folder(self, path: Path) -> None:
        """Take one of several systems."""
        self.path, self.systems = path, ()
        self.choice_changed.emit()

    def check(self) -> None:
        """Read it and look for faults."""
        if self.path is None or self.is_busy:
            return
        self._say_trouble(None)
        asked = work.Asked(self.kind, self.path, self.system.strip(), self.benchmark, self.keep, self.encoding)
        self._turn_to("check")
        self._start(self._services.jobs.run(work.check(self._services.workspace.current, asked)))
        if self._job is not None:
            self._job.succeeded.connect(self._on_checked)

    def write(self) -> None:
        """Import what was checked."""
        if self.checked is None or self.is_busy or not self.checked.count:
            return
        self._say_trouble(None)
        self._turn_to("write")
        self._start(self._services.jobs.run(work.write(self.target, self.checked), pool="working"))
        if self._job is not None:
            self._job.succeeded.connect(self._on_written)

    def stop(self) -> None:
        """Stop reading, checking or writing; what is written stays."""
        if self._job is not None:
            self._job.cancel()

    def back(self) -> None:
        """To the choice, which stands as it was."""
        if not self.is_busy:
            self._say_trouble(None)
            self._turn_to("choose")

    def _start(self, job: Job) -> None:
        self._job = job
        self._started_s = time.monotonic()
        self.progress = Progress(0, 0)
        self.progressed.emit()
        job.progressed.connect(self._on_progress)
        job.failed.connect(self._on_failure)
        job.cancelled.connect(self._on_stopped)
        job.finished.connect(self._on_finished)
        self.choice_changed.emit()

    def _on_progress(self, progress: Progress) -> None:
        if progress.total != self.progress.total or progress.done < self.progress.done:
            self._started_s = time.monotonic()  # the next stage of the work counts anew
        self.progress = progress
        self.progressed.emit()

    def _on_guess(self, found: Guess) -> None:
        if found.kind == "workspace":
            self.workspace_dropped.emit(found.path)
        elif found.kind == "":
            self.unknown_dropped.emit(found.path)
        else:
            self.kind, self.path, self.systems = found.kind, found.path, found.systems

    def _on_checked(self, checked: Checked) -> None:
        self.checked = checked
        self._turn_to("report")

    def _on_written(self, result: tuple[Path, Written]) -> None:
        folder, self.result = result
        self._turn_to("done")
        self.written.emit(folder)

    def _on_stopped(self) -> None:
        if self.page == "write":
            self.was_stopped, self.result = True, None
            self._turn_to("done")
            self.written.emit(self.target)
        else:
            self._turn_to("choose")

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            self._turn_to("choose")
            raise error  # a bug: the application's excepthook reports it with its traceback
        wrote = self.page == "write"
        self._say_trouble(error)
        self._turn_to("report" if wrote else "choose")
        if wrote:
            self.written.emit(self.target)

    def _on_finished(self) -> None:
        self._job = None
        self.choice_changed.emit()

    def _read_benchmarks(self) -> None:
        current = self._services.workspace.current
        if current is None:
            return
        job = self._services.jobs.call(work.benchmarks_of, current)
        job.succeeded.connect(self._on_benchmarks)
        job.failed.connect(self._on_quiet_failure)

    def _on_benchmarks(self, benchmarks: tuple[str, ...]) -> None:
        if benchmarks != self.benchmarks:
            self.benchmarks = benchmarks
            self.choice_changed.emit()

    def _on_quiet_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error

    def _say_trouble(self, trouble: EngineError | None) -> None:
        if trouble is not self.trouble:
            self.trouble = trouble
            self.trouble_changed.emit()

    def _turn_to(self, page: Page) -> None:
        if page != self.page:
            self.page = page
            self.page_changed.emit()
