"""A tree told again: as the text that reads as the same tree, and as chips that people read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.query.fields import FIELDS, choice_label
from engine.query.tree import AllOf, AnyOf, Bound, Condition, Given, Item, Not, Pattern, Range, Term, Words, top_terms
from engine.strings import text

_LABELLED = ("choice", "words", "flag")  # kinds of fields whose values people call otherwise


@dataclass(frozen=True, slots=True)
class ChipPart:
    """A piece of a chip: a field's name, a value, or a word between them (or, not)."""

    kind: Literal["field", "value", "word"]
    text: str


@dataclass(frozen=True, slots=True)
class Chip:
    """One top-level term: its own text, which reads alone as the same term, and its pieces for people."""

    text: str
    parts: tuple[ChipPart, ...]

    @property
    def plain(self) -> str:
        """The pieces as one line."""
        return " ".join(part.text for part in self.parts)


def to_text(tree: Term) -> str:
    """A text that ``parse`` reads as ``tree``."""
    return _told(tree, 0)


def chips(tree: Term, language: str) -> tuple[Chip, ...]:
    """The terms that all have to hold, one chip each."""
    return tuple(Chip(_told(term, 0), tuple(_parts(term, language))) for term in top_terms(tree))


def joined(terms: list[str]) -> str:
    """Texts of terms as one filter in which all of them have to hold."""
    from engine.query.grammar import parse

    found = tuple(term for written in terms for term in top_terms(parse(written)))
    return to_text(found[0] if len(found) == 1 else AllOf(found))


def _told(term: Term, tightness: int) -> str:
    """``tightness``: 0 where anything may stand, 1 beside other terms, 2 behind a minus."""
    if isinstance(term, Words):
        return quoted(term.text) if term.phrase else term.text
    if isinstance(term, Condition):
        return f"is:{term.field}" if _is_flag(term) else _told_test(term)
    if isinstance(term, Not):
        return f"-{_told(term.term, 2)}"
    if isinstance(term, AllOf):
        told = " ".join(_told(inner, 1) for inner in term.terms)
        return f"({told})" if tightness == 2 and term.terms else told
    told = " OR ".join(_told(inner, 1) for inner in term.terms)
    return f"({told})" if tightness else told


def _told_test(test: Condition) -> str:
    if len(test.items) == 1 and isinstance(test.items[0], Bound) and test.items[0].operator != "=":
        return f"{test.field}{test.items[0].operator}{number(test.items[0].value)}"
    return f"{test.field}:{','.join(_told_item(item) for item in test.items)}"


def _is_flag(test: Condition) -> bool:
    return FIELDS[test.field].kind == "flag" and test.items == (Pattern("yes"),)


def _told_item(item: Item) -> str:
    if isinstance(item, Given):
        return "*"
    if isinstance(item, Bound):
        return number(item.value)
    if isinstance(item, Range):
        return f"{_end(item.low)}..{_end(item.high)}"
    return quoted(item.text) if item.quoted else item.text


def number(value: float) -> str:
    """A number as short as it can be read back."""
    return f"{value:.0f}" if value == int(value) and abs(value) < 1e15 else repr(value)


def _end(value: float | None) -> str:
    return "" if value is None else number(value)


def quoted(words: str) -> str:
    """``words`` as they stand between quotes in a filter."""
    escaped = re.sub(r'(["“”＂\\])', r"\\\1", words)
    return f'"{escaped}"'


def _parts(term: Term, language: str) -> Iterator[ChipPart]:
    if isinstance(term, Words):
        yield ChipPart("value", f"“{term.text}”" if term.phrase else term.text)
    elif isinstance(term, Not):
        yield ChipPart("word", text("query.word.not", language))
        yield from _inside(term.term, language)
    elif isinstance(term, Condition):
        yield ChipPart("field", FIELDS[term.field].label(language))
        if not _is_flag(term):
            shown = (_shown(item, term.field, language) for item in term.items)
            yield ChipPart("value", text("query.word.comma", language).join(shown))
    else:
        word = text("query.word.and" if isinstance(term, AllOf) else "query.word.or", language)
        for place, inner in enumerate(term.terms):
            if place:
                yield ChipPart("word", word)
            yield from _inside(inner, language)


def _inside(term: Term, language: str) -> Iterator[ChipPart]:
    if isinstance(term, AllOf | AnyOf):
        yield ChipPart("word", "(")
        yield from _parts(term, language)
        yield ChipPart("word", ")")
    else:
        yield from _parts(term, language)


def _shown(item: Item, field: str, language: str) -> str:
    if isinstance(item, Given):
        return text("query.word.given", language)
    if isinstance(item, Bound):
        sign = "" if item.operator == "=" else f"{item.operator} ".replace("<=", "≤").replace(">=", "≥")
        return f"{sign}{number(item.value)}".replace("-", "−")
    if isinstance(item, Range):
        return f"{_end(item.low)}..{_end(item.high)}".replace("-", "−")
    has_labels = FIELDS[field].kind in _LABELLED and not (isinstance(item, Pattern) and item.quoted)
    return choice_label(item.text, language) if has_labels else item.text
