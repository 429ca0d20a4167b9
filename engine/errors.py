"""Errors that a user can mend: a code, the values it speaks of, and the sentence made of both."""

from __future__ import annotations

from typing import Any

from engine.strings import text


class EngineError(Exception):
    """The input, the files or the machine stand in the way.

    ``code`` is ``room.name`` (``audio.empty_file``); its sentence is in ``resources/strings/<language>/<room>.toml``
    under ``[error]`` and says what to change. Programs read ``code`` and ``values``, people read ``str(error)``.
    """

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values

    def __str__(self) -> str:
        return self.sentence("en")

    def sentence(self, language: str) -> str:
        """The error as one sentence in ``language`` (``"en"`` or ``"zh"``)."""
        room, _, name = self.code.partition(".")
        return text(f"{room}.error.{name}", language, **self.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self), self.code, self.values))


def _rebuilt(kind: type[EngineError], code: str, values: dict[str, Any]) -> EngineError:
    return kind(code, **values)
