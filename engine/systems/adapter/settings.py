"""How an adapter is started: its interpreter, its file, and what it is told, from a declaration and a run's options."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.systems.declaration import SystemDeclaration
from engine.systems.revision import allowed_commits, revision_of
from engine.systems.values import Options

WORKER = Path(__file__).with_name("adapter_worker.py")
SHIPPED = Path(__file__).with_name("shipped")
#: Settings that are for this side; all others go to the adapter.
_OURS = frozenset(
    (
        "adapter",
        "python",
        "command",
        "needs",
        "send",
        "input_rate_hz",
        "load_limit_s",
        "remote_code",
        "repository",
        "environment",
    )
)
_ACCELERATORS = Path("/proc/driver/nvidia/gpus")  # one folder for each
_RATE_HZ, _LOAD_LIMIT_S = 16000, 1800.0


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """One adapter, ready to be started.

    Args:
        command: what is started; it speaks the worker protocol.
        told: what ``load`` gets.
        environment: what its process is told beside this one's environment: its accelerator, and to ask no hub.
        weights: the repository and revision that are recorded with the answers; "" for a folder or none.
        send_bytes: audio goes as bytes and not as paths: the command runs on another machine.
        input_rate_hz: audio is handed over as mono 16-bit WAV at this rate; 0 leaves it as it is.
        load_limit_s: how long loading may take.
    """

    command: tuple[str, ...]
    told: Mapping[str, Any]
    environment: Mapping[str, str]
    weights: str = ""
    send_bytes: bool = False
    input_rate_hz: int = _RATE_HZ
    load_limit_s: float = _LOAD_LIMIT_S


def read_settings(declaration: SystemDeclaration, options: Options) -> AdapterSettings:
    """The adapter of a declaration with a run's options over it.

    Raises EngineError ``adapters.setting_missing``, ``no_adapter``, ``no_python``, ``no_code``, ``remote_code``,
    ``remote_code_revision``, or ``systems.several_commits``.
    """
    settings: dict[str, Any] = {**declaration.settings, **options.settings}
    weights = str(options.weights or settings.get("weights") or declaration.weights)
    if not settings.get("command"):  # on this machine: its process has another working directory
        settings = {name: _whole_path(value) for name, value in settings.items()}
        weights = str(Path(weights).expanduser().absolute()) if _is_here(weights) else weights
    revision = str(settings.get("revision") or declaration.revision)
    missing = [name for name in settings.get("needs", ()) if not settings.get(name)]
    if missing and not settings.get("command"):
        raise EngineError("adapters.setting_missing", system=declaration.id, names=list(missing))
    code = str(settings.get("code") or "")
    if code and not settings.get("command") and not Path(code).is_dir():
        raise EngineError("adapters.no_code", system=declaration.id, folder=code)
    trusts = bool(settings.get("remote_code"))
    if not _is_here(weights):
        revision = revision_of(declaration.id, weights, revision, options.allow_remote_code)
    if trusts:
        _allowed(declaration.id, weights, revision, options)
    told = {name: value for name, value in settings.items() if name not in _OURS}
    device, environment = placed(options.device, options.worker)
    if not settings.get("command"):  # authors' code asks the hub on its own; weights come through engine.models alone
        environment = {**environment, "HF_HUB_OFFLINE": "1"}
    told |= {"weights": weights, "revision": revision, "device": device, "dtype": options.dtype}
    told |= {"trust_remote_code": trusts}
    return AdapterSettings(
        command=_command(declaration, settings),
        told=told,
        environment=environment,
        weights="" if _is_here(weights) else f"{weights}@{revision}".strip("@"),
        send_bytes=settings.get("send", "path") == "bytes",
        input_rate_hz=int(settings.get("input_rate_hz", _RATE_HZ)),
        load_limit_s=float(settings.get("load_limit_s", _LOAD_LIMIT_S)),
    )


def placed(device: str, worker: int) -> tuple[str, Mapping[str, str]]:
    """The device as an adapter is told, and the environment that shows it one accelerator.

    Most code of authors takes the first that it sees: so "cuda:1", or the second of several workers, sees that alone.
    """
    seen = [name for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if name]
    if device.startswith("cuda:"):
        number = int(device[5:])
        return "cuda", {"CUDA_VISIBLE_DEVICES": seen[number] if number < len(seen) else str(number)}
    count = len(seen) or len(list(_ACCELERATORS.glob("*")))
    if device not in ("auto", "cuda") or count < 2:
        return device, {}
    place = worker % count
    return "cuda", {"CUDA_VISIBLE_DEVICES": seen[place] if seen else str(place)}


def adapter_file(declaration: SystemDeclaration, name: str) -> Path:
    """The adapter's file: a shipped one by its name, else a path, from the declaration's folder.

    Raises EngineError ``adapters.no_adapter``.
    """
    beside = declaration.file.parent if declaration.file else Path()
    path = SHIPPED / f"{name}.py" if name.isidentifier() else beside / Path(name).expanduser()
    if not path.is_file():
        raise EngineError("adapters.no_adapter", system=declaration.id, file=str(path))
    return path


def _command(declaration: SystemDeclaration, settings: Mapping[str, Any]) -> tuple[str, ...]:
    if command := settings.get("command"):
        return tuple(map(str, command))
    if not settings.get("adapter"):
        raise EngineError("adapters.setting_missing", system=declaration.id, names="adapter")
    file = adapter_file(declaration, str(settings["adapter"]))
    told = str(settings.get("python") or "")
    if not told:
        raise EngineError("adapters.setting_missing", system=declaration.id, names="python")
    python = shutil.which(str(Path(told).expanduser()))
    if python is None:
        raise EngineError("adapters.no_python", system=declaration.id, python=told)
    return (python, "-E", "-s", str(WORKER), str(file), "--end-with-parent")


def _allowed(system: str, weights: str, revision: str, options: Options) -> None:
    """Raises EngineError where no person said yes to the code of these weights at this revision."""
    if _is_here(weights):
        if weights not in map(_whole_path, options.allow_remote_code):
            raise EngineError("adapters.remote_code", system=system, name=weights)
    elif not revision:
        raise EngineError("adapters.remote_code_revision", system=system, weights=weights)
    elif revision not in allowed_commits(weights, options.allow_remote_code):
        raise EngineError("adapters.remote_code", system=system, name=f"{weights}@{revision}")


def _is_here(weights: str) -> bool:
    """Whether weights are a folder or file of this machine, and no repository."""
    return bool(weights) and Path(weights).expanduser().exists()


def _whole_path(value: Any) -> Any:
    """A path that a person wrote from home or from here, as a whole; anything else as it is."""
    if isinstance(value, str) and value.startswith(("~/", "./", "../")):
        return os.path.abspath(os.path.expanduser(value))
    return value
