"""Memory of an accelerator: when it is not enough, and getting it back."""

from __future__ import annotations

import gc

from engine.systems.local.packages import torch_and_transformers


def is_out_of_memory(error: BaseException) -> bool:
    """Whether a device or the machine had no memory left."""
    torch, _ = torch_and_transformers()
    return isinstance(error, (torch.OutOfMemoryError, MemoryError))


def free() -> None:
    """Give back what is held and not used. Call it outside the ``except`` that keeps the failed call's tensors."""
    torch, _ = torch_and_transformers()
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
