"""The one function that finds files that ship with the program, in a checkout or in an installed wheel."""

from __future__ import annotations

from pathlib import Path

_INSTALLED = Path(__file__).parent / "_shipped"
_CHECKOUT = Path(__file__).parent.parent


def shipped(name: str) -> Path:
    """The path of a shipped file or folder: ``"judges/knowledge.toml"`` in resources, or ``"data/sample"``.

    Raises FileNotFoundError when it is not there, which means a damaged installation.
    """
    inside = name if name.startswith("data/") else f"resources/{name}"
    for root in (_INSTALLED, _CHECKOUT):
        path = root / inside
        if path.exists():
            return path
    raise FileNotFoundError(f"{inside} is missing from this installation of Auricle: install it again")


def notice() -> str:
    """What ships with the program and what it is built on, with licences: the file NOTICE.

    Raises FileNotFoundError when it is not there, which means a damaged installation.
    """
    if not _INSTALLED.exists() and (_CHECKOUT / "NOTICE").exists():
        return (_CHECKOUT / "NOTICE").read_text(encoding="utf-8")
    from importlib import metadata  # a twentieth of the window's start

    for file in metadata.files("auricle") or ():
        if file.name == "NOTICE":
            return Path(str(file.locate())).read_text(encoding="utf-8")
    raise FileNotFoundError("NOTICE is missing from this installation of Auricle: install it again")
