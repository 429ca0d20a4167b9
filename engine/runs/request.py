"""What a run is asked to do: steps, scope, and how each step is done; kept as JSON, so that it can be asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from engine.errors import EngineError
from engine.runs.judge_plan import JudgeOptions
from engine.runs.measure import MeasureOptions
from engine.speech.values import RecogniserSpec
from engine.store.plans import Scope
from engine.store.runs import RunRow

STEPS = ("measure", "judge", "score")


@dataclass(frozen=True, slots=True)
class WorkRequest:
    """Steps to be done one after another over a scope. Holds no key: those are found where the work is done.

    Raises EngineError ``runs.no_such_step`` for a step that is none of ``STEPS``.
    """

    steps: tuple[str, ...] = STEPS
    scope: Scope = field(default_factory=Scope)
    measuring: MeasureOptions = field(default_factory=MeasureOptions)
    judging: JudgeOptions = field(default_factory=JudgeOptions)

    def __post_init__(self) -> None:
        for step in self.steps:
            if step not in STEPS:
                raise EngineError("runs.no_such_step", step=step, known=list(STEPS))

    def told(self) -> dict[str, Any]:
        """The request as a run's settings keep it."""
        return {
            "steps": list(self.steps),
            "scope": self.scope.told(),
            "measuring": asdict(self.measuring),
            "judging": self.judging.told(),
        }

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> WorkRequest:
        """The request that ``told`` gave; what it does not name is as usual."""
        measuring = dict(told.get("measuring") or {})
        spec = RecogniserSpec(**measuring.pop("recogniser", {}))
        for name in ("command", "resources"):
            measuring[name] = tuple(tuple(e) if isinstance(e, list) else e for e in measuring.get(name, ()))
        return cls(
            tuple(told.get("steps", STEPS)),
            Scope.from_told(told.get("scope") or {}),
            MeasureOptions(spec, **measuring),
            JudgeOptions.from_told(told.get("judging") or {}),
        )


def request_of(run: RunRow) -> WorkRequest:
    """What asks for the same as ``run`` did, whatever verb began it; what it finished is not done again."""
    told = dict(run.settings)
    steps = [run.kind] if run.kind in STEPS else []
    request = WorkRequest.from_told(told if run.kind == "work" else {**told, "steps": steps})
    if request.scope.chosen is None:
        return request
    return replace(request, scope=replace(request.scope, chosen=replace(request.scope.chosen, kept_by=run.id)))
