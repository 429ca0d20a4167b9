"""A declaration as it is read: hands out each key once; what is wrong in it is told by file and key."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from engine.errors import EngineError

NUMBER = (int, float)
_T = TypeVar("_T")


def read_toml(path: Path, room: str) -> dict[str, Any]:
    """What the file says; raises EngineError ``<room>.declaration_unreadable``."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EngineError(f"{room}.declaration_unreadable", file=str(path), what=str(error)) from error


class Table:
    """One TOML table, or one of those inside it.

    Raises EngineError ``<room>.key_missing``, ``key_unknown`` or ``key_value``.
    """

    def __init__(self, path: Path, room: str, values: dict[str, Any]) -> None:
        self._path, self._room, self._name, self._values = path, room, "", dict(values)

    def has(self, key: str) -> bool:
        """Whether the key is there and was not taken yet."""
        return key in self._values

    def take(self, key: str, kind: Any) -> Any:
        """The value under ``key``, of a type or one of several."""
        if key not in self._values:
            raise self._error("key_missing", key)
        value = self._values.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, value, getattr(kind, "__name__", "number"))
        return value

    def share(self, key: str) -> float:
        """A number from 0 to 1."""
        value = float(self.take(key, NUMBER))
        if not 0 <= value <= 1:
            raise self.wrong(key, value, "0 .. 1")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        """One of the words that are allowed."""
        value = self.take(key, str)
        if value not in allowed:
            raise self.wrong(key, value, " | ".join(allowed))
        return str(value)

    def part(self, key: str, read: Callable[[Self], _T]) -> _T:
        """What ``read`` makes of the table under ``key``, all of whose keys it must take."""
        inner = self._below(key, self.take(key, dict))
        found = read(inner)
        inner.no_more()
        return found

    def tables(self, key: str) -> list[Self]:
        """The tables of an array, each to be read by itself."""
        return [self._below(f"{key}[{i}]", entry) for i, entry in enumerate(self.take(key, list))]

    def no_more(self) -> None:
        """Refuse what nobody took: a key that is unknown, or misspelt."""
        for key in self._values:
            raise self._error("key_unknown", key)

    def wrong(self, key: str, value: object, expected: str) -> EngineError:
        """The error that says what may stand there instead."""
        return self._error("key_value", key, value=repr(value), expected=expected)

    def _below(self, key: str, values: dict[str, Any]) -> Self:
        inner = copy.copy(self)
        inner._name, inner._values = f"{self._name}{key}.", dict(values)
        return inner

    def _error(self, name: str, key: str, **values: Any) -> EngineError:
        return EngineError(f"{self._room}.{name}", file=str(self._path), entry=f"{self._name}{key}", **values)
