"""What the back ends that run on torch share: its threads, the device, the arithmetic, and the window's padding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import EngineError
from engine.speech.threads import thread_count
from engine.speech.values import RecogniserSpec

#: What decides the text beside the compute type: every window is padded to the 30 s that Whisper was trained on.
PADDED: Mapping[str, Any] = {"padded_s": [30.0, 0.0, 30.0]}


def device_and_type(spec: RecogniserSpec, *types: str) -> tuple[str, str]:
    """Torch made ready as asked: the device, a GPU where there is one, and the compute type, usually float32.

    Raises EngineError ``speech.compute_type`` for one that is none of ``types``.
    """
    import torch

    torch.set_num_threads(thread_count(spec.cpu_threads))
    device = spec.device if spec.device != "auto" else ("cuda" if torch.cuda.is_available() else "cpu")
    compute_type = "float32" if spec.compute_type == "default" else spec.compute_type
    if compute_type not in types:
        raise EngineError("speech.compute_type", backend=spec.backend, type=spec.compute_type)
    return device, compute_type
