"""Systems that transformers holds itself: speech in, text and speech out, in this process."""

from __future__ import annotations

from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Options, System


def make(declaration: SystemDeclaration, options: Options) -> System:
    """The system with its weights in memory.

    Raises EngineError ``local_models.*``, ``omni.*`` or ``speech.weights_*`` for what is missing, with what to do.
    """
    from engine.systems.omni.system import OmniSystem

    return OmniSystem(declaration, options)
