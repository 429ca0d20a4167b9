"""A model's files on this machine: a folder, or a repository of the hub that was fetched before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.speech.cache import sha256_of_all
from engine.speech.values import RecogniserSpec
from engine.speech.weights import model_files, require_files, weights_folder
from engine.systems.values import Options


def model_folder(weights: str, revision: str, options: Options, files: tuple[str, ...] = ("config.json",)) -> Path:
    """The folder of a model; ``files`` must be in it.

    Raises EngineError ``speech.weights_*``, ``speech.pickle_refused`` or ``local_models.no_weights_named``.
    """
    if not weights:
        raise EngineError("local_models.no_weights_named")
    spec = _spec(weights, revision, options)
    folder = weights_folder(spec)
    require_files(folder, files)
    model_files(folder, spec)
    return folder


def weights_told(weights: str, revision: str, folder: Path, options: Options) -> dict[str, str]:
    """What identifies the weights: the hub's commit where they lie in its cache, else the checksum of the files."""
    if folder.parent.name == "snapshots":
        return {"weights": f"{weights}@{folder.name}"}
    files = model_files(folder, _spec(weights, revision, options))
    return {"weights": f"{folder.name} sha256:{sha256_of_all(files)}"}


def config_of(folder: Path) -> dict[str, Any]:
    """What ``config.json`` says. Raises EngineError ``local_models.config_unreadable``."""
    try:
        told = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EngineError("local_models.config_unreadable", folder=str(folder), what=str(error)) from error
    return told if isinstance(told, dict) else {}


def uses_safetensors(folder: Path) -> bool:
    """Whether the weights are safetensors; pickles come this far only when they are allowed."""
    return any(folder.glob("*.safetensors"))


def _spec(weights: str, revision: str, options: Options) -> RecogniserSpec:
    return RecogniserSpec(
        weights=weights,
        revision=revision or None,
        allow_pickle=options.allow_pickle,
    )
