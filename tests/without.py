"""A computer that lacks packages, made of one that has them: what a process started here cannot find or import."""

from __future__ import annotations

import os
from pathlib import Path

TORCH = ("torch", "transformers", "safetensors", "accelerate", "gguf", "whisper", "funasr", "librosa")
_HIDES = """
import importlib.machinery, importlib.metadata

GONE = {gone!r}
_find = importlib.machinery.PathFinder.find_spec
_named = importlib.metadata.Distribution.from_name.__func__

def find_spec(name, path=None, target=None):
    return None if name.partition(".")[0] in GONE else _find(name, path, target)

def from_name(cls, name):
    if name.replace("-", "_") in (*GONE, "openai_whisper"):
        raise importlib.metadata.PackageNotFoundError(name)
    return _named(cls, name)

importlib.machinery.PathFinder.find_spec = find_spec
importlib.metadata.Distribution.from_name = classmethod(from_name)
"""


def without(folder: Path, packages: tuple[str, ...] = TORCH) -> dict[str, str]:
    """Environment variables under which a Python process has none of ``packages``; a file goes into ``folder``."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(_HIDES.format(gone=packages), encoding="utf-8")
    beside = [str(folder), os.environ.get("PYTHONPATH", "")]
    return {"PYTHONPATH": os.pathsep.join(filter(None, beside))}
