"""The state of a run that asks a system: which systems there are, what is asked of which, how; what it would take."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from engine.errors import EngineError
from engine.runs.pool import check_place
from engine.runs.respond_plan import RespondPlan, plan_respond
from engine.runs.respond_request import RespondRequest
from engine.systems.declaration import SystemDeclaration, load_systems
from engine.systems.values import Options
from gui.jobs import Job
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.overview import SubsetPart
    from engine.store.workspace import Workspace

PLAN_AFTER_MS = 150
PLACES = ("local", "ray", "command")


@dataclass(frozen=True, slots=True)
class Counted:
    """What the choices would take; ``lacks`` is what the system needs that is not here."""

    plan: RespondPlan | None
    lacks: tuple[EngineError, ...]
    error: EngineError | None


class AskRun(QObject):
    """Holds the choices and counts what they would take, by a job, whenever they change.

    Signals:
        choices_changed: there are other systems or subsets to choose from, or other ones are chosen.
        plan_changed: ``counted`` or ``is_counting`` is another.
    """

    choices_changed, plan_changed = Signal(), Signal()

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.all_systems: tuple[SystemDeclaration, ...] = ()
        self.parts: tuple[SubsetPart, ...] = ()
        self.is_empty = False  # it was looked, and there is no instance
        self.system = ""  # the id of the chosen one
        self.benchmark: str | None = None
        self.subsets: frozenset[str] = frozenset()  # chosen, as benchmark/subset
        self.limit: int | None = None
        self.repeats = 1
        self.workers = 1
        self.place = "local"
        self.command = ""
        self.weights = ""
        self.settings = ""
        self.counted = Counted(None, (), None)
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
    def chosen(self) -> SystemDeclaration | None:
        """The system that is to be asked."""
        return next((system for system in self.all_systems if system.id == self.system), None)

    @property
    def all_benchmarks(self) -> list[str]:
        """The benchmarks of the workspace."""
        return list(dict.fromkeys(part.benchmark for part in self.parts))

    @property
    def all_subsets(self) -> dict[str, int]:
        """Each subset of the chosen benchmark, as ``benchmark/subset``, with its instances that can be asked."""
        parts = [part for part in self.parts if self.benchmark in (None, part.benchmark)]
        return {f"{part.benchmark}/{part.subset}": part.instances for part in parts}

    @property
    def own_settings(self) -> dict[str, Any] | None:
        """``key=value`` pairs with blanks between them, as the system takes them; None where they are no such."""
        try:
            words = shlex.split(self.settings)
        except ValueError:
            return None
        pairs = [word.partition("=") for word in words]
        if not all(name and equals for name, equals, _ in pairs):
            return None
        return {name: _value(value) for name, _, value in pairs}

    @property
    def request(self) -> RespondRequest | None:
        """What is chosen as the engine takes it; None while it is not enough."""
        system, own = self.chosen, self.own_settings
        subsets = {name for name in self.subsets if name in self.all_subsets}
        command = tuple(shlex.split(self.command)) if self.place == "command" and _is_command(self.command) else ()
        if system is None or own is None or not subsets or (self.place == "command" and not command):
            return None
        every = subsets >= self.all_subsets.keys()
        device = str(self._services.settings.get("device"))
        return RespondRequest(
            system,
            Options(device=device, weights=self.weights.strip(), settings=own),
            benchmark=self.benchmark,
            subsets=() if every else tuple(sorted(name.rpartition("/")[2] for name in subsets)),
            limit=self.limit,
            repeats=self.repeats,
            workers=self.workers,
            commands=(command,) if command else (),
            place="ray" if self.place == "ray" else "local",
        )

    def read_choices(self) -> None:
        """Read what there is to choose from; every subset is chosen at first."""
        workspace = self._services.workspace.current
        if self._choosing is not None:
            self._choosing.cancel()
            self._choosing = None
        if workspace is None:
            return
        self._choosing = self._services.jobs.call(_choices, workspace)
        self._choosing.succeeded.connect(self._on_choices)
        self._choosing.failed.connect(self._on_failure)
        self._choosing.finished.connect(self._on_chosen_from)

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

    def _count(self) -> None:
        workspace, request = self._services.workspace.current, self.request
        if self._planning is not None:
            self._planning.cancel()
            self._planning = None
        if workspace is None or request is None:
            self.counted = Counted(None, (), None)
            self.plan_changed.emit()
            return
        self._planning = job = self._services.jobs.call(_counted, workspace, request)
        job.succeeded.connect(self._on_plan)
        job.failed.connect(self._on_failure)
        job.finished.connect(self._on_counted)

    def _on_choices(self, found: tuple[tuple[SystemDeclaration, ...], tuple[SubsetPart, ...]]) -> None:
        is_new = [(p.benchmark, p.subset) for p in found[1]] != [(p.benchmark, p.subset) for p in self.parts]
        self.all_systems, self.parts = found
        self.is_empty = not self.parts
        if self.chosen is None and self.all_systems:
            self.system = self.all_systems[0].id
        if is_new:
            self.benchmark = None
            self.subsets = frozenset(self.all_subsets)
        self.choices_changed.emit()
        self.plan_soon()

    def _on_chosen_from(self) -> None:
        if self.sender() is self._choosing:
            self._choosing = None
            self.plan_changed.emit()

    def _on_plan(self, counted: Counted) -> None:
        if self.sender() is self._planning:
            self.counted = counted

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.counted = Counted(None, (), error)
        self.plan_changed.emit()

    def _on_counted(self) -> None:
        if self.sender() is self._planning:
            self._planning = None
            self.plan_changed.emit()

    def _on_workspace(self) -> None:
        """What was chosen from another workspace means nothing here."""
        self.parts, self.is_empty, self.benchmark = (), False, None
        self.subsets, self.counted = frozenset(), Counted(None, (), None)
        self.choices_changed.emit()
        self.read_choices()


def _choices(workspace: Workspace) -> tuple[tuple[SystemDeclaration, ...], tuple[SubsetPart, ...]]:
    from engine.store.overview import overview

    systems = [system for system in load_systems().values() if system.kind != "recorded"]
    systems.sort(key=lambda system: (system.is_trial, system.verified is None, system.id))  # what was run comes first
    with closing(workspace.connect()) as db:
        return tuple(systems), overview(db).subsets


def _counted(workspace: Workspace, request: RespondRequest) -> Counted:
    from engine.machine.readiness import lacks
    from engine.models.declaration import load_models

    own = request.options.weights
    is_elsewhere = bool(request.commands) or request.place != "local"  # what lacks here may be there
    missing = () if own or is_elsewhere else lacks(request.system, load_models())
    try:
        check_place(request.place)
        return Counted(plan_respond(workspace, request), missing, None)
    except EngineError as error:
        return Counted(None, missing, error)


def _value(written: str) -> Any:
    try:
        return json.loads(written)
    except ValueError:
        return written


def _is_command(written: str) -> bool:
    try:
        return bool(shlex.split(written))
    except ValueError:
        return False
