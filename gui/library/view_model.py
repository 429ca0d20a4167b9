"""The state of the Library screen: what is in the workspace, what is next, the list of recent ones, this computer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.store.overview import Durations, Overview, Step, what_next
from engine.store.workspace import default_folder
from gui.jobs import Job
from gui.library import work
from gui.library.work import ComputerAsked, Contents, Recent
from gui.services import Services

if TYPE_CHECKING:
    from engine.machine.values import Check
    from engine.runs.sample import SampleContents


class LibraryViewModel(QObject):
    """Reads by jobs and keeps what they found; writes only by the sample, which is long work with its own batches.

    Signals:
        workspace_changed: another workspace is open, or none.
        contents_changed: ``contents`` is another.
        lengths_changed: ``question_lengths`` is another.
        recents_changed: ``recents`` are others.
        checks_changed: ``checks`` or ``is_checking`` is another.
        sample_changed: ``sample`` or ``sample_progress`` is another.
        trouble_changed: ``trouble`` is another.
    """

    workspace_changed, contents_changed, lengths_changed = Signal(), Signal(), Signal()
    recents_changed, checks_changed, sample_changed, trouble_changed = Signal(), Signal(), Signal(), Signal()

    def __init__(self, services: Services, chinese_font: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services, self._chinese_font = services, chinese_font
        self.contents: Contents | None = None
        self.question_lengths: Durations | None = None
        self.recents: tuple[Recent, ...] = ()
        self.checks: tuple[Check, ...] = ()
        self.sample: SampleContents | None = None
        self.sample_progress: Progress | None = None  # while it is taken in
        self.trouble: EngineError | None = None
        self._counting: Job | None = None
        self._measuring: Job | None = None
        self._looking: Job | None = None
        self._checking: Job | None = None
        self._making: Job | None = None
        self._is_stale, self._checks_are_stale = False, False
        services.workspace.changed.connect(self._on_workspace)
        services.workspace.content_changed.connect(self.count)
        services.workspace.failed.connect(self.complain)
        services.settings.changed.connect(self._on_setting)
        self._read_recents()

    @property
    def overview(self) -> Overview | None:
        """The counts, None until they are known or where no workspace is open."""
        return self.contents.overview if self.contents is not None else None

    @property
    def folder(self) -> Path:
        """Of the workspace that is open, else the one that would be made."""
        current = self._services.workspace.current
        return current.folder if current is not None else default_folder()

    @property
    def is_open(self) -> bool:
        """Whether a workspace is open."""
        return self._services.workspace.current is not None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it, as far as is known."""
        return not self.is_open or (self.overview is not None and self.overview.is_empty)

    @property
    def is_checking(self) -> bool:
        """Whether the checks of this computer are going on."""
        return self._checking is not None

    @property
    def next_step(self) -> Step:
        """What is to be done next."""
        if self.overview is None:
            return "import_benchmark"
        return what_next(self.overview, has_judge=bool(self._services.settings.get("endpoints")))

    def open(self, path: Path, *, create: bool = False) -> None:
        """Open another workspace; the one that is open stays where that fails."""
        self._say_trouble(None)
        self._services.workspace.open(path, create=create)

    def make_new(self, folder: Path) -> None:
        """Make a workspace in ``folder``, or in a folder of its own below it where other things lie there."""
        self._say_trouble(None)
        job = self._services.jobs.call(work.place_for_new, folder)
        job.succeeded.connect(self._on_place)
        job.failed.connect(self._on_failure)

    def count(self) -> None:
        """Count anew; while a count goes on, once more after it."""
        current = self._services.workspace.current
        if current is None:
            return
        if self._counting is not None:
            self._is_stale = True
            return
        self._is_stale = False
        self._counting = job = self._services.jobs.call(work.read_contents, current)
        job.succeeded.connect(self._on_contents)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_counted)

    def look_at_recents(self) -> None:
        """See what has become of the recent workspaces."""
        if self._looking is not None:
            self._looking.cancel()
        self._looking = job = self._services.jobs.run(work.look_at(self.recents))
        job.succeeded.connect(self._on_looked)
        job.failed.connect(self._on_failure)

    def forget(self, path: Path) -> None:
        """Take a workspace off the list; its folder stays as it is."""
        kept = [entry for entry in self._services.settings.get("recent") if entry.get("path") != str(path)]
        self._services.settings.set("recent", kept)

    def found_again(self, old: Path, new: Path) -> None:
        """Open a workspace that has moved; its old place leaves the list once that succeeds."""
        self._moved = (old, new)
        self.open(new)

    def check_computer(self, *, list_devices: bool = False) -> None:
        """Look at what is installed here; with sound devices where asked for."""
        if self._checking is not None:
            self._checks_are_stale = True
            return
        self._checks_are_stale = False
        settings = self._services.settings
        asked = ComputerAsked(
            self.folder, settings.get("recogniser"), settings.get("endpoints"), self._chinese_font, list_devices
        )
        work_on = work.check_computer(asked, self._services.workspace.current)
        self._checking = job = self._services.jobs.run(work_on)
        job.succeeded.connect(self._on_checks)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_checked)
        self.checks_changed.emit()

    def describe_sample(self) -> None:
        """Count what the sample holds, once."""
        if self.sample is None:
            job = self._services.jobs.run(work.describe_sample())
            job.succeeded.connect(self._on_sample)
            job.failed.connect(self._on_failure)

    def make_sample(self) -> None:
        """Take the sample into the workspace that is open, or into the usual one."""
        if self._making is not None:
            return
        self._say_trouble(None)
        self.sample_progress = Progress(0, 0)
        self._making = job = self._services.jobs.run(work.make_sample(self.folder), pool="working")
        job.progressed.connect(self._on_sample_progress)
        job.succeeded.connect(self._on_sample_made)
        job.cancelled.connect(self._show_what_was_written)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_sample_finished)
        self.sample_changed.emit()

    def cancel_sample(self) -> None:
        """Stop taking it in; what is taken in stays."""
        if self._making is not None:
            self._making.cancel()

    def complain(self, error: EngineError) -> None:
        """Show what stands in the way."""
        self._moved = None
        self._say_trouble(error)

    def dismiss(self) -> None:
        """The trouble was read."""
        self._say_trouble(None)

    def _on_place(self, folder: Path) -> None:
        self.open(folder, create=True)

    _moved: tuple[Path, Path] | None = None

    def _on_workspace(self) -> None:
        self._say_trouble(None)
        self.contents, self.question_lengths = None, None
        if self._measuring is not None:
            self._measuring.cancel()
        if self._moved is not None and self.folder == self._moved[1].absolute():
            self.forget(self._moved[0])
        self._moved = None
        self.workspace_changed.emit()
        self._read_recents()
        self.count()
        self.check_computer()

    def _on_contents(self, contents: Contents) -> None:
        if self._is_stale:
            return
        grew = self.overview is None or self.overview.instances != contents.overview.instances
        self.contents = contents
        self.contents_changed.emit()
        if grew and contents.overview.instances:
            self._measure_questions()

    def _on_counted(self) -> None:
        self._counting = None
        if self._is_stale:
            self.count()

    def _measure_questions(self) -> None:
        current = self._services.workspace.current
        if current is None:
            return
        if self._measuring is not None:
            self._measuring.cancel()
        self._measuring = job = self._services.jobs.run(work.read_lengths(current))
        job.succeeded.connect(self._on_lengths)
        job.failed.connect(self._on_failure)

    def _on_lengths(self, lengths: Durations) -> None:
        self.question_lengths = lengths
        self.lengths_changed.emit()

    def _read_recents(self) -> None:
        known = {recent.path: recent.glance for recent in self.recents}
        entries = [e for e in self._services.settings.get("recent") if isinstance(e, dict) and e.get("path")]
        self.recents = tuple(
            Recent(Path(e["path"]), str(e.get("opened_at") or ""), known.get(Path(e["path"]))) for e in entries
        )
        self.recents_changed.emit()
        self.look_at_recents()

    def _on_looked(self, looked: tuple[Recent, ...]) -> None:
        found = {recent.path: recent.glance for recent in looked}
        self.recents = tuple(replace(r, glance=found.get(r.path, r.glance)) for r in self.recents)
        self.recents_changed.emit()

    def _on_checks(self, checks: tuple[Check, ...]) -> None:
        self.checks = checks

    def _on_checked(self) -> None:
        self._checking = None
        if self._checks_are_stale:
            self.check_computer()
        else:
            self.checks_changed.emit()

    def _on_sample(self, sample: SampleContents) -> None:
        self.sample = sample
        self.sample_changed.emit()

    def _on_sample_progress(self, progress: Progress) -> None:
        self.sample_progress = progress
        self.sample_changed.emit()

    def _on_sample_made(self, folder: Path) -> None:
        self._show_what_was_written(folder)

    def _show_what_was_written(self, folder: Path | None = None) -> None:
        if self.is_open:
            self._services.workspace.content_changed.emit()
        elif folder is not None or self.folder.exists():
            self._services.workspace.open(self.folder)

    def _on_sample_finished(self) -> None:
        self._making, self.sample_progress = None, None
        self.sample_changed.emit()

    def _on_setting(self, name: str) -> None:
        if name == "recent":
            self._read_recents()
        elif name in ("endpoints", "recogniser"):
            self.check_computer()
            self.contents_changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error  # a bug: the application's excepthook reports it with its traceback
        self._say_trouble(error)

    def _say_trouble(self, trouble: EngineError | None) -> None:
        if trouble is not self.trouble:
            self.trouble = trouble
            self.trouble_changed.emit()
