"""Sound, room on the disk, graphics processor and display."""

from __future__ import annotations

import ctypes.util
import importlib.util
import os
import shutil
import sys
from pathlib import Path

from engine.installing import install_extra, pip_install
from engine.machine.values import Check

LITTLE_BYTES = 2 * 10**9  # the sample needs 0.01 GB, a system's answers to VocalBench-zh about 16
GB = 10**9


def sound(*, list_devices: bool = False) -> Check:
    """Whether sound can be played: the library PortAudio, and its devices where ``list_devices`` asks for them."""
    if importlib.util.find_spec("sounddevice") is None:
        return Check("sound", "missing", "sound_package", {"command": pip_install("sounddevice")}, "sound_package")
    if list_devices:
        return _devices()
    # Linux takes the system's library, the packages for other systems bring it along.
    if sys.platform.startswith("linux") and ctypes.util.find_library("portaudio") is None:
        return Check("sound", "warning", "sound_no_library", {}, "sound_library")
    return Check("sound", "ready", "sound_library")


def disk(folder: Path) -> Check:
    """Free room on the drive of ``folder``, or of the nearest folder above it that is there."""
    there = next((path for path in (folder, *folder.parents) if os.path.isdir(path)), Path.home())
    try:
        free = shutil.disk_usage(there).free
    except OSError as error:
        return Check("disk", "warning", "disk_unknown", {"why": error.strerror or str(error)})
    values = {"free": free / GB}
    if free < LITTLE_BYTES:
        return Check("disk", "warning", "disk_little", values, "disk")
    return Check("disk", "ready", "disk", values)


def graphics() -> Check:
    """Whether an NVIDIA driver and PyTorch are here; neither is started."""
    driver = shutil.which("nvidia-smi") is not None
    torch = importlib.util.find_spec("torch") is not None
    if driver and torch:
        return Check("gpu", "ready", "gpu")
    if driver:
        return Check("gpu", "missing", "gpu_no_torch", {"command": install_extra("torch")}, "torch")
    return Check("gpu", "missing", "gpu_none")


def display() -> Check:
    """Whether a window could open here."""
    if sys.platform in ("win32", "darwin"):
        return Check("display", "ready", "display")
    name = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    if name:
        return Check("display", "ready", "display_named", {"name": name})
    return Check("display", "missing", "display_none", {}, "display")


def chinese_font(family: str) -> Check:
    """``family`` shows Chinese; ``""`` says that none does."""
    if family:
        return Check("font", "ready", "font", {"family": family})
    return Check("font", "warning", "font_missing", {}, "font")


def _devices() -> Check:
    try:
        import sounddevice

        players = [d for d in sounddevice.query_devices() if d["max_output_channels"] > 0]
        if not players:
            return Check("sound", "warning", "sound_no_device", {}, "sound_device")
        device = sounddevice.query_devices(kind="output")
    except OSError:  # the library is not there
        return Check("sound", "warning", "sound_no_library", {}, "sound_library")
    except (ValueError, sounddevice.PortAudioError):  # devices, but none that is the usual one
        return Check("sound", "ready", "sound_devices", {"names": [str(d["name"]) for d in players]})
    values = {"name": str(device["name"]), "rate": device["default_samplerate"] / 1000}
    return Check("sound", "ready", "sound_device", values)
