"""Makes the rest of the Audit screen after its first rows: imported and built in steps between events."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, QTimer, Signal

from gui.actions import Actions
from gui.jobs import JobRunner
from gui.loading import import_steps, load_engine_of

if TYPE_CHECKING:
    from gui.audit.answer_parts import AnswerParts
    from gui.audit.detail.view_model import DetailViewModel

Steps = Generator[None, None, "AnswerParts"]
ROOM = "gui.audit.answer_parts"


class Completion(QObject):
    """Holds the parts once they are made.

    Signals:
        completed: all of them stand.
    """

    completed = Signal()

    def __init__(self, jobs: JobRunner, actions: Actions, build: Callable[[], Steps], parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._actions, self._build = jobs, actions, build
        self._wanted: list[str] = []
        self._steps: Steps | None = None
        self.parts: AnswerParts | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self._load)

    @property
    def is_due(self) -> bool:
        """Whether it has been told to begin and has not yet."""
        return self._soon.isActive()

    def begin_in(self, wait_ms: int) -> None:
        """Begin after so long, whatever was told before."""
        self._soon.start(wait_ms)

    def do_then(self, action: str) -> None:
        """Do an action as soon as the parts are there and the answer that is chosen can be seen; they come at once."""
        self._wanted.append(action)
        if self._soon.isActive():
            self._soon.start(0)

    def finish(self) -> AnswerParts:
        """The parts; what is not made yet is made now."""
        while self.parts is None:
            self._step()
        return self.parts

    def _load(self) -> None:
        job = self._jobs.call(load_engine_of, ROOM)
        job.succeeded.connect(self._go_on)
        job.failed.connect(_raise)

    def _go_on(self) -> None:
        if self.parts is None:
            self._step()
            QTimer.singleShot(0, self, self._go_on)

    def _step(self) -> None:
        self._steps = self._steps or self._all_steps()
        try:
            next(self._steps)
        except StopIteration as end:
            self.parts = cast("AnswerParts", end.value)
            self._soon.stop()
            self.completed.emit()
            self._wait_for_answer(self.parts.detail.model)

    def _wait_for_answer(self, answer: DetailViewModel) -> None:
        if not self._wanted:
            return
        if not answer.is_reading:
            self._do_wanted()
            return
        for settled in (answer.loaded, answer.cleared, answer.failed):
            settled.connect(self._do_wanted)

    def _do_wanted(self, *_: object) -> None:
        wanted, self._wanted = self._wanted, []
        for action in wanted:
            self._actions.run(action)

    def _all_steps(self) -> Steps:
        yield from import_steps(ROOM)
        return (yield from self._build())


def _raise(error: Exception) -> None:
    raise error
