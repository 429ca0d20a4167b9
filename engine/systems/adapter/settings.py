"""How an adapter is started: its interpreter, its file, and what it is told, from a declaration and a run's options."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from engine.systems.declaration import SystemDeclaration
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
_RATE_HZ, _LOAD_LIMIT_S = 16000, 1800.0


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """One adapter, ready to be started.

    Args:
        command: what is started; it speaks the worker protocol.
        told: what ``load`` gets.
        send_bytes: audio goes as bytes and not as paths: the command runs on another machine.
        input_rate_hz: audio is handed over as mono 16-bit WAV at this rate; 0 leaves it as it is.
        load_limit_s: how long loading may take.
    """

    command: tuple[str, ...]
    told: Mapping[str, Any]
    send_bytes: bool = False
    input_rate_hz: int = _RATE_HZ
    load_limit_s: float = _LOAD_LIMIT_S


def read_settings(declaration: SystemDeclaration, options: Options) -> AdapterSettings:
    """The adapter of a declaration with a run's options over it.

    Raises EngineError ``adapters.setting_missing``, ``no_adapter``, ``no_python``, ``no_code``, ``remote_code`` or
    ``remote_code_revision``.
    """
    settings: dict[str, Any] = {**declaration.settings, **options.settings}
    weights = options.weights or settings.get("weights") or declaration.weights
    revision = settings.get("revision") or declaration.revision
    missing = [name for name in settings.get("needs", ()) if not settings.get(name)]
    if missing and not settings.get("command"):
        raise EngineError("adapters.setting_missing", system=declaration.id, names=", ".join(missing))
    if code := settings.get("code"):
        settings["code"] = str(Path(code).expanduser())
        if not settings.get("command") and not Path(settings["code"]).is_dir():
            raise EngineError("adapters.no_code", system=declaration.id, folder=settings["code"])
    trusts = bool(settings.get("remote_code")) and _consent(declaration.id, weights, revision, options)
    told = {name: value for name, value in settings.items() if name not in _OURS}
    told |= {"weights": weights, "revision": revision, "device": options.device, "dtype": options.dtype}
    told |= {"allow_download": options.allow_download, "trust_remote_code": trusts}
    return AdapterSettings(
        command=_command(declaration, settings),
        told=told,
        send_bytes=settings.get("send", "path") == "bytes",
        input_rate_hz=int(settings.get("input_rate_hz", _RATE_HZ)),
        load_limit_s=float(settings.get("load_limit_s", _LOAD_LIMIT_S)),
    )


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


def _consent(system: str, weights: str, revision: str, options: Options) -> bool:
    """True where a person allowed the code that comes with these weights; raises EngineError where not."""
    if Path(weights).expanduser().is_dir():
        name = weights
    elif revision:
        name = f"{weights}@{revision}"
    else:
        raise EngineError("adapters.remote_code_revision", system=system, weights=weights)
    if name not in options.allow_remote_code:
        raise EngineError("adapters.remote_code", system=system, name=name)
    return True
