"""Errors that a user can mend: a code, the values it speaks of, and the sentence made of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.strings import sentence_of_code, text
from engine.text.near import nearest


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
        """The error as one sentence in ``language`` (``"en"`` or ``"zh"``).

        One that another version of Auricle wrote down may lack a value: its place is left open, or the code stands.
        """
        room, _, name = self.code.partition(".")
        try:
            return text(f"{room}.error.{name}", language, **self.values, **self._reason(language))
        except (KeyError, FileNotFoundError):
            return sentence_of_code(self.code, language)

    def _reason(self, language: str) -> dict[str, str]:
        """The sentence of the failure behind the error, where ``because`` has its code and values."""
        if "because" not in self.values:
            return {}
        code, values = self.values["because"]
        room, _, name = code.partition(".")
        return {"reason": text(f"{room}.failure.{name}", language, **values)}

    def __reduce__(self) -> tuple[Any, ...]:
        return (_rebuilt, (type(self), self.code, self.values))


def unknown(code: str, name: str, known: Iterable[str], **values: Any) -> EngineError:
    """The error that ``name`` is none of ``known``: ``code`` with them all, or ``code_near`` with the one meant."""
    names = list(known)
    near = nearest(name, names)
    if near is None:
        return EngineError(code, known=list(names), **values)
    return EngineError(f"{code}_near", near=near, **values)


def _rebuilt(kind: type[EngineError], code: str, values: dict[str, Any]) -> EngineError:
    return kind(code, **values)
