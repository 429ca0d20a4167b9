"""Which instances a filter names before there is any answer to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Protocol

from engine.query.fields import Method
from engine.query.grammar import parse
from engine.query.rows import sorted_ids
from engine.query.tree import AllOf, AnyOf, Condition, Given, Item, Not, Pattern, Term, Words, fields_in
from engine.store.answers import instances_answered_by

_OF_AN_INSTANCE = ("benchmark", "subset", "key", "category", "language", "question")


class Instance(Protocol):
    """What such a filter looks at."""

    @property
    def id(self) -> int: ...  # noqa: D102
    @property
    def question(self) -> str: ...  # noqa: D102


def instances_where(
    db: sqlite3.Connection, instances: Iterable[Instance], where: str, method: Method = "corrected"
) -> set[int]:
    """Ids of the instances that pass ``where``.

    A filter about what is asked alone (subset, category, language, words of the question …) looks at the instances.
    One that names anything of an answer takes the instances whose answers, of any system, pass it.
    """
    tree = parse(where)
    if fields_in(tree) <= set(_OF_AN_INSTANCE):
        return {instance.id for instance in instances if _passes(tree, instance)}
    return instances_answered_by(db, sorted_ids(db, tree, (), method).tolist())


def _passes(tree: Term, instance: Instance) -> bool:
    if isinstance(tree, Words):
        return _all_words(tree.text, instance.question, whole=tree.phrase)
    if isinstance(tree, Not):
        return not _passes(tree.term, instance)
    if isinstance(tree, Condition):
        return any(_fits(tree.field, item, instance) for item in tree.items)
    every: Callable[[Iterable[bool]], bool] = any if isinstance(tree, AnyOf) else all
    assert isinstance(tree, (AllOf, AnyOf))
    return every(_passes(term, instance) for term in tree.terms)


def _fits(field: str, item: Item, instance: Instance) -> bool:
    value = str(getattr(instance, field) or "")
    if isinstance(item, Given):
        return bool(value)
    if not isinstance(item, Pattern):
        return False
    if field == "question":
        return _all_words(item.text, value, whole=item.quoted)
    wanted = item.text.casefold()
    return value.casefold() == wanted if item.quoted else fnmatchcase(value.casefold(), wanted.replace("[", "[[]"))


def _all_words(wanted: str, text: str, *, whole: bool) -> bool:
    parts: Sequence[str] = [wanted] if whole else wanted.split()
    return all(part.casefold() in text.casefold() for part in parts)
