"""Finds a recogniser's weights: a folder, a file, or a hub id whose files are on this machine; nothing is fetched."""

from __future__ import annotations

import re
from pathlib import Path

from engine.errors import EngineError
from engine.installing import pip_install
from engine.speech.values import RecogniserSpec

_PICKLES = ("pytorch_model*.bin", "*.pt")
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def weights_folder(spec: RecogniserSpec) -> Path:
    """The folder or file that ``spec.weights`` names.

    A path on this machine goes before a hub id. A hub id is read from the hub's cache: ``engine.models`` alone
    fetches, with size and licence said first and each sum checked.
    Raises EngineError ``speech.weights_missing``, or ``speech.weights_not_local`` with the command that fetches it.
    """
    path = Path(spec.weights).expanduser()
    if path.exists():
        return path
    if not _HUB_ID.fullmatch(spec.weights) or spec.weights.startswith("."):
        raise EngineError("speech.weights_missing", weights=spec.weights)
    return _from_cache(spec)


def model_files(folder: Path, spec: RecogniserSpec) -> list[Path]:
    """The weight files of a transformers folder: safetensors, else pickles when allowed.

    Raises EngineError ``speech.pickle_refused`` or ``speech.weights_incomplete``.
    """
    safe = sorted(folder.glob("*.safetensors"))
    if safe:
        return safe
    pickles = [path for pattern in _PICKLES for path in sorted(folder.glob(pattern))]
    if pickles and not spec.allow_pickle:
        raise EngineError("speech.pickle_refused", file=str(pickles[0]))
    if not pickles:
        raise EngineError("speech.weights_incomplete", folder=str(folder), file="model.safetensors")
    return pickles


def require_files(folder: Path, names: tuple[str, ...]) -> None:
    """Raises EngineError ``speech.weights_incomplete`` when one of ``names`` is not in ``folder``."""
    for name in names:
        if not (folder / name).exists():
            raise EngineError("speech.weights_incomplete", folder=str(folder), file=name)


def fetch_command(weights: str, revision: str = "", *, allow_pickle: bool = False) -> str:
    """What a person types to fetch a repository of the hub."""
    options = (f" --revision {revision}" if revision else "") + (" --allow-pickle" if allow_pickle else "")
    return f"auricle models fetch {weights}{options}"


def _from_cache(spec: RecogniserSpec) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError as error:
        raise EngineError(
            "speech.extra_missing", package="huggingface_hub", command=pip_install("huggingface_hub")
        ) from error
    try:
        return Path(snapshot_download(spec.weights, revision=spec.revision, local_files_only=True))
    except LocalEntryNotFoundError as error:
        command = fetch_command(spec.weights, spec.revision or "", allow_pickle=spec.allow_pickle)
        raise EngineError("speech.weights_not_local", weights=spec.weights, command=command) from error
