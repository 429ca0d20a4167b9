"""The state of a run that asks a system: which systems there are, what is asked of which, how; what it would take."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from engine.errors import EngineError
from engine.runs.pool import check_place
from engine.runs.respond_plan import RespondPlan, plan_respond
from engine.runs.respond_request import RespondRequest
from engine.systems.declaration import SystemDeclaration, load_systems
from engine.systems.values import Options
from gui.jobs import Job
from gui.run.planning import Planning
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.overview import SubsetPart
    from engine.store.workspace import Workspace

PLACES = ("local", "ray", "command")


@dataclass(frozen=True, slots=True)
class Counted:
    """What the choices would take; ``lacks`` is what the system needs that is not here."""

    plan: RespondPlan | None
    lacks: tuple[EngineError, ...]
    error: EngineError | None


class AskRun(Planning):
    """Holds the choices and counts what they would take, by a job, whenever they change.

    Signals:
        choices_changed: there are other systems or subsets to choose from, or other ones are chosen.
        plan_changed: ``counted`` or ``is_counting`` is another.
    """

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(services, parent)
        self.all_systems: tuple[SystemDeclaration, ...] = ()
        self.parts: tuple[SubsetPart, ...] = ()
        self.system = ""  # the id of the chosen one
        self.limit: int | None = None
        self.repeats = 1
        self.workers = 1
        self.place = "local"
        self.command = ""
        self.weights = ""
        self.settings = ""
        self.counted = Counted(None, (), None)

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

    def _look_up(self, workspace: Workspace) -> Job:
        return self._services.jobs.call(_choices, workspace)

    def _count(self) -> None:
        workspace, request = self._services.workspace.current, self.request
        self._stop_counting()
        if workspace is None or request is None:
            self.counted = Counted(None, (), None)
            self.plan_changed.emit()
            return
        self._plan_by(self._services.jobs.call(_counted, workspace, request))

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

    def _on_plan(self, counted: Counted) -> None:
        if self.sender() is self._planning:
            self.counted = counted

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.counted = Counted(None, (), error)
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
