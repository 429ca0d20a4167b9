"""The state of the Run screen: which runs there are, the one that is looked at, and what can be done with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.progress import Progress
from engine.query.selection import Selection
from engine.runs.follow import Follower, troubles_of, worker_words
from engine.runs.launch import ask_to_stop, launch, started
from engine.runs.queue import begin_next, enqueue, leave_queue, move_up
from engine.runs.request import WorkRequest, request_of
from engine.runs.respond_request import KIND as RESPOND
from engine.runs.respond_request import RespondRequest, respond_request_of
from engine.runs.told import RunState
from gui.jobs import Job
from gui.run.flipped_card import Flipped
from gui.run.flipping import choose_side, read_flipped
from gui.run.following import Following
from gui.services import Services

if TYPE_CHECKING:
    from engine.runs.queue import Waiting
    from engine.scoring.flips import FlipGroup
    from engine.store.failures import Trouble
    from engine.store.runs import RunRow
    from engine.store.workspace import Workspace

Page = Literal["no_workspace", "empty", "new", "ask", "systems", "run"]
Request = WorkRequest | RespondRequest
TROUBLES_EVERY_S = 2.0


class RunViewModel(QObject):
    """Reads by jobs; writes nothing but the wish to stop. What runs is a process of its own.

    Signals:
        runs_changed: ``runs`` are others.
        page_changed: ``page`` is another.
        state_changed: ``state`` or ``selected`` is another.
        troubles_changed: ``troubles`` are others.
        flipped_changed: ``flipped`` is another.
        busy_changed: ``is_starting`` is another.
        trouble_changed: ``error`` is another: what stood in the way, None when nothing does any more.
        begun: a run that was asked for has begun.
        waiting_changed: ``waiting`` are others.
        worker_words_changed: ``worker_words`` are others: what the workers of the run that is looked at wrote.
    """

    runs_changed, page_changed, state_changed, troubles_changed = Signal(), Signal(), Signal(), Signal()
    busy_changed, trouble_changed, begun, flipped_changed = Signal(), Signal(), Signal(), Signal()
    waiting_changed, worker_words_changed = Signal(), Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._following = services.following or Following(services, self)
        self.page: Page = "no_workspace"
        self.selected: int | None = None
        self.state: RunState | None = None
        self.troubles: tuple[Trouble, ...] = ()
        self.flipped: Flipped | None = None
        self._flipped_of: int | None = None
        self.error: EngineError | None = None
        self.worker_words: tuple[tuple[int, str], ...] = ()
        self._listening: Job | None = None
        self._reading: Job | None = None
        self._asking: Job | None = None
        self._starting: Job | None = None
        self._flipping: Job | None = None
        self._bad, self._asked_at = -1, 0.0
        self._wants: Page | None = None  # a page over the runs
        services.workspace.changed.connect(self._on_workspace)
        self._following.listed.connect(self._on_runs)
        self._following.changed.connect(self._on_state)
        self._following.queued.connect(self.waiting_changed)
        self._choose_page()
        if self.runs:
            self._on_runs(self.runs)

    @property
    def runs(self) -> tuple[RunRow, ...]:
        """The runs of the workspace, newest first."""
        return self._following.runs

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """The runs that wait for their turn, the next one first."""
        return self._following.waiting

    @property
    def going(self) -> RunState | None:
        """The run that goes on now."""
        state = self._following.state
        return state if state is not None and state.is_going else None

    @property
    def is_starting(self) -> bool:
        """Whether a run was asked for that has not begun yet."""
        return self._starting is not None

    @property
    def is_next(self) -> bool:
        """Whether a run that is asked for now begins at once: nothing goes on, nothing waits."""
        return self.going is None and not any(one.error is None for one in self.waiting)

    @property
    def can_stop(self) -> bool:
        """Whether the run that is looked at goes on and was not asked to stop yet."""
        return self.state is not None and self.state.state == "running"

    @property
    def can_resume(self) -> bool:
        """Whether the run that is looked at ended before it was through, and nothing else goes on."""
        if self.state is None or self.going is not None or self.is_starting:
            return False
        left_over = self.state.state in ("cancelled", "stopped", "failed") or bool(self.state.run.message)
        return left_over and self._same_again() is not None

    @property
    def can_requeue(self) -> bool:
        """Whether the run that is looked at has ended and could be asked for the same once more."""
        return self.state is not None and not self.state.is_going and self._same_again() is not None

    def select(self, run_id: int) -> None:
        """Look at one run."""
        self._wants = None
        self._look_at(run_id)

    def _look_at(self, run_id: int) -> None:
        """The same, under the page that is shown."""
        if run_id != self.selected:
            self.selected = run_id
            self.state, self.troubles, self._bad = None, (), -1
            self.worker_words = ()
            self.worker_words_changed.emit()
            self.troubles_changed.emit()
            self._forget_flipped()
            self._read()
        self._choose_page()
        self.state_changed.emit()

    def ask_for_new(self) -> None:
        """Show what a new run would do."""
        self.ask_for("new")

    def ask_for(self, page: Page) -> None:
        """Show a page over the runs: a new run over answers, one that asks a system, the systems."""
        self._wants = page
        self._choose_page()

    def leave_new(self) -> None:
        """Back to the runs."""
        self._wants = None
        self._choose_page()

    def start(self, request: Request) -> None:
        """Begin a run in a process of its own; while another goes on it waits for its turn."""
        workspace = self._services.workspace.current
        if workspace is None or self._starting is not None:
            return
        self._complain(None)
        language = self._services.words.language
        work = _begun(workspace, request, language) if self.is_next else _queued(workspace, request, language)
        self._starting = self._services.jobs.run(work)
        self._starting.succeeded.connect(self._on_begun)
        self._starting.failed.connect(self._on_failure)
        self._starting.finished.connect(self._on_started)
        self.busy_changed.emit()

    def read_worker_words(self) -> None:
        """Read what the workers of the run that is looked at wrote."""
        workspace = self._services.workspace.current
        if workspace is not None and self.selected is not None and self._listening is None:
            self._listening = self._services.jobs.call(_words_of, workspace, self.selected)
            self._listening.succeeded.connect(self._on_worker_words)
            self._listening.finished.connect(self._on_listened)

    def begin_waiting(self) -> None:
        """Begin the first of those that wait."""
        self._change_queue(begin_next)

    def sooner(self, waiting_id: str) -> None:
        """Let one that waits begin before the one before it."""
        self._change_queue(move_up, waiting_id)

    def leave_waiting(self, waiting_id: str) -> None:
        """Let one wait no longer."""
        self._change_queue(leave_queue, waiting_id)

    def stop(self) -> None:
        """Ask the run that is looked at to stop; it ends by itself within a second or so."""
        workspace = self._services.workspace.current
        if workspace is not None and self.selected is not None and self.can_stop:
            job = self._services.jobs.call(ask_to_stop, workspace, self.selected)
            job.failed.connect(self._on_failure)
            job.finished.connect(self._following.look)

    def resume(self) -> None:
        """Ask for the same as the run that is looked at; what it finished is not done twice."""
        request = self._same_again()
        if request is not None and self.can_resume:
            self.start(request)

    def requeue(self) -> None:
        """Ask for the same once more, now or when its turn comes."""
        request = self._same_again()
        if request is not None and self.can_requeue:
            self.start(request)

    def ask_again(self, trouble: Trouble) -> None:
        """Judge anew what has no verdict in the scope of the run that is looked at, or ask the system anew."""
        if self.state is not None and self.going is None:
            if self.state.run.kind == RESPOND:
                self.start(respond_request_of(self.state.run, again=True))
                return
            request = request_of(self.state.run)
            judging = replace(request.judging, again=trouble.state == "unparsable")
            steps = tuple(step for step in ("judge", "score") if step in (*request.steps, "judge"))
            self.start(replace(request, steps=steps, judging=judging))

    def open_in_audit(self, trouble: Trouble) -> None:
        """Show the answers of one kind of trouble in Audit."""
        self._services.go("audit", Selection(ids=trouble.response_ids))

    def open_flipped(self, group: FlipGroup) -> None:
        """Show the answers of one kind of flip in Audit."""
        self._services.go("audit", Selection(ids=group.response_ids))

    def let_count(self, side: str) -> None:
        """Let the results from before this run count, or those that it made: ``before`` or ``after``."""
        workspace = self._services.workspace.current
        if workspace is not None and self.flipped is not None:
            job = self._services.jobs.run(choose_side(workspace, self.flipped, side), "writing")
            job.succeeded.connect(self._on_counted)
            job.failed.connect(self._on_failure)

    def _same_again(self) -> Request | None:
        """What asks for the same as the run that is looked at; None where that can not be asked for again."""
        if self.state is None:
            return None
        run = self.state.run
        if run.kind == RESPOND:
            return respond_request_of(run)
        request = request_of(run)
        return request if request.steps else None

    def _change_queue(self, change: Callable[..., object], *arguments: str) -> None:
        workspace = self._services.workspace.current
        if workspace is not None:
            job = self._services.jobs.call(change, workspace, *arguments)
            job.failed.connect(self._on_failure)
            job.finished.connect(self._following.look)

    def look(self) -> None:
        """The screen is shown: look at once."""
        self._following.look()

    def _on_workspace(self) -> None:
        self.selected, self.state, self.troubles, self._bad = None, None, (), -1
        self._forget_flipped()
        self._wants = None
        self._complain(None)
        self._choose_page()
        self.state_changed.emit()
        self.troubles_changed.emit()

    def _on_runs(self, runs: tuple[RunRow, ...]) -> None:
        self.runs_changed.emit()
        known = {run.id for run in runs}
        if self.selected not in known and runs:
            self._look_at(runs[0].id)
        elif self.selected is not None and (self.going is None or self.going.run.id != self.selected):
            self._read()
        self._choose_page()

    def _on_state(self, state: RunState | None) -> None:
        if state is not None and state.run.id == self.selected:
            self._take(state)
        self.state_changed.emit()  # whether this one can be resumed depends on whether another goes on

    def _read(self) -> None:
        """Read a run that does not go on, once; the one that goes on comes by itself."""
        workspace = self._services.workspace.current
        if workspace is None or self.selected is None:
            return
        if self._reading is not None:
            self._reading.cancel()
        self._reading = self._services.jobs.call(_state_of, workspace, self.selected)
        self._reading.succeeded.connect(self._on_read)
        self._reading.failed.connect(self._on_failure)

    def _on_read(self, state: RunState) -> None:
        if state.run.id == self.selected:
            self._take(state)
            self.state_changed.emit()

    def _take(self, state: RunState) -> None:
        self.state = state
        if not state.is_going and self._flipped_of != state.run.id:
            self._read_flipped()
        bad = sum(phase.failed + phase.unparsable for step in state.steps for phase in step.phases)
        is_due = time.monotonic() - self._asked_at >= TROUBLES_EVERY_S or not state.is_going
        if bad != self._bad and is_due and self._asking is None:
            self._bad, self._asked_at = bad, time.monotonic()
            workspace = self._services.workspace.current
            if workspace is not None:
                self._asking = self._services.jobs.call(_troubles_of, workspace, state.run)
                self._asking.succeeded.connect(self._on_troubles)
                self._asking.failed.connect(self._on_failure)
                self._asking.finished.connect(self._on_asked)

    def _read_flipped(self) -> None:
        """Read what flipped in the run that is looked at, once it has ended."""
        workspace = self._services.workspace.current
        if workspace is None or self.state is None:
            return
        self._flipped_of = self.state.run.id
        if self._flipping is not None:
            self._flipping.cancel()
        self._flipping = self._services.jobs.run(read_flipped(workspace, self.state.run))
        self._flipping.succeeded.connect(self._on_flipped)
        self._flipping.failed.connect(self._on_failure)

    def _on_flipped(self, found: tuple[int, Flipped | None]) -> None:
        if found[0] == self.selected:
            self.flipped = found[1]
            self.flipped_changed.emit()

    def _forget_flipped(self) -> None:
        self._flipped_of = self.flipped = None
        self.flipped_changed.emit()

    def _on_counted(self) -> None:
        self._read_flipped()
        self._services.workspace.content_changed.emit()

    def _on_troubles(self, found: tuple[int, tuple[Trouble, ...]]) -> None:
        if found[0] == self.selected:
            self.troubles = found[1]
            self.troubles_changed.emit()

    def _on_asked(self) -> None:
        self._asking = None
        if self.state is not None and self.state.run.id == self.selected and not self.state.is_going:
            self._take(self.state)  # it ended while the question was under way

    def _on_worker_words(self, found: tuple[int, tuple[tuple[int, str], ...]]) -> None:
        if found[0] == self.selected and found[1] != self.worker_words:
            self.worker_words = found[1]
            self.worker_words_changed.emit()

    def _on_listened(self) -> None:
        self._listening = None

    def _on_begun(self, run_id: int | None) -> None:
        self._following.look()
        if run_id is None:  # it waits
            self.leave_new()
            return
        self.begun.emit()
        self.select(run_id)

    def _on_started(self) -> None:
        self._starting = None
        self.busy_changed.emit()
        self.state_changed.emit()

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self._following.look()
        self._complain(error)

    def _complain(self, error: EngineError | None) -> None:
        if error is not self.error:
            self.error = error
            self.trouble_changed.emit()

    def _choose_page(self) -> None:
        page: Page = "run" if self.runs or self.selected is not None else "empty"
        if self._services.workspace.current is None:
            page = "no_workspace"
        elif self._wants is not None:
            page = self._wants
        if page != self.page:
            self.page = page
            self.page_changed.emit()


def _begun(workspace: Workspace, request: Request, language: str) -> Generator[Progress, None, int]:
    return (yield from started(workspace, launch(workspace, request, language=language)))


def _queued(workspace: Workspace, request: Request, language: str) -> Generator[Progress, None, None]:
    enqueue(workspace, request, language)
    yield Progress(0, 0, "waiting")
    begin_next(workspace)  # what went on may have ended meanwhile


def _state_of(workspace: Workspace, run_id: int) -> RunState:
    return Follower(workspace, run_id).read()


def _words_of(workspace: Workspace, run_id: int) -> tuple[int, tuple[tuple[int, str], ...]]:
    return run_id, worker_words(workspace, run_id)


def _troubles_of(workspace: Workspace, run: RunRow) -> tuple[int, tuple[Trouble, ...]]:
    return run.id, tuple(troubles_of(workspace, run))
