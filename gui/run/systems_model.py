"""The declared systems as a screen shows them: what each lacks here, and a first word with one in its own process."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from typing import IO

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.systems.declaration import SystemDeclaration, load_systems
from engine.worker.process import worker_environment
from gui.jobs import Job
from gui.services import Services

_MOST_WORDS = 20_000


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One declared system; ``lacks`` is all that stands in the way of running it here."""

    system: SystemDeclaration
    lacks: tuple[EngineError, ...]

    @property
    def is_untried_address(self) -> bool:
        """Whether it is served elsewhere: nothing is lacking here, and nobody asked whether a server answers."""
        return self.system.kind == "endpoint" and not self.lacks


class SystemsModel(QObject):
    """Reads by a job; a trial is ``auricle systems test`` in a process of its own, for models do not belong in here.

    Signals:
        rows_changed: ``rows`` or ``error`` is another.
        trial_changed: ``tried``, ``words`` or ``is_trying`` is another.
    """

    rows_changed, trial_changed = Signal(), Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.rows: tuple[SystemRow, ...] = ()
        self.error: EngineError | None = None
        self.tried = ""  # the id of the system that was tried last
        self.words = ""  # what it printed
        self.went_well: bool | None = None  # None while it goes on
        self._reading: Job | None = None
        self._trying: Job | None = None

    @property
    def is_trying(self) -> bool:
        """Whether a trial goes on."""
        return self._trying is not None

    def read(self) -> None:
        """Read the declarations and look what each lacks."""
        if self._reading is None:
            self._reading = self._services.jobs.run(_rows())
            self._reading.succeeded.connect(self._on_rows)
            self._reading.failed.connect(self._on_failure)
            self._reading.finished.connect(self._on_read)

    def try_system(self, system_id: str) -> None:
        """Ask a system one thing."""
        if self._trying is None:
            self.tried, self.words, self.went_well = system_id, "", None
            language = self._services.words.language
            self._trying = self._services.jobs.run(_tried(system_id, language), "working")
            self._trying.progressed.connect(self._on_words)
            self._trying.succeeded.connect(self._on_tried)
            self._trying.failed.connect(self._on_failure)
            self._trying.finished.connect(self._on_trial_over)
            self.trial_changed.emit()

    def stop_trial(self) -> None:
        """End the trial and its process."""
        if self._trying is not None:
            self._trying.cancel()

    def _on_rows(self, rows: tuple[SystemRow, ...]) -> None:
        self.rows, self.error = rows, None
        self.rows_changed.emit()

    def _on_read(self) -> None:
        self._reading = None

    def _on_words(self, progress: Progress) -> None:
        self.words = progress.label
        self.trial_changed.emit()

    def _on_tried(self, found: tuple[bool, str]) -> None:
        self.went_well, self.words = found

    def _on_trial_over(self) -> None:
        self._trying = None
        self.trial_changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.error = error
        self.rows_changed.emit()


def _rows() -> Generator[Progress, None, tuple[SystemRow, ...]]:
    from engine.machine.computer import gpus
    from engine.machine.readiness import lacks
    from engine.models.declaration import load_models

    systems, models, found_gpus = load_systems(), load_models(), gpus()
    rows = []
    for done, system in enumerate(systems.values(), start=1):
        rows.append(SystemRow(system, lacks(system, models, found_gpus)))
        yield Progress(done, len(systems), system.id)
    return tuple(
        sorted(rows, key=lambda row: (row.system.is_trial, bool(row.lacks), row.is_untried_address, row.system.id))
    )


def _tried(system_id: str, language: str) -> Generator[Progress, None, tuple[bool, str]]:
    """What the process prints, as it prints it; closed, the process and all it started end."""
    command = [sys.executable, "-P", "-u", "-m", "engine.cli.main", "systems", "test", system_id]
    environment = {**worker_environment(is_first=True), "AURICLE_LANGUAGE": language}
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    said = ""
    try:
        os.set_blocking(process.stdout.fileno(), False)
        while True:
            said = (said + _more(process.stdout))[-_MOST_WORDS:]
            try:
                process.wait(0.1)
                break
            except subprocess.TimeoutExpired:
                yield Progress(0, 0, said)
        return process.returncode == 0, (said + _more(process.stdout))[-_MOST_WORDS:]
    finally:
        _end(process)


def _more(stream: IO[bytes]) -> str:
    return (stream.read() or b"").decode("utf-8", "replace")


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
