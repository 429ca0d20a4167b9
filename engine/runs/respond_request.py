"""What a run of a system is asked to do; kept as JSON in its row, so that it can be asked again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.store.runs import RunRow
from engine.systems.declaration import SystemDeclaration, declared_system, from_told
from engine.systems.values import LONGEST_ANSWER_S, TIME_LIMIT_S, Options

KIND = "respond"


@dataclass(frozen=True, slots=True)
class RespondRequest:
    """A system, the instances it is asked, and how.

    Args:
        name: under which its answers are stored; "" is the declaration's id.
        where: a filter over instances, or over the answers that there are (engine/query/instances.py).
        sample: so many instances, drawn by ``seed``; ``limit`` takes the first so many.
        repeats: every instance is asked so often, each time with another seed.
        shard: (i, n): the i-th of n equal parts, counted from 1.
        again: ask anew where the last answer failed or was empty.
        commands: that start workers; () is ours on this machine.
        place: where the workers are, a key of engine.runs.pool.PLACES.
        address: of the Ray cluster; "" finds it. ``resources`` of each worker there: (name, amount).
    """

    system: SystemDeclaration
    options: Options = field(default_factory=Options)
    name: str = ""
    benchmark: str | None = None
    subsets: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    where: str = ""
    limit: int | None = None
    sample: int | None = None
    seed: int = 0
    repeats: int = 1
    shard: tuple[int, int] = (1, 1)
    again: bool = False
    workers: int = 1
    time_limit_s: float = TIME_LIMIT_S
    longest_answer_s: float = LONGEST_ANSWER_S
    load_limit_s: float = 3600.0
    commands: tuple[tuple[str, ...], ...] = ()
    place: str = "local"
    address: str = ""
    resources: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        part, parts = self.shard
        if not 1 <= part <= parts:
            raise EngineError("runs.no_such_shard", part=part, parts=parts)

    @property
    def stored_as(self) -> str:
        """The system's name in the store."""
        return self.name or self.system.id

    def told(self) -> dict[str, Any]:
        """The request as a run's settings keep it; ``scope`` is what screens show of it."""
        told = {name: getattr(self, name) for name in self.__dataclass_fields__}
        scope = {
            "systems": [self.stored_as],
            "benchmark": self.benchmark,
            "subsets": list(self.subsets),
            "limit": self.limit,
        }
        return {**told, "system": self.system.told(), "options": self.options.told(), "scope": scope}

    @classmethod
    def from_told(cls, told: Mapping[str, Any]) -> RespondRequest:
        """The request that ``told`` gave; what it does not name is as usual."""
        values = {name: told[name] for name in cls.__dataclass_fields__ if name in told}
        values["system"] = from_told(values["system"])
        values["options"] = Options.from_told(values.get("options") or {})
        for name in ("subsets", "categories", "shard"):
            if name in values:
                values[name] = tuple(values[name])
        for name in ("commands", "resources"):
            values[name] = tuple(tuple(entry) for entry in values.get(name, ()))
        return cls(**values)


def respond_request_of(run: RunRow, *, again: bool = False) -> RespondRequest:
    """What asks for the same as ``run`` did; ``again`` also for what failed. What is answered is not asked twice."""
    return replace(RespondRequest.from_told(run.settings), again=again)


def decisive(request: RespondRequest) -> dict[str, Any]:
    """What decides how a system answers: a change of it makes another answer; the device and the like do not."""
    system, options = asdict(request.system), request.options
    kept = ("id", "version", "kind", "weights", "revision", "parts", "settings")
    told = {name: system[name] for name in kept}
    own = {name: getattr(options, name) for name in ("dtype", "quantisation", "weights")}
    return {**told, "options": {**own, "settings": dict(options.settings)}}


def named_system(name: str, file: Path | None = None) -> SystemDeclaration:
    """The declared system; raises EngineError where there is none, or none that can be run."""
    system = declared_system(name, file)
    if system.kind == "recorded":
        raise EngineError("systems.recorded_only", system=system.id)
    return system
