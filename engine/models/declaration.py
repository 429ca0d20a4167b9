"""Weights as declared in resources/models/*.toml, in the user's own folder, and by the systems that stand on them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

from engine.config_folder import config_folder
from engine.errors import EngineError, unknown
from engine.shipped import shipped
from engine.strings import LANGUAGES
from engine.systems.declaration import SystemDeclaration, load_systems

#: Where a part's table, or the settings of an adapter, name weights.
WEIGHT_KEYS = (
    "weights", "codec", "vocoder", "decoder", "tokenizer", "language_model", "llama", "whisper", "mert", "cosyvoice",
    "sensevoice",
)  # fmt: skip
ROLES = ("recogniser", "language_model", "synthesiser", "quality", "emotion", "system", "part")
HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True)
class ModelDeclaration:
    """Weights as declared; what is not known is empty, never a guess.

    Args:
        repository: of the hub, ``owner/name``; empty where packages carry the weights.
        revision: a commit, tag or branch; empty is the newest.
        packages: carry the weights, in place of a repository.
        files: patterns of what is fetched; empty takes configurations, vocabularies and safetensors.
        plain: weight files whose ending looks like a pickle's and that are none: looked at after the transfer.
        tensors: pickles that are read as plain tensors alone, and so are fetched like safetensors.
        pickle: the repository has its weights as pickles only.
        remote_code: it brings program code that runs when it is loaded.
        size_gb: 10^9 bytes, as ``size_source`` says: "stated" or "estimated"; the hub's own figure counts.
        sha256: of files, where known beforehand; the hub's own sums are checked in any case.
        systems: ids of the systems that want it.
    """

    id: str
    role: str
    repository: str = ""
    revision: str = ""
    packages: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    tensors: tuple[str, ...] = ()
    pickle: bool = False
    remote_code: bool = False
    licence: str = ""
    size_gb: float | None = None
    size_source: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict)
    note: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()


def load_models() -> dict[str, ModelDeclaration]:
    """All weights by id: the shipped, the user's, then those that systems name and nobody declared.

    Raises EngineError ``models.*`` or ``systems.*`` naming the file and the key that is wrong.
    """
    own = user_folder()
    mine = map(read_model, sorted(own.glob("*.toml"))) if own.is_dir() else ()
    found = {model.id: model for model in (*_shipped_models(), *mine)}
    wanted: dict[str, list[SystemDeclaration]] = {}
    for system in load_systems().values():
        for repository in weights_of(system):
            wanted.setdefault(repository, []).append(system)
    known = {model.repository: model.id for model in found.values() if model.repository}
    for repository, systems in wanted.items():
        ids = tuple(system.id for system in systems)
        if repository in known:
            found[known[repository]] = _with_systems(found[known[repository]], ids)
        else:
            made = _of_system(repository, systems[0], ids)
            taken = made.id in found
            found[repository if taken else made.id] = replace(made, id=repository) if taken else made
    return found


def declared_model(name: str, revision: str = "") -> ModelDeclaration:
    """The model of that id or repository; a repository that nobody declared is taken as it is.

    Raises EngineError ``models.unknown``.
    """
    models = load_models()
    wanted = next((m for m in models.values() if name in (m.id, m.repository)), None)
    wanted = wanted or models.get(name.replace("-", "_"))
    if wanted is None:
        if not HUB_ID.fullmatch(name):
            raise unknown("models.unknown", name, sorted(models), model=name)
        # a file of that name is CTranslate2's, as recognisers have it; what comes is looked at, and no pickle passes
        wanted = ModelDeclaration(name, "part", repository=name, plain=("model.bin",))
    if not revision:
        return wanted
    return replace(wanted, revision=revision)


def weights_of(system: SystemDeclaration) -> tuple[str, ...]:
    """The repositories of the hub that a system names: its own and those of its parts, each once."""
    tables = (*system.parts.values(), system.settings)
    named = [system.weights, *(str(table.get(key, "")) for table in tables for key in WEIGHT_KEYS)]
    return tuple(dict.fromkeys(name for name in named if HUB_ID.fullmatch(name) and not Path(name).exists()))


def user_folder() -> Path:
    """Where a user's own declarations of weights lie."""
    return config_folder() / "models"


def read_model(path: Path) -> ModelDeclaration:
    """The model declared in ``path``; raises EngineError ``models.file_unreadable``, ``key_missing``, ``key_value``."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EngineError("models.file_unreadable", file=str(path), what=error.strerror or str(error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EngineError("models.file_unreadable", file=str(path), what=str(error)) from error
    for key in ("id", "role"):
        if key not in told:
            raise EngineError("models.key_missing", file=str(path), key=key)
    values = {key: _value(path, key, value) for key, value in told.items()}
    model = ModelDeclaration(**values)
    for key, wrong, wanted in _faults(model, path):
        if wrong:
            raise EngineError("models.key_value", file=str(path), key=key, value=str(told.get(key, "")), wanted=wanted)
    return model


_KINDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("packages", "files", "plain", "tensors", "systems"), (list,)),
    **dict.fromkeys(("pickle", "remote_code"), (bool,)),
    **dict.fromkeys(("sha256", "note"), (dict,)),
    "size_gb": (int, float),
}
_NAMES = frozenset(one.name for one in fields(ModelDeclaration))


def _value(path: Path, key: str, value: Any) -> Any:
    if key not in _NAMES:
        raise EngineError("models.key_unknown", file=str(path), key=key)
    kinds = _KINDS.get(key, (str,))
    if not isinstance(value, kinds):
        wanted = " / ".join(kind.__name__ for kind in kinds)
        raise EngineError("models.key_value", file=str(path), key=key, value=str(value), wanted=wanted)
    return tuple(map(str, value)) if isinstance(value, list) else value


def _faults(model: ModelDeclaration, path: Path) -> Iterator[tuple[str, bool, str]]:
    yield "id", model.id != path.stem, path.stem
    yield "role", model.role not in ROLES, ", ".join(ROLES)
    yield "repository", bool(model.repository) == bool(model.packages), "owner/name, or packages"
    yield "repository", bool(model.repository) and not HUB_ID.fullmatch(model.repository), "owner/name"
    yield "note", bool(model.note) and set(model.note) != set(LANGUAGES), ", ".join(LANGUAGES)
    sums = model.sha256.values()
    yield "sha256", not all(re.fullmatch(r"[0-9a-f]{64}", str(value)) for value in sums), "64 hex digits"


@cache
def _shipped_models() -> tuple[ModelDeclaration, ...]:
    return tuple(map(read_model, sorted(shipped("models").glob("*.toml"))))


def _of_system(repository: str, system: SystemDeclaration, systems: tuple[str, ...]) -> ModelDeclaration:
    own = system.weights == repository
    return ModelDeclaration(
        id=re.sub(r"\W+", "_", repository.split("/")[1].lower()),
        role="system" if own else "part",
        repository=repository,
        revision=system.revision if own else "",
        remote_code=own and bool(system.settings.get("remote_code")),
        licence=system.licence if own else "",
        systems=systems,
    )


def _with_systems(model: ModelDeclaration, systems: tuple[str, ...]) -> ModelDeclaration:
    return replace(model, systems=tuple(dict.fromkeys((*model.systems, *systems))))
