"""The repositories that a system or a recogniser stands on, and which of them are not here yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engine.models.cache import is_here
from engine.models.declaration import HUB_ID, WEIGHT_KEYS, ModelDeclaration, declared_model
from engine.speech.values import RecogniserSpec
from engine.systems.cascade.part import merged_parts
from engine.systems.declaration import SystemDeclaration, declared_system
from engine.systems.revision import revision_of
from engine.systems.values import Options

Named = tuple[str, str]  # a repository and its revision; "" is the newest


def needed_by(system: SystemDeclaration, options: Options) -> tuple[ModelDeclaration, ...]:
    """The repositories of a system that are not here, each at the revision it will be run with.

    Of a system that runs on another machine (an endpoint, an adapter with a ``command``) there are none.
    Raises EngineError ``systems.several_commits``.
    """
    return _not_here(_of_system(system, options))


def needed_by_recogniser(spec: RecogniserSpec) -> tuple[ModelDeclaration, ...]:
    """The repository of a recogniser, where it is named by one and that is not here."""
    return _not_here([(spec.weights, spec.revision or "")])


def _not_here(named: Iterable[Named]) -> tuple[ModelDeclaration, ...]:
    wanted = [(weights, revision) for weights, revision in dict.fromkeys(named) if _is_repository(weights)]
    return tuple(declared_model(weights, revision) for weights, revision in wanted if not is_here(weights, revision))


def _of_system(system: SystemDeclaration, options: Options) -> Iterator[Named]:
    if system.kind == "omni":
        declared = "" if options.weights else system.revision
        named = str(options.settings.get("revision") or declared)
        yield _own(system, options, options.weights or system.weights, named)
    elif system.kind == "cascade":
        for part in merged_parts(system, options).values():
            if part.get("kind") == "system":
                rest = {key: value for key, value in part.items() if key not in ("kind", "system")}
                own = replace(options, weights="", settings=rest)
                yield from _of_system(declared_system(str(part.get("system", ""))), own)
            else:
                yield from _of_table(part)
    elif system.kind == "adapter":
        settings = {**system.settings, **options.settings}
        if settings.get("command"):
            return
        weights = str(options.weights or settings.pop("weights", "") or system.weights)
        yield _own(system, options, weights, str(settings.get("revision") or system.revision))
        yield from _of_table({name: value for name, value in settings.items() if name != "weights"})


def _own(system: SystemDeclaration, options: Options, weights: str, revision: str) -> Named:
    return weights, revision_of(system.id, weights, revision, options.allow_remote_code)


def _of_table(table: Mapping[str, Any]) -> Iterator[Named]:
    for key in WEIGHT_KEYS:
        if table.get(key):
            beside = "revision" if key == "weights" else f"{key}_revision"
            yield str(table[key]), str(table.get(beside, ""))


def _is_repository(name: str) -> bool:
    return HUB_ID.fullmatch(name) is not None and not Path(name).expanduser().exists()
