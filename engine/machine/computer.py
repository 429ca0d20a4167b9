"""The computer itself: its system, cores and memory, the graphics processors its driver lists, a Chinese font."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass

from engine.installing import install_extra
from engine.machine.values import Check

_LIMIT_S = 10.0
_GIB = 2**30


@dataclass(frozen=True, slots=True)
class Gpu:
    """A graphics processor, its memory in 10^9 bytes, and the driver's version."""

    name: str
    memory_gb: float
    driver: str


@dataclass(frozen=True, slots=True)
class GpuUse:
    """What a graphics processor holds now, in 10^9 bytes, and how busy it is, 0 to 1; None where it does not tell."""

    number: int
    name: str
    used_gb: float
    total_gb: float
    busy: float | None = None


def computer() -> Check:
    """System, Python, cores this process may use, and memory."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    values = {"system": platform.platform(terse=True), "python": platform.python_version(), "cores": cores}
    memory = _memory_bytes()
    if memory:
        return Check("computer", "ready", "computer", {**values, "memory": memory / _GIB})
    return Check("computer", "ready", "computer_only", values)


def gpus() -> tuple[Gpu, ...]:
    """What ``nvidia-smi`` lists; empty where it is missing, silent for ten seconds, or finds none."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    asked = [program, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader,nounits"]
    said = _said_by(asked)
    found = []
    for line in said.splitlines():
        parts = [part.strip() for part in line.split(",")]
        if len(parts) == 3 and parts[1].replace(".", "").isdigit():
            found.append(Gpu(parts[0], float(parts[1]) * 2**20 / 1e9, parts[2]))
    return tuple(found)


def gpu_use() -> tuple[GpuUse, ...]:
    """The same as they are used now; empty where nothing can be told."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return ()
    query = "--query-gpu=index,name,memory.used,memory.total,utilization.gpu"
    said = _said_by([program, query, "--format=csv,noheader,nounits"])
    return tuple(use for line in said.splitlines() if (use := _use(line)) is not None)


def gpu_check(found: tuple[Gpu, ...], torch_version: str) -> Check | None:
    """What is to be said of them; None where there are none. ``torch_version`` is "" where PyTorch is not installed."""
    if not found:
        return None
    names = [f"{gpu.name} ({gpu.memory_gb:.0f} GB)" for gpu in found]
    values = {"names": names, "driver": found[0].driver, "torch": torch_version, "command": install_extra("torch")}
    if not torch_version:
        return Check("gpu", "missing", "gpus_no_torch", values, "torch")
    if torch_version.endswith("+cpu"):
        return Check("gpu", "warning", "gpus_torch_for_cpu", values, "torch_for_gpu")
    return Check("gpu", "ready", "gpus", values)


def chinese_family() -> str | None:
    """A family that fontconfig has for Chinese, "" where it has none; None where there is no fontconfig to ask."""
    if sys.platform in ("win32", "darwin"):
        return None
    program = shutil.which("fc-list")
    if program is None:
        return None
    families = sorted(line.split(",")[0].strip() for line in _said_by([program, ":lang=zh", "family"]).splitlines())
    simplified = [family for family in families if family.endswith("SC")]  # of one family's faces, that of Chinese here
    return next(iter(filter(None, [*simplified, *families])), "")


def _use(line: str) -> GpuUse | None:
    """One line of the driver's table; None for one that is none. It says ``[N/A]`` for what it does not know."""
    cells = [cell.strip() for cell in line.split(",")]
    if len(cells) < 5 or not all(cell.isdigit() for cell in (cells[0], *cells[-3:-1])):
        return None
    used, total = (int(cell) * 2**20 / 1e9 for cell in cells[-3:-1])
    busy = int(cells[-1]) / 100 if cells[-1].isdigit() else None
    return GpuUse(int(cells[0]), ", ".join(cells[1:-3]), used, total, busy)


def _said_by(command: list[str]) -> str:
    try:
        ended = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ended.stdout if ended.returncode == 0 else ""


def _memory_bytes() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return 0
