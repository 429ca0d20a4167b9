"""Judges as declared in resources/judges/*.toml, loaded into frozen values; an error names file and key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from engine.errors import EngineError
from engine.shipped import shipped
from engine.strings import LANGUAGES

Kind = Literal["binary", "score", "choice"]
_KINDS = ("binary", "score", "choice")
_SUBJECTS = ("response_text", "transcript")


@dataclass(frozen=True, slots=True)
class Choice:
    """One verdict of a binary or choice judge: its name, what it counts, and the words it is given in, by language.

    The first word of a language is the one the judge is asked to write; the others are understood too.
    """

    name: str
    score: float
    words: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Field:
    """One text put before the judge; ``title`` names it in the prompt, ``judged`` marks the answer under judgement."""

    name: str
    title: Mapping[str, str]
    judged: bool = False


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge as declared: what it is asked, in which words it answers, and what a verdict counts.

    ``choices`` belong to binary and choice judges, ``scale`` (steps, lowest first) to score judges. ``labels`` stand
    before the verdict, the one asked for first. ``reply_tokens`` is the usual length of a reply, for estimates.
    ``ask_when`` names the judge and the verdicts after which this one is
    asked, e.g. ``("safety_refusal", ("partly", "complied"))``; None means always.
    """

    id: str
    version: int
    title: Mapping[str, str]
    kind: Kind
    subject: Literal["response_text", "transcript"]
    fields: tuple[Field, ...]
    labels: Mapping[str, tuple[str, ...]]
    rubric: Mapping[str, str]
    choices: tuple[Choice, ...] = ()
    scale: tuple[int, ...] = ()
    higher_is_better: bool = True
    reply_tokens: int = 300
    ask_when: tuple[str, tuple[str, ...]] | None = None


def load_judge(name: str) -> Judge:
    """The shipped judge of that id; raises EngineError ``judges.unknown_judge`` naming those there are."""
    judges = load_judges()
    if name not in judges:
        raise EngineError("judges.unknown_judge", judge=name, known=", ".join(sorted(judges)))
    return judges[name]


def load_judges() -> dict[str, Judge]:
    """Every shipped judge by id."""
    return {judge.id: judge for judge in _shipped_judges()}


@cache
def _shipped_judges() -> tuple[Judge, ...]:
    return tuple(map(read_judge, sorted(shipped("judges").glob("*.toml"))))


def read_judge(path: Path) -> Judge:
    """The judge declared in ``path``; raises EngineError ``judges.key_missing``, ``key_unknown`` or ``key_value``."""
    try:
        table = _Table(path, "", tomllib.loads(path.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise EngineError("judges.declaration_unreadable", file=str(path), what=str(error)) from error
    judge = _judge(table)
    if judge.id != path.stem:
        raise table.wrong("id", judge.id, path.stem)
    table.no_more()
    return judge


def _judge(table: _Table) -> Judge:
    verdict = table.table("verdict")
    kind = cast(Kind, verdict.one_of("kind", _KINDS))
    choices = tuple(map(_choice, verdict.tables("choice"))) if kind != "score" else ()
    scale = tuple(verdict.take("scale", list)) if kind == "score" else ()
    labels = _words(verdict.table("label"))
    verdict.no_more()
    if (kind == "binary" and len(choices) != 2) or (kind == "choice" and len(choices) < 2):
        raise verdict.wrong("choice", len(choices), "2" if kind == "binary" else ">= 2")
    if kind == "score" and not _is_scale(scale):
        raise verdict.wrong("scale", list(scale), "[1, 2, 3, 4, 5]")
    fields = tuple(map(_field, table.tables("field")))
    if [field.judged for field in fields].count(True) != 1:
        raise table.wrong("field", len(fields), "judged = true x 1")
    return Judge(
        id=table.take("id", str),
        version=table.take("version", int),
        title=_by_language(table.table("title")),
        kind=kind,
        subject=cast(Any, table.one_of("subject", _SUBJECTS)),
        fields=fields,
        labels=labels,
        rubric={key: value.strip() for key, value in _by_language(table.table("rubric")).items()},
        choices=choices,
        scale=scale,
        higher_is_better=table.take("higher_is_better", bool),
        reply_tokens=table.take("reply_tokens", int),
        ask_when=_ask_when(table),
    )


def _is_scale(steps: tuple[Any, ...]) -> bool:
    return len(steps) >= 2 and all(type(step) is int for step in steps) and list(steps) == sorted(set(steps))


def _ask_when(table: _Table) -> tuple[str, tuple[str, ...]] | None:
    if not table.has("ask_when"):
        return None
    condition = table.table("ask_when")
    found = condition.take("judge", str), tuple(condition.take("verdicts", list))
    condition.no_more()
    return found


def _choice(table: _Table) -> Choice:
    score = table.take("score", (int, float))
    return Choice(table.take("name", str), float(score), _words(table))


def _field(table: _Table) -> Field:
    judged = table.take("judged", bool) if table.has("judged") else False
    return Field(table.take("name", str), _by_language(table), judged)


def _words(table: _Table) -> dict[str, tuple[str, ...]]:
    words = {language: tuple(table.take(language, list)) for language in LANGUAGES}
    table.no_more()
    for language, some in words.items():
        if not some or not all(isinstance(word, str) and word for word in some):
            raise table.wrong(language, list(some), '["..."]')
    return words


def _by_language(table: _Table) -> dict[str, str]:
    texts = {language: table.take(language, str) for language in LANGUAGES}
    table.no_more()
    return texts


class _Table:
    """One TOML table being read: hands out each key once and names file and key when one is missing or unknown."""

    def __init__(self, path: Path, name: str, values: dict[str, Any]) -> None:
        self._path, self._name, self._values = path, name, dict(values)

    def has(self, key: str) -> bool:
        return key in self._values

    def take(self, key: str, kind: Any) -> Any:
        if key not in self._values:
            raise EngineError("judges.key_missing", file=str(self._path), entry=f"{self._name}{key}")
        value = self._values.pop(key)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(key, value, getattr(kind, "__name__", "number"))
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str:
        value = self.take(key, str)
        if value not in allowed:
            raise self.wrong(key, value, " | ".join(allowed))
        return str(value)

    def table(self, key: str) -> _Table:
        return _Table(self._path, f"{self._name}{key}.", self.take(key, dict))

    def tables(self, key: str) -> list[_Table]:
        return [_Table(self._path, f"{self._name}{key}[{i}].", entry) for i, entry in enumerate(self.take(key, list))]

    def no_more(self) -> None:
        for key in self._values:
            raise EngineError("judges.key_unknown", file=str(self._path), entry=f"{self._name}{key}")

    def wrong(self, key: str, value: object, expected: str) -> EngineError:
        return EngineError(
            "judges.key_value", file=str(self._path), entry=f"{self._name}{key}", value=repr(value), expected=expected
        )
