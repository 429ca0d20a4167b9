"""Systems in environments of their own: one worker file that stands alone, and a short file for each system."""

from __future__ import annotations

from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Options, System


def make(declaration: SystemDeclaration, options: Options) -> System:
    """The system, started and loaded.

    Raises EngineError ``adapters.*`` where a setting, a file or a consent is missing, or where it does not load.
    """
    from engine.systems.adapter.settings import read_settings
    from engine.systems.adapter.system import AdapterSystem

    return AdapterSystem(declaration, read_settings(declaration, options), options)
