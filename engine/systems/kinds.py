"""The kinds of systems, each with the function that makes one; a kind is imported when it is first wanted."""

from __future__ import annotations

from collections.abc import Callable

from engine.errors import EngineError
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Options, System

MakeSystem = Callable[[SystemDeclaration, Options], System]


def open_system(declaration: SystemDeclaration, options: Options) -> System:
    """The system, loaded and ready to be asked.

    Raises EngineError ``systems.recorded_only`` for one whose code nobody can run, and what its kind raises where a
    package, weights, a process or an address is missing.
    """
    if declaration.kind not in KINDS:
        raise EngineError("systems.recorded_only", system=declaration.id)
    return KINDS[declaration.kind](declaration, options)


def _omni(declaration: SystemDeclaration, options: Options) -> System:
    from engine.systems.omni import make  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return make(declaration, options)  # type: ignore[no-any-return, unused-ignore]


def _cascade(declaration: SystemDeclaration, options: Options) -> System:
    from engine.systems.cascade import make  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return make(declaration, options)  # type: ignore[no-any-return, unused-ignore]


def _endpoint(declaration: SystemDeclaration, options: Options) -> System:
    from engine.systems.endpoint import make  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return make(declaration, options)  # type: ignore[no-any-return, unused-ignore]


def _adapter(declaration: SystemDeclaration, options: Options) -> System:
    from engine.systems.adapter import make  # type: ignore[import-not-found, import-untyped, unused-ignore]

    return make(declaration, options)  # type: ignore[no-any-return, unused-ignore]


def _null(declaration: SystemDeclaration, options: Options) -> System:
    from engine.systems.trial import NullSystem

    return NullSystem(declaration, options)


def _sleeping(declaration: SystemDeclaration, options: Options) -> System:
    from engine.systems.trial import SleepingSystem

    return SleepingSystem(declaration, options)


KINDS: dict[str, MakeSystem] = {
    "omni": _omni,
    "cascade": _cascade,
    "endpoint": _endpoint,
    "adapter": _adapter,
    "null": _null,
    "sleeping": _sleeping,
}
