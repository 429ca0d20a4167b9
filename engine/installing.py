"""The line to type for a package that is missing, as it works for this Auricle: its own Python, its own source."""

from __future__ import annotations

import json
import os
import shlex
import sys
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

_CHECKOUT = Path(__file__).parent.parent


def pip_install(*names: str) -> str:
    """The line that installs ``names`` where this Auricle looks for packages; another pip would put them elsewhere."""
    return " ".join((_quoted(sys.executable or "python3"), "-m pip install", *map(_quoted, names)))


def install_alone(*names: str) -> str:
    """The same without what ``names`` ask for: it is more than they need here."""
    return pip_install("--no-deps", *names)


def install_extra(extra: str) -> str:
    """The line that adds one of Auricle's extras: to a checkout, to the wheel or address it came from, or by name."""
    folder, address = _origin()
    if folder:
        return pip_install("-e", f"{folder}[{extra}]")
    return pip_install(f"auricle[{extra}] @ {address}" if address else f"auricle[{extra}]")


def install_auricle() -> str:
    """The line that installs Auricle again, with what it stands on."""
    folder, address = _origin()
    if folder:
        return pip_install("-e", folder)
    return pip_install("--upgrade", f"auricle @ {address}" if address else "auricle")


@cache
def _origin() -> tuple[str, str]:
    """The folder of the checkout that runs, and the address it was installed from; "" where there is none."""
    if (_CHECKOUT / "pyproject.toml").is_file():
        return str(_CHECKOUT), ""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        told = json.loads(distribution("auricle").read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return "", ""
    address = str(told.get("url", ""))
    if "dir_info" in told:  # a folder that it was built from
        return unquote(urlsplit(address).path), ""
    return "", address if urlsplit(address).scheme == "file" else ""


def _quoted(word: str) -> str:
    if os.name == "nt":  # its shells know no single quotes
        return f'"{word}"' if " " in word else word
    return shlex.quote(word)
