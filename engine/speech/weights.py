"""Finds a recogniser's weights: a folder, a file, or a hub id on this machine, fetched only when allowed."""

from __future__ import annotations

import os
import re
from pathlib import Path

from engine.errors import EngineError
from engine.speech.values import RecogniserSpec

#: What a hub id brings: no code, and no pickles unless allowed.
_SAFE_FILES = ("*.json", "*.txt", "*.safetensors", "*.model")
_PICKLES = ("pytorch_model*.bin", "*.pt")
_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")


def weights_folder(spec: RecogniserSpec, extra_files: tuple[str, ...] = ()) -> Path:
    """The folder or file that ``spec.weights`` names.

    A path on this machine goes before a hub id. A hub id is read from the local cache; it is fetched only with
    ``allow_download`` and without ``HF_HUB_OFFLINE``. ``extra_files`` are more patterns to fetch.
    Raises EngineError ``speech.weights_missing``, ``speech.weights_not_local`` or ``speech.download_failed``.
    """
    path = Path(spec.weights).expanduser()
    if path.exists():
        return path
    if not _HUB_ID.fullmatch(spec.weights) or spec.weights.startswith("."):
        raise EngineError("speech.weights_missing", weights=spec.weights)
    return _from_hub(spec, extra_files)


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


def _from_hub(spec: RecogniserSpec, extra_files: tuple[str, ...]) -> Path:
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as error:
        raise EngineError("speech.extra_missing", package="huggingface_hub", extra="offline") from error
    offline = os.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON")
    fetches = spec.allow_download and not offline
    patterns = [*_SAFE_FILES, *extra_files, *(_PICKLES if spec.allow_pickle else ())]
    try:
        found = snapshot_download(
            spec.weights, revision=spec.revision, allow_patterns=patterns, local_files_only=not fetches
        )
    except LocalEntryNotFoundError as error:
        code = "speech.download_failed" if fetches else "speech.weights_not_local"
        raise EngineError(code, weights=spec.weights, reason=type(error).__name__) from error
    except (HfHubHTTPError, OSError) as error:
        raise EngineError("speech.download_failed", weights=spec.weights, reason=type(error).__name__) from error
    return Path(found)
