"""Which GPU each of several workers of this machine sees: one each, before anything that computes on it is loaded."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache

VISIBLE = "CUDA_VISIBLE_DEVICES"
_WAIT_S = 10


def gpu_of_worker(number: int, workers: int, gpus: int, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What is added to the environment of worker ``number`` of ``workers``; nothing where it is to see all GPUs.

    That is a worker alone, a machine with one GPU or none, and one on which the user said which GPUs are used.

    >>> gpu_of_worker(3, 4, 2, {})
    {'CUDA_VISIBLE_DEVICES': '1'}
    >>> gpu_of_worker(3, 4, 2, {"CUDA_VISIBLE_DEVICES": "5"})
    {}
    """
    if workers < 2 or gpus < 2 or VISIBLE in environment:
        return {}
    return {VISIBLE: str(number % gpus)}


@cache
def gpu_count() -> int:
    """How many NVIDIA GPUs ``nvidia-smi`` lists; 0 where it is missing or silent for ten seconds. Waits for it."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return 0
    try:
        found = subprocess.run([program, "-L"], capture_output=True, text=True, timeout=_WAIT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return 0
    return sum(line.startswith("GPU ") for line in found.stdout.splitlines())
