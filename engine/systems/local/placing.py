"""Where a model runs and in which numbers, from what a person chose and what the machine has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError
from engine.systems.local.packages import need, torch_and_transformers
from engine.systems.values import Options

DTYPES = ("float32", "float16", "bfloat16")
ATTENTIONS = ("auto", "eager", "sdpa", "flash_attention_2", "flash_attention_3", "flex_attention")
QUANTISATIONS = ("none", "int8", "int4")
SPREAD = "spread"  # over all accelerators of the machine, as accelerate places it
_DEVICE = re.compile(r"cpu|mps|cuda(:\d+)?")


@dataclass(frozen=True, slots=True)
class Placing:
    """A device, a type of numbers, how attention is computed and how weights are held; nothing is "auto" but attention.

    ``attention`` "auto" leaves the choice to transformers.
    """

    device: str
    dtype: str
    attention: str
    quantisation: str

    def loading(self) -> dict[str, Any]:
        """What ``from_pretrained`` is told."""
        torch, transformers = torch_and_transformers()
        told: dict[str, Any] = {"dtype": getattr(torch, self.dtype), "local_files_only": True}
        if self.attention != "auto":
            told["attn_implementation"] = self.attention
        if self.quantisation != "none":
            need(("bitsandbytes", "accelerate"), self.quantisation)
            four = self.quantisation == "int4"
            kind = {"load_in_4bit": True, "bnb_4bit_compute_dtype": told["dtype"]} if four else {"load_in_8bit": True}
            told["quantization_config"] = transformers.BitsAndBytesConfig(**kind)
        if self.device == SPREAD:
            told["device_map"] = "auto"
        elif self.quantisation != "none":
            told["device_map"] = {"": self.device}
        return told

    def placed(self, model: Any) -> Any:
        """The model on its device, ready to infer."""
        moves = self.device != SPREAD and self.quantisation == "none"
        return (model.to(self.device) if moves else model).eval()

    def told(self) -> dict[str, str]:
        """What belongs beside an answer's versions."""
        return {
            "device": device_name(self.device),
            "dtype": self.dtype,
            "attention": self.attention,
            "quantisation": self.quantisation,
        }


def placing(options: Options) -> Placing:
    """What ``options`` come to on this machine.

    ``device`` "auto" is a CUDA device (of several, "cuda" too, the one of this worker's number), then Apple's, then the
    processor; ``dtype`` "auto" is bfloat16 where an accelerator computes in it, float16 on another, float32 on a
    processor. Raises EngineError ``local_models.*``.
    """
    torch, _ = torch_and_transformers()
    device = options.device if options.device != "auto" else _best_device(torch)
    if device == "cuda" and torch.cuda.is_available() and torch.cuda.device_count() > 1:
        device = f"cuda:{options.worker % torch.cuda.device_count()}"  # each of several workers one of its own
    if not (device == SPREAD or _DEVICE.fullmatch(device)):
        raise EngineError("local_models.unknown_choice", what="device", value=device, known="auto, cpu, cuda, cuda:1")
    if (device == SPREAD or device.startswith("cuda")) and not torch.cuda.is_available():
        raise EngineError("local_models.no_cuda", device=device)
    if device.startswith("cuda:") and int(device[5:]) >= torch.cuda.device_count():
        raise EngineError("local_models.no_such_device", device=device, count=torch.cuda.device_count())
    dtype = options.dtype if options.dtype != "auto" else _best_dtype(torch, device)
    for what, value, known in (
        ("dtype", dtype, DTYPES),
        ("attention", options.attention, ATTENTIONS),
        ("quantisation", options.quantisation, QUANTISATIONS),
    ):
        if value not in known:
            raise EngineError("local_models.unknown_choice", what=what, value=value, known=list(known))
    if options.quantisation != "none" and device in ("cpu", "mps"):
        raise EngineError("local_models.quantisation_needs_cuda", quantisation=options.quantisation)
    if options.attention == "flash_attention_2":
        need(("flash_attn",), options.attention)
    return Placing(device, dtype, options.attention, options.quantisation)


def device_name(device: str) -> str:
    """The device with the name of its accelerator."""
    torch, _ = torch_and_transformers()
    if device == SPREAD or not device.startswith("cuda"):
        return device
    return f"{device} ({torch.cuda.get_device_name(torch.device(device))})"


def _best_device(torch: Any) -> str:
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def _best_dtype(torch: Any, device: str) -> str:
    if device == "cpu":
        return "float32"
    can = device == SPREAD or (device.startswith("cuda") and torch.cuda.is_bf16_supported())
    return "bfloat16" if can else "float16"
