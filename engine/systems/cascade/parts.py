"""Makes the three parts that a cascade declares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

from engine.errors import EngineError
from engine.systems.cascade.hearing import SystemHearing, WhisperHearing
from engine.systems.cascade.part import Hearing, Speaking, Table, Writing
from engine.systems.cascade.voices.system import SystemVoice
from engine.systems.cascade.writing import LocalWriting, SystemWriting
from engine.systems.declaration import SystemDeclaration, declared_system
from engine.systems.values import Abilities, Options, System

#: The synthesisers that run in this process; each is imported when a cascade wants it.
VOICES: dict[str, tuple[str, str]] = {
    "kokoro": ("kokoro", "Kokoro"),
    "vits": ("vits", "Vits"),
    "speecht5": ("speecht5", "SpeechT5"),
    "csm": ("csm", "Csm"),
    "dia": ("dia", "Dia"),
}
_ELSEWHERE = ("system", "endpoint")
_PART_LIMIT_S = 300.0


def hearing(told: Mapping[str, Any], options: Options) -> Hearing:
    """The recogniser that a part's table declares."""
    kind, rest = _kind("recogniser", told, ("whisper", *_ELSEWHERE))
    if kind == "whisper":
        return WhisperHearing(Table("recogniser", rest), options)
    return SystemHearing(_elsewhere(kind, {"task": "transcription", **rest}, options), _PART_LIMIT_S)


def writing(told: Mapping[str, Any], options: Options) -> Writing:
    """The language model that a part's table declares."""
    kind, rest = _kind("language_model", told, ("transformers", "gguf", *_ELSEWHERE))
    if kind in ("transformers", "gguf"):
        return LocalWriting(Table("language_model", rest), options, kind == "gguf")
    return SystemWriting(_elsewhere(kind, rest, options))


def speaking(told: Mapping[str, Any], options: Options) -> Speaking | None:
    """The synthesiser that a part's table declares; None where a cascade answers in writing."""
    if not told:
        return None
    kind, rest = _kind("synthesiser", told, (*VOICES, *_ELSEWHERE))
    if kind in _ELSEWHERE:
        return SystemVoice(_elsewhere(kind, {"task": "speech", **rest}, options), _PART_LIMIT_S)
    module, name = VOICES[kind]
    voice: Speaking = getattr(import_module(f"engine.systems.cascade.voices.{module}"), name)(
        Table("synthesiser", rest), options
    )
    return voice


def _kind(part: str, told: Mapping[str, Any], known: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
    rest = dict(told)
    kind = str(rest.pop("kind", ""))
    if kind not in known:
        raise EngineError("cascade.unknown_part", part=part, kind=kind, known=list(known))
    return kind, rest


def _elsewhere(kind: str, rest: dict[str, Any], options: Options) -> System:
    """A declared system by its id, or an endpoint by the settings in the table."""
    from engine.systems.kinds import open_system

    if kind == "system":
        name = str(rest.pop("system", ""))
        rest.pop("task", None)
        return open_system(declared_system(name), replace(options, weights="", settings=rest))
    told = SystemDeclaration("part", 1, "endpoint", {}, Abilities(speech_out=False), settings=rest)
    return open_system(told, replace(options, weights="", settings={}))
