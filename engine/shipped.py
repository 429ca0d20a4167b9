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
