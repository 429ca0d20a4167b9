"""The state of a run that is being put together: what there is to choose, what is chosen, what it would take."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from engine.endpoints.keys import is_local
from engine.errors import EngineError
from engine.judges.budget import Budget, Price
from engine.judges.endpoint import Endpoint
from engine.query.fields import Method
from engine.query.selection import Selection
from engine.runs.judge_plan import JudgeOptions
from engine.runs.measure import MeasureOptions
from engine.runs.plan import WorkPlan, plan_work
from engine.runs.request import WorkRequest
from engine.runs.scope import looked_up
from engine.speech.values import PACKAGED, RecogniserSpec
from engine.store.plans import Chosen, Scope, scope_sizes
from gui.jobs import Job
from gui.run.planning import Planning
from gui.services import Services

if TYPE_CHECKING:
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class JudgeChoice:
    """An endpoint of the settings; ``endpoint`` None stands for none."""

    name: str
    endpoint: Endpoint | None = None
    price: Price | None = None

    @property
    def is_local(self) -> bool:
        """Whether it runs on this machine or in this network."""
        return self.endpoint is not None and is_local(self.endpoint.base_url)


class NewRun(Planning):
    """Holds the choices and counts what they would take, by a job, whenever they change.

    Signals:
        choices_changed: there are other systems, subsets, recognisers or judges to choose from.
        plan_changed: ``plan``, ``is_counting`` or ``error`` is another.
    """

    def __init__(self, services: Services, parent: QObject | None = None) -> None:
        super().__init__(services, parent)
        self.sizes: tuple[tuple[str, str, str, int], ...] = ()
        self.systems: frozenset[str] = frozenset()  # chosen
        self.recognise = self.measure = self.judge = self.score = True
        self.chosen: Chosen | None = None  # in Audit: only these answers
        self.beam_size = RecogniserSpec().beam_size
        self.rubric: str | None = None  # the rubric's language; None asks in the answer's own
        self.repeats = 1
        self.recogniser = 0
        self.judge_choice = 0
        self.budget: float | None = None
        self.plan: WorkPlan | None = None
        self.error: EngineError | None = None
        services.settings.changed.connect(self._on_setting)

    @property
    def recognisers(self) -> tuple[RecogniserSpec, ...]:
        """The recogniser of the settings, and the packaged one where that is another."""
        told = self._services.settings.get("recogniser")
        known = {name: told[name] for name in ("backend", "weights", "revision", "compute_type") if name in told}
        chosen = RecogniserSpec(**known, device=self._services.settings.get("device"), word_times=True)
        packaged = RecogniserSpec(word_times=True, device=self._services.settings.get("device"))
        return (chosen,) if chosen.weights == PACKAGED else (chosen, packaged)

    @property
    def judges(self) -> tuple[JudgeChoice, ...]:
        """No judge, and those of the settings."""
        found = (_judge(told) for told in self._services.settings.get("endpoints"))
        return (JudgeChoice(""), *(choice for choice in found if choice is not None))

    @property
    def chosen_judge(self) -> JudgeChoice:
        """Who is asked."""
        judges = self.judges
        return judges[self.judge_choice if self.judge_choice < len(judges) else 0]

    @property
    def all_systems(self) -> dict[str, int]:
        """Each system and how many answers it has in the chosen benchmark."""
        found: Counter[str] = Counter()
        for system, benchmark, _, size in self.sizes:
            found[system] += size if self.benchmark in (None, benchmark) else 0
        return dict(found)

    @property
    def all_benchmarks(self) -> list[str]:
        """The benchmarks that were answered."""
        return sorted({benchmark for _, benchmark, _, _ in self.sizes})

    @property
    def all_subsets(self) -> dict[str, int]:
        """Each subset of the chosen benchmark, as ``benchmark/subset``, with the answers of the chosen systems."""
        found: Counter[str] = Counter()
        for system, benchmark, subset, size in self.sizes:
            if self.benchmark in (None, benchmark):
                found[f"{benchmark}/{subset}"] += size if system in self.systems else 0
        return dict(found)

    @property
    def request(self) -> WorkRequest | None:
        """What is chosen as the engine takes it; None while nothing is."""
        steps = tuple(
            step
            for step, wanted in (
                ("measure", self.recognise or self.measure), ("judge", self.judge), ("score", self.score),
            )
            if wanted
        )  # fmt: skip
        subsets = {name for name in self.subsets if name in self.all_subsets}
        if not steps or not self.systems or not subsets:
            return None
        every_system = self.systems >= self.all_systems.keys()
        every_subset = subsets >= self.all_subsets.keys()
        scope = Scope(
            () if every_system else tuple(sorted(self.systems)),
            self.benchmark,
            () if every_subset else tuple(sorted(name.rpartition("/")[2] for name in subsets)),
            chosen=self.chosen,
        )
        specs = self.recognisers
        spec = replace(specs[min(self.recogniser, len(specs) - 1)], beam_size=self.beam_size)
        judge = self.chosen_judge
        budget = Budget(self.budget) if self.budget is not None and judge.price is not None else None
        return WorkRequest(
            steps,
            scope,
            MeasureOptions(spec, recognise=self.recognise, quality=self.measure),
            JudgeOptions(
                judge.endpoint,
                language=self.rubric,
                repeats=tuple(range(self.repeats)),
                budget=budget,
                price=judge.price,
            ),
        )

    @property
    def has_work(self) -> bool:
        """Whether what is chosen would do anything, as far as that is known; figures alone can always be made anew."""
        request = self.request
        if request is None:
            return False
        return self.plan is None or bool(self.plan.items) or request.steps == ("score",)

    def _look_up(self, workspace: Workspace) -> Job:
        return self._services.jobs.call(_sizes, workspace, self.chosen)

    def take(self, selection: Selection) -> None:
        """Put together a run about what was selected in Audit, by all steps or those its purpose needs."""
        method: Method = "published" if self._services.settings.get("audit_method") == "published" else "corrected"
        is_all = not selection.query and not selection.ids
        chosen = None if is_all else Chosen(selection.query, method, selection.ids or None)
        wants_judge, wants_measure = selection.purpose != "measure", selection.purpose != "judge"
        self.systems, self.subsets = frozenset(self.all_systems), frozenset(self.all_subsets)
        self.benchmark = None
        self.choose(chosen=chosen, recognise=wants_measure, measure=wants_measure, judge=wants_judge)
        self.read_choices()

    def leave_chosen(self) -> None:
        """Work on all answers of the systems and subsets again, by the usual settings."""
        self.beam_size, self.rubric, self.repeats = RecogniserSpec().beam_size, None, 1
        self.choose(chosen=None)
        self.read_choices()

    def _count(self) -> None:
        workspace, request = self._services.workspace.current, self.request
        self._stop_counting()
        self.error = None
        if workspace is None or request is None:
            self.plan = None
            self.plan_changed.emit()
            return
        self._plan_by(self._services.jobs.call(plan_work, workspace, request))

    def _on_choices(self, sizes: tuple[tuple[str, str, str, int], ...]) -> None:
        is_new = sizes != self.sizes
        self.sizes, self.is_empty = sizes, not sizes and self.chosen is None
        if is_new:
            self.systems = frozenset(self.all_systems)
            self.subsets = frozenset(self.all_subsets)
        self.choices_changed.emit()
        self.plan_soon()

    def _on_plan(self, plan: WorkPlan) -> None:
        if self.sender() is self._planning:
            self.plan = plan

    def _on_failure(self, error: Exception) -> None:
        if not isinstance(error, EngineError):
            raise error
        self.plan, self.error = None, error
        self.plan_changed.emit()

    def _on_workspace(self) -> None:
        """What was chosen from another workspace means nothing here."""
        self.sizes, self.is_empty, self.benchmark, self.plan, self.error = (), False, None, None, None
        self.systems = self.subsets = frozenset()
        self.chosen = None
        self.choices_changed.emit()
        self.read_choices()

    def _on_setting(self, name: str) -> None:
        if name in ("endpoints", "recogniser", "device"):
            self.choices_changed.emit()
            self.plan_soon()


def _sizes(workspace: Workspace, chosen: Chosen | None) -> tuple[tuple[str, str, str, int], ...]:
    with closing(workspace.connect()) as db:
        return tuple(scope_sizes(db, looked_up(db, Scope(chosen=chosen), workspace.runs)))


def _judge(told: dict[str, Any]) -> JudgeChoice | None:
    """An endpoint of the settings; None for one whose address is none."""
    try:
        endpoint = Endpoint(
            told["base_url"], told["model"], told.get("key_env", ""), concurrency=int(told.get("concurrency") or 32)
        )
    except (EngineError, KeyError, ValueError):
        return None
    price_in, price_out = told.get("price_in"), told.get("price_out")
    price = Price(float(price_in), float(price_out)) if price_in is not None and price_out is not None else None
    return JudgeChoice(str(told.get("name") or told["model"]), endpoint, price)
