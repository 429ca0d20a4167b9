"""What a bundle tells beside its sounds: one rater's passes in order, under random ids, and the protocols whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints


@dataclass(frozen=True, slots=True)
class Sound:
    """One clip: the name of its file without ending, random, and its length in frames."""

    id: str
    frames: int


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that was asked: its text, its clips, and the earlier turns as (role, text)."""

    id: str
    question: str
    clips: tuple[str, ...]
    context: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, whoever gave it; ``text`` is empty where no protocol of the rater ever shows it."""

    id: str
    item: str
    clip: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Given:
    """One thing to rate in its place. Gold, traps and hidden repeats look like all others; training is told apart.

    What an item was drawn with, and what a gold item should get, stays with the owner.
    """

    uid: str
    position: int
    kind: str
    answer: str
    letter: str
    other: str | None
    other_letter: str | None
    perceived: str
    dimension: str
    expected: dict[str, int | float | str] | None


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of the rater: ``number`` from 1, under the protocol with that hash."""

    uid: str
    number: int
    protocol: str
    given: tuple[Given, ...]


@dataclass(frozen=True, slots=True)
class KeptProtocol:
    """A protocol as it is put to the rater, with its hash."""

    name: str
    version: int
    language: str
    sha256: str
    declaration: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Contents:
    """All of it. ``title`` names no system; ``study`` and ``rater`` are uids."""

    study: str
    title: str
    rater: str
    rater_name: str
    language: str
    protocols: tuple[KeptProtocol, ...]
    sounds: tuple[Sound, ...]
    items: tuple[Item, ...]
    answers: tuple[Answer, ...]
    passes: tuple[Pass, ...]

    def rows(self) -> dict[str, Any]:
        """As JSON values; ``Contents.of`` reads them back."""
        return asdict(self)

    @classmethod
    def of(cls, rows: Mapping[str, Any]) -> Contents:
        """The contents that ``rows`` gave. Raises KeyError, TypeError or ValueError where they are none."""
        told = dict(rows)
        found = cls(
            **{
                **told,
                "protocols": tuple(KeptProtocol(**entry) for entry in told["protocols"]),
                "sounds": tuple(Sound(**entry) for entry in told["sounds"]),
                "items": tuple(_item(entry) for entry in told["items"]),
                "answers": tuple(Answer(**entry) for entry in told["answers"]),
                "passes": tuple(
                    Pass(**{**entry, "given": tuple(Given(**given) for given in entry["given"])})
                    for entry in told["passes"]
                ),
            }
        )
        found._check()
        return found

    def _check(self) -> None:
        sounds, items = {sound.id for sound in self.sounds}, {item.id for item in self.items}
        answers, protocols = {answer.id for answer in self.answers}, {entry.sha256 for entry in self.protocols}
        named = {clip for item in self.items for clip in item.clips} | {
            answer.clip for answer in self.answers if answer.clip is not None
        }
        given = [given for one in self.passes for given in one.given]
        asked = {entry.answer for entry in given} | {entry.other for entry in given if entry.other is not None}
        is_whole = (
            named <= sounds
            and {answer.item for answer in self.answers} <= items
            and asked <= answers
            and {one.protocol for one in self.passes} <= protocols
        )
        if not is_whole or not self.passes:
            raise ValueError("rows name what is not there")
        _check_kinds(self, *self.protocols, *self.sounds, *self.items, *self.answers, *self.passes, *given)


def _check_kinds(*rows: Any) -> None:
    """Raises TypeError where a field holds another kind of value than it declares; what reads the store trusts it."""
    for row in rows:
        for name, kind in get_type_hints(type(row)).items():
            value = getattr(row, name)
            parts = get_args(kind) if isinstance(kind, UnionType) else (kind,)
            if not isinstance(value, tuple(get_origin(part) or part for part in parts)):
                raise TypeError(f"{type(row).__name__}.{name}")
        expected: dict[str, Any] = getattr(row, "expected", None) or {}
        if not all(isinstance(value, int | float | str) for value in expected.values()):
            raise TypeError("expected")


def _item(entry: Mapping[str, Any]) -> Item:
    turns = tuple((str(role), str(text)) for role, text in entry["context"])
    return Item(**{**entry, "clips": tuple(entry["clips"]), "context": turns})
