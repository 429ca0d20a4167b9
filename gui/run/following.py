"""Follows the workspace's runs for the whole window: which there are, and how the one that goes on is doing."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from gui.jobs import Job
from gui.services import Services

if TYPE_CHECKING:  # the rooms of the engine that know runs are loaded by the first look, on a pool thread
    from engine.runs.follow import Follower
    from engine.runs.queue import Waiting
    from engine.runs.told import RunState
    from engine.store.runs import RunRow
    from engine.store.workspace import Workspace

LOOK_EVERY_MS = 500  # while a run goes on
IDLE_EVERY_MS = 4000  # one may be started elsewhere
FIRST_LOOK_MS = 1200  # what knows runs takes a fifth of a second to import: not before the first screen stands
TELL_CONTENT_EVERY_S = 2.0


class Following(QObject):
    """One in a window. It only reads, as jobs, so that a run of a terminal is followed as one of ours is.

    Signals:
        listed: the runs of the workspace, newest first, whenever one came or changed.
        changed: the RunState of the run that goes on; once more when it has ended; then None.
        queued: the runs that wait for their turn, whenever these are others.
        said: the same as one sentence for the status line; "" when no run goes on.
    """

    listed, changed, said, queued = Signal(object), Signal(object), Signal(str), Signal(object)

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.runs: tuple[RunRow, ...] = ()
        self.waiting: tuple[Waiting, ...] = ()
        self.state: RunState | None = None
        self._follower: Follower | None = None
        self._job: Job | None = None
        self._again = False
        self._written, self._told_at = 0, 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(IDLE_EVERY_MS)
        self._timer.timeout.connect(self.look)
        services.workspace.changed.connect(self._on_workspace)
        services.words.changed.connect(self._say)
        services.following = self
        if services.workspace.current is not None:
            self._on_workspace()

    @property
    def running(self) -> int | None:
        """The id of the run that goes on now, None when none does."""
        return self.state.run.id if self.state is not None and self.state.is_going else None

    def look(self) -> None:
        """Look now, or once more when the look that is under way is over."""
        workspace = self._services.workspace.current
        if workspace is None or self._job is not None:
            self._again = self._job is not None
            return
        self._job = self._services.jobs.call(_look, workspace, self._follower)
        self._job.succeeded.connect(self._on_look)
        self._job.failed.connect(self._on_failure)
        self._job.finished.connect(self._on_finished)

    def stop(self) -> None:
        """Ask the run that goes on to stop; for the moment of closing, when no job would run any more."""
        workspace = self._services.workspace.current
        if self.running is not None and workspace is not None:
            from engine.runs.launch import ask_to_stop

            ask_to_stop(workspace, self.running)  # one small file

    def close(self) -> None:
        """Follow no longer."""
        self._timer.stop()
        if self._job is not None:
            self._job.cancel()

    def _on_workspace(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._follower, self._again, self._written = None, False, 0
        self._set_runs(())
        self._set_waiting(())
        self._set_state(None)
        if self._services.workspace.current is not None:
            self._timer.start(FIRST_LOOK_MS)  # the screen's own rows come first
        else:
            self._timer.stop()

    def _on_look(self, found: _Look) -> None:
        if found.workspace is not self._services.workspace.current:
            return
        self._follower = found.follower
        self._set_runs(found.runs)
        self._set_waiting(found.waiting)
        self._set_state(found.state)
        self._tell_content(found.state)
        is_busy = self.running is not None or bool(self.waiting)
        self._timer.setInterval(LOOK_EVERY_MS if is_busy else IDLE_EVERY_MS)

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self._services.say(self._services.words.error(error), "error")

    def _on_finished(self) -> None:
        if self.sender() is not self._job:
            return
        self._job = None
        if self._again:
            self._again = False
            self.look()

    def _set_runs(self, runs: tuple[RunRow, ...]) -> None:
        if runs != self.runs:
            self.runs = runs
            self.listed.emit(runs)

    def _set_waiting(self, waiting: tuple[Waiting, ...]) -> None:
        if waiting != self.waiting:
            self.waiting = waiting
            self.queued.emit(waiting)

    def _set_state(self, state: RunState | None) -> None:
        if state is None and self.state is None:
            return
        self.state = state
        self.changed.emit(state)
        self._say()
        if state is not None and not state.is_going:  # its last word was said
            self._follower = self.state = None
            self.changed.emit(None)

    def _say(self) -> None:
        state = self.state
        if state is None or not state.is_going:
            self.said.emit("")
            return
        from gui.run.wording import run_sentence

        self.said.emit(run_sentence(state))

    def _tell_content(self, state: RunState | None) -> None:
        """Let the other screens read anew when results were committed, every two seconds at most, and at the end."""
        if state is None:
            return
        is_due = time.monotonic() - self._told_at >= TELL_CONTENT_EVERY_S or not state.is_going
        if state.written != self._written and is_due:
            self._written, self._told_at = state.written, time.monotonic()
            self._services.workspace.content_changed.emit()


@dataclass(frozen=True, slots=True)
class _Look:
    """What one look found; ``state`` is of the run that goes on or, once, of the one that has just ended."""

    workspace: Workspace
    runs: tuple[RunRow, ...]
    waiting: tuple[Waiting, ...]
    state: RunState | None
    follower: Follower | None


def _look(workspace: Workspace, follower: Follower | None) -> _Look:
    from engine.benchmarks.declaration import declared_subsets
    from engine.runs.follow import Follower, listed_runs
    from engine.runs.queue import waiting_runs
    from gui.run import wording  # noqa: F401 - loaded here rather than on the GUI thread

    declared_subsets("vocalbench_zh")  # likewise: their titles stand in the list of runs
    runs = tuple(listed_runs(workspace))
    going = next((run for run in runs if run.state == "running"), None)
    if follower is None and going is not None:
        follower = Follower(workspace, going.id)
    return _Look(workspace, runs, waiting_runs(workspace), follower.read() if follower is not None else None, follower)
