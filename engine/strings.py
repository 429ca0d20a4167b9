"""Sentences in the user's language, from ``resources/strings/<language>/<room>.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from typing import Any

from engine.shipped import shipped

LANGUAGES = ("en", "zh")
_CODE = re.compile(r"[a-z_]{1,40}\.[a-z0-9_]{1,60}")


def text(key: str, language: str = "en", /, **values: Any) -> str:
    """The sentence ``key`` (``room.section.name``) in ``language``, with ``values`` put into its ``{places}``.

    A list among the values is joined as the language joins one. Raises KeyError for a key that no file has: that is a
    bug, and a test reads every key the code uses.
    """
    for name, value in values.items():
        if isinstance(value, list | tuple):
            values[name] = listed(value, language)
    return entry(key, language).format_map(values)


def listed(names: Iterable[object], language: str = "en") -> str:
    """``names`` one after another: ``a, b``, in Chinese ``a、b``."""
    return entry("query.word.comma", language).join(map(str, names))


def entry(key: str, language: str = "en") -> str:
    """The sentence ``key`` as it stands in the file, its places unfilled."""
    room, *path = key.split(".")
    found: Any = _room(language, room)
    for part in path:
        found = found[part]
    return str(found)


def read_ahead() -> None:
    """Read the sentences of all rooms in all languages, so that the first of a room costs nothing later."""
    for language in LANGUAGES:
        for file in sorted(shipped(f"strings/{language}").iterdir()):
            if file.suffix == ".toml":
                _room(language, file.stem)


def read_rooms(rooms: Iterable[str], language: str) -> None:
    """Read the sentences of these rooms, where no other thread waits for it."""
    for room in rooms:
        _room(language, room)


def sentence_of_code(code: str, language: str = "en") -> str:
    """The sentence that a code (``room.name``) of an error or a failure stands for, its values left open with "…".

    For many items of one kind, whose values differ. The code itself where no file has a sentence for it, or where it
    is no code but somebody's words.
    """
    if not _CODE.fullmatch(code):
        return code
    room, _, name = code.partition(".")
    for table in ("failure", "error"):
        try:
            return entry(f"{room}.{table}.{name}", language).format_map(_Gaps())
        except (KeyError, FileNotFoundError):
            continue
    return code


class _Gaps(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return "…"


@cache
def _room(language: str, room: str) -> dict[str, Any]:
    return tomllib.loads(shipped(f"strings/{language}/{room}.toml").read_text(encoding="utf-8"))
