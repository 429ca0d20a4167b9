"""Sentences in the user's language, from ``resources/strings/<language>/<room>.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from engine.shipped import shipped

LANGUAGES = ("en", "zh")


def text(key: str, language: str = "en", /, **values: Any) -> str:
    """The sentence ``key`` (``room.section.name``) in ``language``, with ``values`` put into its ``{places}``.

    Raises KeyError for a key that no file has: that is a bug, and a test reads every key the code uses.
    """
    return entry(key, language).format_map(values)


def entry(key: str, language: str = "en") -> str:
    """The sentence ``key`` as it stands in the file, its places unfilled."""
    room, *path = key.split(".")
    found: Any = _room(language, room)
    for part in path:
        found = found[part]
    return str(found)


@cache
def _room(language: str, room: str) -> dict[str, Any]:
    return tomllib.loads(shipped(f"strings/{language}/{room}.toml").read_text(encoding="utf-8"))
