"""What the three parts of a cascade are to it, and the table that a part is declared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.systems.declaration import SystemDeclaration
from engine.systems.values import Options

PARTS = ("recogniser", "language_model", "synthesiser")
SETTINGS = ("system_prompt", "instruction_place")

Samples = NDArray[np.float32]


class Hearing(Protocol):
    """The recogniser."""

    @property
    def versions(self) -> Mapping[str, str]: ...  # noqa: D102

    def heard(self, audio: Path) -> str:
        """The words of an audio, "" where there are none."""
        ...

    def close(self) -> None: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a language model is to answer: messages {role, content}, and how."""

    messages: tuple[Mapping[str, str], ...]
    seed: int
    time_limit_s: float
    settings: Mapping[str, Any]


class Writing(Protocol):
    """The language model."""

    @property
    def versions(self) -> Mapping[str, str]: ...  # noqa: D102

    def written(self, wanted: Wanted) -> Iterator[str]:
        """The answer in pieces of text as they are written; what is left undone is in ``flags``."""
        ...

    @property
    def flags(self) -> tuple[str, ...]:
        """Of the last answer: ``cut_by_limit``."""
        ...

    def close(self) -> None: ...  # noqa: D102


class Speaking(Protocol):
    """The synthesiser."""

    @property
    def versions(self) -> Mapping[str, str]: ...  # noqa: D102

    def spoken(self, sentence: str, seed: int) -> Iterator[tuple[Samples, int]]:
        """A sentence as mono samples and their rate, in one or more pieces; none where nothing can be said."""
        ...

    def close(self) -> None: ...  # noqa: D102


def merged_parts(declaration: SystemDeclaration, options: Options) -> dict[str, dict[str, Any]]:
    """The tables of the three parts, with a run's settings over the declared ones.

    A setting is a part's table, or a key of it: ``language_model.weights``. Raises EngineError
    ``cascade.unknown_setting`` for what belongs neither to a part nor to the cascade.
    """
    parts = {part: dict(declaration.parts.get(part, {})) for part in PARTS}
    for key, value in {**declaration.settings, **options.settings}.items():
        part, _, name = key.partition(".")
        if part in PARTS:
            parts[part].update({name: value} if name else value)
        elif key not in SETTINGS:
            raise EngineError("cascade.unknown_setting", name=key, known=[*SETTINGS, *PARTS])
    return parts


class Table:
    """One part's table: hands out each key, and says which it does not know."""

    def __init__(self, part: str, told: Mapping[str, Any]) -> None:
        self.part, self._told, self._known = part, dict(told), set[str]()

    def take(self, key: str, usual: Any) -> Any:
        """The value of ``key``, or ``usual``. Raises EngineError ``cascade.part_value`` for one of another type."""
        self._known.add(key)
        value = self._told.get(key, usual)
        if usual is not None and not isinstance(value, (int, float) if isinstance(usual, float) else type(usual)):
            raise EngineError("cascade.part_value", part=self.part, key=key, value=str(value))
        return value

    def no_more(self) -> None:
        """Raises EngineError ``cascade.part_key_unknown`` for the first key that nobody took."""
        for key in self._told:
            if key not in self._known:
                raise EngineError("cascade.part_key_unknown", part=self.part, key=key, known=list(self._known))
