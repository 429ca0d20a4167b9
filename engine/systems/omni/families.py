"""Which family a checkpoint is of, by the ``model_type`` of its configuration; each is imported when it is met."""

from __future__ import annotations

from importlib import import_module

from engine.errors import EngineError
from engine.systems.omni.family import Family

FAMILIES: dict[str, tuple[str, str]] = {
    "qwen2_audio": ("qwen_audio", "QwenAudio"),
    "qwen2_5_omni": ("qwen_omni", "Qwen25Omni"),
    "qwen3_omni_moe": ("qwen_omni", "Qwen3Omni"),
    "voxtral": ("voxtral", "Voxtral"),
    "phi4_multimodal": ("phi4", "Phi4"),
    "granite_speech": ("by_processor", "Granite"),
    "audioflamingo3": ("by_processor", "Flamingo"),
    "gemma3n": ("by_processor", "Gemma3n"),
    "moshi": ("moshi", "Moshi"),
}


def family_of(model_type: str) -> type[Family]:
    """The family's class. Raises EngineError ``omni.unknown_family`` naming those there are."""
    if model_type not in FAMILIES:
        raise EngineError("omni.unknown_family", family=model_type or "?", known=list(FAMILIES))
    module, name = FAMILIES[model_type]
    found: type[Family] = getattr(import_module(f"engine.systems.omni.{module}"), name)
    return found
