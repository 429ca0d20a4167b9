"""A declared table as it is read in one language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine import declared
from engine.strings import LANGUAGES


class Table(declared.Table):
    """One TOML table of a protocol, whose texts are read in ``language``."""

    def __init__(self, path: Path, values: dict[str, Any], language: str) -> None:
        super().__init__(path, "rating", values)
        self.language = language

    def wording(self, key: str) -> str:
        """The text under ``key`` in the language that is read."""
        return self.part(key, Table._wording)

    def _wording(self) -> str:
        found = str(self.take(self.language, str)).strip()
        if not found:
            raise self.wrong(self.language, found, "...")
        for other in LANGUAGES:
            self._values.pop(other, None)
        return found
