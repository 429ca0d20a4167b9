"""What the states of two kinds of new runs share: reading what there is to choose from, and counting a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from gui.jobs import Job
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.workspace import Workspace

PLAN_AFTER_MS = 150


class Planning(QObject):
    """Holds choices and counts what they would take, by a job, whenever they change.

    Signals:
        choices_changed: there is something else to choose from, or something else is chosen.
        plan_changed: the plan, ``is_counting`` or the error is another.
    """

    choices_changed, plan_changed = Signal(), Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.is_empty = False  # it was looked, and there is nothing to work on
        self.benchmark: str | None = None
        self.subsets: frozenset[str] = frozenset()  # chosen, as benchmark/subset
        self._choosing: Job | None = None
        self._planning: Job | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PLAN_AFTER_MS)
        self._soon.timeout.connect(self._count)
        services.workspace.changed.connect(self._on_workspace)

    @property
    def is_counting(self) -> bool:
        """Whether the plan is not known yet."""
        return self._soon.isActive() or self._planning is not None or self._choosing is not None

    @property
    def all_subsets(self) -> dict[str, int]:
        """Each subset of the chosen benchmark, as ``benchmark/subset``, with how much there is of it."""
        raise NotImplementedError

    def read_choices(self) -> None:
        """Read what there is to choose from; everything is chosen at first."""
        workspace = self._services.workspace.current
        if self._choosing is not None:
            self._choosing.cancel()
            self._choosing = None
        if workspace is None:
            return
        self._choosing = job = self._look_up(workspace)
        job.succeeded.connect(self._on_choices)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_chosen_from)

    def choose(self, **choices: Any) -> None:
        """Choose otherwise: any of the public attributes by name."""
        for name, value in choices.items():
            setattr(self, name, value)
        if "benchmark" in choices:
            self.subsets = frozenset(self.all_subsets)
        self.choices_changed.emit()
        self.plan_soon()

    def plan_soon(self) -> None:
        """Count anew when no other change follows."""
        self._soon.start()
        self.plan_changed.emit()

    def _look_up(self, workspace: Workspace) -> Job:
        raise NotImplementedError

    def _count(self) -> None:
        raise NotImplementedError

    def _on_choices(self, found: Any) -> None:
        raise NotImplementedError

    def _on_plan(self, plan: Any) -> None:
        raise NotImplementedError

    def _on_failure(self, error: Exception) -> None:
        raise NotImplementedError

    def _on_workspace(self) -> None:
        raise NotImplementedError

    def _stop_counting(self) -> None:
        if self._planning is not None:
            self._planning.cancel()
            self._planning = None

    def _plan_by(self, job: Job) -> None:
        self._planning = job
        job.succeeded.connect(self._on_plan)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_counted)

    def _on_chosen_from(self) -> None:
        if self.sender() is self._choosing:
            self._choosing = None
            self.plan_changed.emit()

    def _on_counted(self) -> None:
        if self.sender() is self._planning:
            self._planning = None
            self.plan_changed.emit()
