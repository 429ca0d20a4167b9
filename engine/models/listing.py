"""What the hub has of a repository, and which of its files are fetched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import PurePosixPath
from typing import Any

from engine.errors import EngineError
from engine.installing import pip_install
from engine.models.cache import is_offline
from engine.models.consent import COMMIT
from engine.models.declaration import ModelDeclaration

#: Beside safetensors: configurations, vocabularies, chat templates. None of these runs code.
_USUAL = ("*.json", "*.txt", "*.safetensors", "*.model", "*.jinja", "*.tiktoken", "*.yaml", "*.mvn", "*.onnx", "*.gguf")
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib", ".npy", ".npz", ".t7", ".nemo")
_EXPORTS = (".onnx", ".gguf")  # the same weights once more, where there are safetensors
_CODE = (".py", ".so", ".pyd", ".dll", ".sh")
_WEIGHTS = (*PICKLES, ".safetensors", ".onnx", ".gguf")


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a repository; ``sha256`` of a large one, the ``git_sha1`` of a small one."""

    name: str
    size: int
    sha256: str = ""
    git_sha1: str = ""

    @property
    def blob(self) -> str:
        """What it is called in the cache."""
        return self.sha256 or self.git_sha1


@dataclass(frozen=True, slots=True)
class Listing:
    """A repository at one commit, and the licence its card names."""

    repository: str
    commit: str
    files: tuple[RemoteFile, ...]
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is fetched, and what is left out and why, by name."""

    files: tuple[RemoteFile, ...]
    pickles: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def ask_hub(model: ModelDeclaration) -> Listing:
    """The files of a model's repository at its revision, as the hub lists them now.

    Raises EngineError ``models.offline``, ``package_missing``, ``gated``, ``no_such_repository``,
    ``no_such_revision``, ``hub_unreachable`` or ``odd_listing``.
    """
    if is_offline():
        raise EngineError("models.offline", model=model.id)
    hub = hub_module()
    try:
        told = hub.HfApi().model_info(model.repository, revision=model.revision or None, files_metadata=True)
    except hub.errors.GatedRepoError as error:
        raise EngineError("models.gated", repository=model.repository) from error
    except hub.errors.RevisionNotFoundError as error:
        raise EngineError("models.no_such_revision", repository=model.repository, revision=model.revision) from error
    except hub.errors.RepositoryNotFoundError as error:
        raise EngineError("models.no_such_repository", repository=model.repository) from error
    except hub.errors.OfflineModeIsEnabled as error:
        raise EngineError("models.offline", model=model.id) from error
    except (hub.errors.HfHubHTTPError, *_network_errors(), OSError) as error:
        why = type(error).__name__
        raise EngineError("models.hub_unreachable", address=endpoint(), why=why) from error
    return _listing(model.repository, told)


def choose(model: ModelDeclaration, listing: Listing, *, allow_pickle: bool, with_code: bool) -> Choice:
    """Which files of a listing are fetched: safetensors before pickles, code only ``with_code``.

    Raises EngineError ``models.pickle_refused`` where the weights, or what the declaration asks for, come as pickles
    and these are not allowed; ``models.no_weights`` where there is nothing to load.
    """
    wanted = [file for file in listing.files if _matches(file.name, model.files or (*_USUAL, "*"))]
    code = [file for file in wanted if file.name.lower().endswith(_CODE)]
    looks = [file for file in wanted if _is_pickle(file.name, model)]
    rest = [file for file in wanted if file not in code and file not in looks]
    usual = [file for file in rest if model.files or _matches(file.name, (*_USUAL, *model.plain, *model.tensors))]
    if not model.files and any(file.name.endswith(".safetensors") for file in usual):
        usual = [file for file in usual if not file.name.lower().endswith(_EXPORTS)]
    weights = [file for file in usual if file.name.lower().endswith(_WEIGHTS) and file.name not in model.tensors]
    asked = looks if model.files or not weights else []
    if asked and not allow_pickle:
        raise EngineError("models.pickle_refused", repository=model.repository, files=[file.name for file in asked])
    if not weights and not asked:
        raise EngineError("models.no_weights", repository=model.repository)
    files = (*usual, *asked, *(code if with_code else ()))
    taken = {file.name for file in files}
    return Choice(
        tuple(sorted(files, key=lambda file: file.size)),
        tuple(file.name for file in looks if file.name not in taken),
        tuple(file.name for file in code if file.name not in taken),
        tuple(file.name for file in rest if file.name not in taken),
    )


def endpoint() -> str:
    """The hub's address."""
    hub = hub_module()
    return str(hub.constants.ENDPOINT)


def hub_module() -> Any:
    """The package huggingface_hub. Raises EngineError ``models.package_missing``."""
    try:
        import huggingface_hub
        import huggingface_hub.constants
        import huggingface_hub.errors
    except ImportError as error:
        raise EngineError("models.package_missing", command=pip_install("huggingface_hub")) from error
    return huggingface_hub


def _network_errors() -> Sequence[type[Exception]]:
    import httpx2

    return (httpx2.HTTPError,)


def _listing(repository: str, told: Any) -> Listing:
    commit = str(told.sha or "")
    files = tuple(_file(one) for one in told.siblings or ())
    odd = next((file.name for file in files if not _may_be_written(file)), None)
    if not COMMIT.fullmatch(commit) or odd is not None:
        raise EngineError("models.odd_listing", repository=repository, what=repr(odd or commit))
    card = told.card_data
    licence = str((card.get("license_name") or card.get("license") or "") if card else "")
    return Listing(repository, commit, files, licence)


def _file(told: Any) -> RemoteFile:
    sha256 = str(told.lfs.sha256) if told.lfs else ""
    return RemoteFile(str(told.rfilename), int(told.size or 0), sha256, str(told.blob_id or ""))


def _may_be_written(file: RemoteFile) -> bool:
    path = PurePosixPath(file.name)
    inside = (
        bool(file.name) and not path.is_absolute() and ".." not in path.parts and not set(file.name) & set('\\:"*?<>|')
    )
    return inside and file.name.isprintable() and re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", file.blob) is not None


def _is_pickle(name: str, model: ModelDeclaration) -> bool:
    return name.lower().endswith(PICKLES) and not _matches(name, (*model.plain, *model.tensors))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)
