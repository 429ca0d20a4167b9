"""A declared table as it is read in one language; what is wrong in it is told by file and key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from engine.errors import EngineError
from engine.strings import LANGUAGES

NUMBER = (int, float)
_T = TypeVar("_T")


class Table:
    """One TOML table: hands out each key once.

    Raises EngineError ``rating.key_missing``, ``key_unknown`` or ``key_value``.
    """

    def __init__(self, path: Path, name: str, values: dict[str, Any], language: str) -> None:
        self._path, self._name, self._values, self.language = path, name, dict(values), language

    def has(self, key: str) -> bool:
        """Whether the key is there and was not taken yet."""
        return key in self._values

    def take(self, key: str, kind: Any) -> Any:
        """The value under ``key``, of a type or one of several."""
        if key not in self._values:
            raise EngineError("rating.key_missing", file=str(self._path), entry=f"{self._name}{key}")
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

    def wording(self, key: str) -> str:
        """The text under ``key`` in the language that is read."""
        words = self._below(key, self.take(key, dict))
        found = str(words.take(self.language, str)).strip()
        if not found:
            raise words.wrong(self.language, found, "...")
        for other in LANGUAGES:
            words._values.pop(other, None)
        words.no_more()
        return found

    def part(self, key: str, read: Callable[[Table], _T]) -> _T:
        """What ``read`` makes of the table under ``key``, all of whose keys it must take."""
        inner = self._below(key, self.take(key, dict))
        found = read(inner)
        inner.no_more()
        return found

    def tables(self, key: str) -> list[Table]:
        """The tables of an array, each to be read by itself."""
        return [self._below(f"{key}[{i}]", entry) for i, entry in enumerate(self.take(key, list))]

    def no_more(self) -> None:
        """Refuse what nobody took: a key that is unknown, or misspelt."""
        for key in self._values:
            raise EngineError("rating.key_unknown", file=str(self._path), entry=f"{self._name}{key}")

    def wrong(self, key: str, value: object, expected: str) -> EngineError:
        """The error that says what may stand there instead."""
        return EngineError(
            "rating.key_value", file=str(self._path), entry=f"{self._name}{key}", value=repr(value), expected=expected
        )

    def _below(self, key: str, values: dict[str, Any]) -> Table:
        return Table(self._path, f"{self._name}{key}.", values, self.language)
