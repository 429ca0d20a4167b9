"""Everything about this computer in one pass: itself, packages, endpoints, weights, and each system."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from engine.endpoints.keys import key_names, key_source
from engine.errors import EngineError
from engine.installing import install_auricle, install_extra
from engine.machine.check import check_machine, known_floors
from engine.machine.computer import Gpu, chinese_family, computer, gpu_check, gpus
from engine.machine.findings import GROUPS, Finding, of_check, worded
from engine.machine.packages import all_packages, installed_version
from engine.machine.readiness import lacks
from engine.machine.values import Asked, Check, JudgeAsked, State
from engine.machine.window_settings import WindowSettings, window_settings
from engine.models.cache import free_bytes, hub_cache, kept_of
from engine.models.declaration import ModelDeclaration, load_models
from engine.progress import Progress
from engine.speech.values import RecogniserSpec
from engine.store.workspace import open_workspace
from engine.strings import LANGUAGES, text
from engine.systems.declaration import NEVER_RUN, SystemDeclaration, declared_system, load_systems

#: What the window says of an endpoint, by where its key is.
_KEYS = {
    "environment": "judge_environment",
    "keyring": "judge_keyring",
    "not_needed": "judge_local",
    "missing": "judge_no_key",
}


def examine(folder: Path, systems: Sequence[str] = ()) -> Generator[Progress, None, tuple[Finding, ...]]:
    """All findings in order; ``folder`` is the workspace's. What the named ``systems`` lack counts, that of others not.

    Raises EngineError for a system that is not declared and a declaration that cannot be read.
    """
    wanted = [declared_system(name) for name in systems]
    settings, found_gpus = window_settings(), gpus()
    steps: tuple[Callable[[], Iterable[Finding]], ...] = (
        lambda: _computer(folder, settings, found_gpus),
        _packages,
        _weights,
        lambda: _endpoints(settings),
        lambda: _systems(wanted or list(load_systems().values()), found_gpus, counts=bool(wanted)),
    )
    found: list[Finding] = []
    for done, step in enumerate(steps, start=1):
        found += step()
        yield Progress(done, len(steps))
    return tuple(sorted(found, key=lambda finding: GROUPS.index(finding.group)))


def _computer(folder: Path, settings: WindowSettings, found_gpus: tuple[Gpu, ...]) -> list[Finding]:
    floors = _floors(folder, settings.recogniser)
    asked = Asked(folder, settings.recogniser, settings.endpoints, floors, chinese_family(), list_devices=True)
    work = check_machine(asked)
    while True:
        try:
            next(work)
        except StopIteration as end:
            checks: tuple[Check, ...] = end.value
            break
    has_window = any(check.id == "display" and check.state == "ready" for check in checks)
    own = gpu_check(found_gpus, installed_version("torch"))
    kept = [own if own is not None and check.id == "gpu" else check for check in checks if check.id != "judge"]
    return [of_check(check, has_window=has_window) for check in (computer(), *kept)]


def _floors(folder: Path, spec: RecogniserSpec) -> Mapping[str, float]:
    """What the workspace there knows of the recogniser; nothing where there is none, or none that can be read."""
    try:
        workspace = open_workspace(folder, only_reading=True)
        with closing(workspace.connect()) as db:
            return known_floors(db, spec)
    except EngineError:
        return {}


def _packages() -> list[Finding]:
    groups = all_packages()
    if not groups:
        return [worded("packages", "auricle", "missing", "own", "not_installed", "own", {"command": install_auricle()})]
    found = []
    for one in groups:
        title = "extra" if one.extra else "own"
        listed = [f"{name} {version}" for name, version in one.here.items()]
        command = install_extra(one.extra) if one.extra else install_auricle()
        values = {"extra": one.extra, "packages": listed, "lacking": list(one.lacking), "command": command}
        says = "packages_lack" if one.lacking else "packages"
        helps = "own" if one.lacking else ""
        state: State = "missing" if one.lacking else "ready"
        finding = worded("packages", one.extra or "auricle", state, title, says, helps, values)
        found.append(finding.counted(bool(one.lacking) and not one.extra))
    return found


def _endpoints(settings: WindowSettings) -> list[Finding]:
    if settings.trouble:
        values = {"path": str(settings.path), "why": settings.trouble}
        return [worded("endpoints", "settings", "warning", "settings", "settings_broken", "", values).counted(True)]
    if not settings.endpoints:
        return [of_check(Check("judge", "missing", "judge_none", {}, "judge"))]
    return [_endpoint(place, one) for place, one in enumerate(settings.endpoints, start=1)]


def _endpoint(place: int, asked: JudgeAsked) -> Finding:
    host = urlsplit(asked.base_url).hostname or "?"  # the host alone: an address may hold a password
    source = key_source(asked.base_url, asked.key_env)
    names = list(key_names(asked.base_url, asked.key_env))
    values = {"model": asked.model, "host": host, "name": source.name, "names": names}
    missing = source.kind == "missing"
    says, helps = _KEYS[source.kind], "judge_key" if missing else ""
    check = Check("judge", "warning" if missing else "ready", says, values, helps)
    return of_check(check, name=f"endpoint_{place}").counted(missing)


def _weights() -> list[Finding]:
    cache = hub_cache()
    values = {"cache": str(cache), "free": free_bytes(cache) / 1e9}
    found = [worded("weights", "cache", "ready", "cache", "cache", "", values)]
    for model in load_models().values():
        if not model.repository:
            continue
        kept = kept_of(model.repository)
        told = {"model": model.id, "repository": model.repository, "size": kept.size / 1e9}
        if kept.unfinished:
            told["came"] = kept.unfinished / 1e9
            found.append(worded("weights", model.id, "warning", "model", "unfinished", "unfinished", told))
        elif kept.commits:
            found.append(worded("weights", model.id, "ready", "model", "model", "", told))
    return found


def _systems(systems: Sequence[SystemDeclaration], found_gpus: tuple[Gpu, ...], *, counts: bool) -> Iterator[Finding]:
    models = load_models()
    for system in systems:
        yield _system(system, models, found_gpus, counts=counts)


def _system(
    system: SystemDeclaration, models: Mapping[str, ModelDeclaration], found_gpus: tuple[Gpu, ...], *, counts: bool
) -> Finding:
    problems = lacks(system, models, found_gpus)
    verified: Any = asdict(system.verified) if system.verified else NEVER_RUN
    address = str(system.settings.get("base_url", ""))
    values = {"kind": system.kind, "host": urlsplit(address).hostname or address}
    told = worded("systems", system.id, "missing" if problems else "ready", "", "", "", {})
    ready = "system_address" if system.kind == "endpoint" else "system_ready"
    says = "system_lacks" if problems else ready
    return Finding(
        told.group,
        told.id,
        told.state,
        {language: system.title.get(language, system.id) for language in LANGUAGES},
        {language: text(f"doctor.says.{says}", language, **values) for language in LANGUAGES},
        {language: "\n".join(_once(problems, language)) for language in LANGUAGES},
        counts=bool(problems) and counts,
        verified=verified,
        kind=system.kind,
    )


def _once(problems: Sequence[EngineError], language: str) -> list[str]:
    return list(dict.fromkeys(problem.sentence(language) for problem in problems))
