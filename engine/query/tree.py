"""A filter as a tree of frozen values. Where a term stood in the text is told, but makes no two trees unequal."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal, TypeAlias

Operator = Literal["<", "<=", ">", ">=", "="]


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start:end`` of the text that was read."""

    start: int
    end: int


NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Bound:
    """A number on one side of ``value``, or equal to it."""

    operator: Operator
    value: float


@dataclass(frozen=True, slots=True)
class Range:
    """A number from ``low`` to ``high``, both included; None leaves a side open, but not both."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Pattern:
    """A value by name, upper and lower case alike; ``*`` stands for any characters unless it was quoted."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """AnyOf value at all: the field is not missing (``per:*``)."""


Item: TypeAlias = Bound | Range | Pattern | Given


@dataclass(frozen=True, slots=True)
class Words:
    """The question, the answer or what was heard holds ``text``; as it stands where it is a ``phrase``."""

    text: str
    phrase: bool = False
    span: Span = dataclasses.field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """``field`` is any of ``items``."""

    field: str
    items: tuple[Item, ...]
    span: Span = dataclasses.field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """``term`` does not hold; a missing value makes neither hold."""

    term: Term
    span: Span = dataclasses.field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every term holds; without terms, every answer does."""

    terms: tuple[Term, ...] = ()
    span: Span = dataclasses.field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one term holds."""

    terms: tuple[Term, ...]
    span: Span = dataclasses.field(default=NOWHERE, compare=False)


Term: TypeAlias = Words | Condition | Not | AllOf | AnyOf
EVERYTHING = AllOf()


def fields_in(tree: Term) -> set[str]:
    """The names of all fields that a filter speaks of."""
    if isinstance(tree, Condition):
        return {tree.field}
    if isinstance(tree, Not):
        return fields_in(tree.term)
    return set() if isinstance(tree, Words) else {name for term in tree.terms for name in fields_in(term)}


def top_terms(tree: Term) -> tuple[Term, ...]:
    """What a filter bar shows as one chip each: the terms that all have to hold."""
    return tree.terms if isinstance(tree, AllOf) else (tree,)
