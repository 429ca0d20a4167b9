"""Systems as declared in resources/systems/*.toml and in the user's own folder; an error names file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from engine.config_folder import config_folder
from engine.errors import EngineError, unknown
from engine.shipped import shipped
from engine.strings import LANGUAGES
from engine.systems.values import Abilities

KINDS = ("omni", "cascade", "endpoint", "adapter", "recorded", "null", "sleeping")
TRIAL_KINDS = ("null", "sleeping")  # they answer without a model: to try a benchmark, a machine, a run
NEVER_RUN = "never run"


@dataclass(frozen=True, slots=True)
class Verified:
    """What was really run: when, on which device, and what of it."""

    date: str
    device: str
    what: str


@dataclass(frozen=True, slots=True)
class SystemDeclaration:
    """A system as declared; what is not known is "" or None, never a guess.

    Args:
        base_model: what it grew from, e.g. ``"Qwen2.5-7B"``; ``size`` e.g. ``"7B"``.
        modality: what comes out, ``"speech"`` or ``"text"``.
        memory_gb: of the device; ``memory_source`` says "stated", "estimated" or "measured".
        weights: a repository of the hub or a folder; ``revision`` pins it.
        papers: the names it bears in papers, by the paper's id: ``{"vocalbench_zh": "Qwen2.5-Omni"}``.
        parts: of a cascade: ``recogniser``, ``language_model``, ``synthesiser``, each a table of its own.
        settings: what its kind needs to know.
        verified: None says that nobody has run it here.
    """

    id: str
    version: int
    kind: str
    title: Mapping[str, str]
    abilities: Abilities = field(default_factory=Abilities)
    base_model: str = ""
    size: str = ""
    modality: str = "speech"
    licence: str = ""
    memory_gb: float | None = None
    memory_source: str = ""
    weights: str = ""
    revision: str = ""
    papers: Mapping[str, str] = field(default_factory=dict)
    note: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    verified: Verified | None = None
    file: Path | None = None

    def told(self) -> dict[str, Any]:
        """The declaration as JSON holds it, as ``from_told`` takes it."""
        return {**asdict(self), "file": None if self.file is None else str(self.file)}

    @property
    def is_trial(self) -> bool:
        """Whether it answers without a model."""
        return self.kind in TRIAL_KINDS


def load_systems() -> dict[str, SystemDeclaration]:
    """Every declared system by id: the shipped ones, and the user's, which win over shipped ones of the same id.

    Raises EngineError ``systems.*`` naming the file and the key that is wrong.
    """
    own = user_folder()
    mine = map(read_system, sorted(own.glob("*.toml"))) if own.is_dir() else ()
    return {system.id: system for system in (*_shipped_systems(), *mine)}


def declared_system(name: str, file: Path | None = None) -> SystemDeclaration:
    """The system of that id (hyphens are taken as underscores), or the one that ``file`` declares.

    Raises EngineError ``systems.unknown`` naming those there are.
    """
    if file is not None:
        return read_system(file)
    systems = load_systems()
    wanted = next((known for known in (name, name.replace("-", "_")) if known in systems), None)
    if wanted is None:
        raise unknown("systems.unknown", name, sorted(systems), system=name)
    return systems[wanted]


def from_told(told: Mapping[str, Any]) -> SystemDeclaration:
    """The declaration that ``told`` gave; what a later version says beside it is passed over."""
    values = {name: told[name] for name in SystemDeclaration.__dataclass_fields__ if name in told}
    can = dict(values.get("abilities") or {})
    values["abilities"] = Abilities(**{**can, "languages": tuple(can.get("languages", ()))})
    values["verified"] = Verified(**values["verified"]) if values.get("verified") else None
    values["file"] = Path(values["file"]) if values.get("file") else None
    return SystemDeclaration(**values)


def user_folder() -> Path:
    """Where a user's own declarations lie."""
    return config_folder() / "systems"


@cache
def _shipped_systems() -> tuple[SystemDeclaration, ...]:
    return tuple(map(read_system, sorted(shipped("systems").glob("*.toml"))))


def read_system(path: Path) -> SystemDeclaration:
    """The system declared in ``path``; raises EngineError ``systems.key_missing``, ``key_unknown``, ``key_value``."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EngineError("systems.file_unreadable", file=str(path), what=error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EngineError("systems.file_unreadable", file=str(path), what=str(error)) from error
    system = _system(path, dict(told))
    if system.id != path.stem:
        raise EngineError("systems.key_value", file=str(path), key="id", value=system.id, wanted=path.stem)
    return system


_TEXTS = ("base_model", "size", "modality", "licence", "memory_source", "weights", "revision")
_BY_LANGUAGE = ("title", "note")
_TABLES = ("papers", "parts", "settings")
_MODALITIES = ("speech", "text")
_CLAIMS = ("speech_out", "streaming", "text_history", "audio_history", "several_audios", "text_instruction")
_ABILITIES: Mapping[str, type | tuple[type, ...]] = {
    **dict.fromkeys(_CLAIMS, bool),
    "languages": list,
    "longest_audio_s": (int, float),
}


def _system(path: Path, told: dict[str, Any]) -> SystemDeclaration:
    def take(key: str, kind: type | tuple[type, ...], usual: Any = None) -> Any:
        if key not in told and usual is None:
            raise EngineError("systems.key_missing", file=str(path), key=key)
        value = told.pop(key, usual)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is int):
            raise _wrong(path, key, value, getattr(kind, "__name__", "number"))
        return value

    kind = take("kind", str)
    if kind not in KINDS:
        raise _wrong(path, "kind", kind, ", ".join(KINDS))
    values: dict[str, Any] = {"id": take("id", str), "version": take("version", int), "kind": kind, "file": path}
    values |= {key: take(key, str, "speech" if key == "modality" else "") for key in _TEXTS}
    values |= {key: take(key, dict, None if key == "title" else {}) for key in _BY_LANGUAGE}
    values |= {key: take(key, dict, {}) for key in _TABLES}
    values["memory_gb"] = take("memory_gb", (int, float)) if "memory_gb" in told else None
    values["verified"] = _verified(path, told.pop("verified", NEVER_RUN))
    values["abilities"] = _abilities(path, take("abilities", dict, {}))
    if told:
        raise EngineError("systems.key_unknown", file=str(path), key=next(iter(told)))
    for key in _BY_LANGUAGE:
        if values[key] and set(values[key]) != set(LANGUAGES):
            raise _wrong(path, key, ", ".join(values[key]), ", ".join(LANGUAGES))
    if values["modality"] not in _MODALITIES:
        raise _wrong(path, "modality", values["modality"], ", ".join(_MODALITIES))
    return SystemDeclaration(**values)


def _abilities(path: Path, told: Mapping[str, Any]) -> Abilities:
    for key, value in told.items():
        if key not in _ABILITIES:
            raise EngineError("systems.key_unknown", file=str(path), key=f"abilities.{key}")
        if not isinstance(value, _ABILITIES[key]):
            raise _wrong(path, f"abilities.{key}", value, getattr(_ABILITIES[key], "__name__", "number"))
    return Abilities(**{**told, "languages": tuple(told.get("languages", ()))})


def _verified(path: Path, told: Any) -> Verified | None:
    if told == NEVER_RUN:
        return None
    if not isinstance(told, dict) or set(told) != {"date", "device", "what"}:
        raise _wrong(path, "verified", told, f'"{NEVER_RUN}", {{ date, device, what }}')
    return Verified(**{key: str(value) for key, value in told.items()})


def _wrong(path: Path, key: str, value: Any, wanted: str) -> EngineError:
    return EngineError("systems.key_value", file=str(path), key=key, value=str(value), wanted=wanted)
