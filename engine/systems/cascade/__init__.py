"""Cascades: a recogniser, a language model and a synthesiser, one sentence after another."""

from __future__ import annotations

from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Options, System


def make(declaration: SystemDeclaration, options: Options) -> System:
    """The system with all its parts loaded.

    Raises EngineError ``cascade.*``, and what a part raises where a package, weights, a process or an address lacks.
    """
    from engine.systems.cascade.system import CascadeSystem

    return CascadeSystem(declaration, options)
