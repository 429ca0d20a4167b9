"""Judges as declared in resources/judges/*.toml, loaded into frozen values; an error names file and key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from engine.declared import NUMBER, Table, read_toml
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
    """The judge declared in ``path``.

    Raises EngineError ``judges.key_missing``, ``key_unknown``, ``key_value`` or ``declaration_unreadable``.
    """
    table = Table(path, "judges", read_toml(path, "judges"))
    judge = _judge(table)
    if judge.id != path.stem:
        raise table.wrong("id", judge.id, path.stem)
    table.no_more()
    return judge


def _judge(table: Table) -> Judge:
    verdict = table.part("verdict", _verdict)
    fields = tuple(map(_field, table.tables("field")))
    if [field.judged for field in fields].count(True) != 1:
        raise table.wrong("field", len(fields), "judged = true x 1")
    return Judge(
        id=table.take("id", str),
        version=table.take("version", int),
        title=table.part("title", _by_language),
        subject=cast(Any, table.one_of("subject", _SUBJECTS)),
        fields=fields,
        rubric={key: value.strip() for key, value in table.part("rubric", _by_language).items()},
        higher_is_better=table.take("higher_is_better", bool),
        reply_tokens=table.take("reply_tokens", int),
        ask_when=table.part("ask_when", _ask_when) if table.has("ask_when") else None,
        **verdict,
    )


def _verdict(table: Table) -> dict[str, Any]:
    """The kind of verdict with its choices or scale, and the labels that stand before it."""
    kind = cast(Kind, table.one_of("kind", _KINDS))
    choices = tuple(map(_choice, table.tables("choice"))) if kind != "score" else ()
    scale = tuple(table.take("scale", list)) if kind == "score" else ()
    labels = table.part("label", _words)
    table.no_more()
    if (kind == "binary" and len(choices) != 2) or (kind == "choice" and len(choices) < 2):
        raise table.wrong("choice", len(choices), "2" if kind == "binary" else ">= 2")
    if kind == "score" and not _is_scale(scale):
        raise table.wrong("scale", list(scale), "[1, 2, 3, 4, 5]")
    return {"kind": kind, "choices": choices, "scale": scale, "labels": labels}


def _is_scale(steps: tuple[Any, ...]) -> bool:
    return len(steps) >= 2 and all(type(step) is int for step in steps) and list(steps) == sorted(set(steps))


def _ask_when(table: Table) -> tuple[str, tuple[str, ...]]:
    return table.take("judge", str), tuple(table.take("verdicts", list))


def _choice(table: Table) -> Choice:
    score = table.take("score", NUMBER)
    return Choice(table.take("name", str), float(score), _words(table))


def _field(table: Table) -> Field:
    judged = table.take("judged", bool) if table.has("judged") else False
    return Field(table.take("name", str), _by_language(table), judged)


def _words(table: Table) -> dict[str, tuple[str, ...]]:
    words = {language: tuple(table.take(language, list)) for language in LANGUAGES}
    table.no_more()
    for language, some in words.items():
        if not some or not all(isinstance(word, str) and word for word in some):
            raise table.wrong(language, list(some), '["..."]')
    return words


def _by_language(table: Table) -> dict[str, str]:
    texts = {language: table.take(language, str) for language in LANGUAGES}
    table.no_more()
    return texts
