"""Reads one value behind a field: a number, a range, a name, or one of the field's choices."""

from __future__ import annotations

import re
from functools import cache

from engine.errors import EngineError
from engine.query.fields import NONE, Field, choice_label, nearest
from engine.query.tree import Bound, Given, Item, Pattern, Range, Span
from engine.store.search import match_query
from engine.strings import LANGUAGES

_NUMBER = r"([-+−]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)(%?)s?"
_ONE = re.compile(_NUMBER)
_BOTH = re.compile(rf"(?:{_NUMBER})?\.\.(?:{_NUMBER})?")
_YES = {"yes": "yes", "true": "yes", "1": "yes", "是": "yes", "no": "no", "false": "no", "0": "no", "否": "no"}


def read_item(field: Field, text: str, is_quoted: bool, span: Span) -> Item:
    """The value that ``text`` is for ``field``.

    Raises EngineError: ``query.not_a_number``, ``query.range_backwards``, ``query.unknown_value(_meant)``,
    ``query.nothing_to_find``.
    """
    if text == "*" and not is_quoted:
        return Given()
    if field.kind == "number":
        return _number(field, text, span)
    if field.kind == "text" and not match_query(text):
        raise EngineError("query.nothing_to_find", start=span.start, end=span.end, text=text)
    if field.kind == "flag":
        answer = _YES.get(text.casefold())
        if answer is None:
            raise EngineError("query.unknown_value_meant", **_where(field, text, span), meant="yes")
        return Pattern(answer)
    if field.kind == "choice" or (field.kind == "words" and not field.is_open):
        return _choice(field, text, is_quoted, span)
    return Pattern(text, is_quoted)


def _number(field: Field, text: str, span: Span) -> Item:
    one = _ONE.fullmatch(text)
    if one:
        return Bound("=", _value(one[1], one[2]))
    both = _BOTH.fullmatch(text)
    if both is None or (both[1] is None and both[3] is None):
        raise EngineError("query.not_a_number", **_where(field, text, span))
    low = None if both[1] is None else _value(both[1], both[2])
    high = None if both[3] is None else _value(both[3], both[4])
    if low is not None and high is not None and low > high:
        raise EngineError("query.range_backwards", **_where(field, text, span))
    return Range(low, high)


def _value(digits: str, percent: str) -> float:
    value = float(digits.replace("−", "-"))
    return value / 100 if percent else value


def _choice(field: Field, text: str, is_quoted: bool, span: Span) -> Pattern:
    known = _choices(field)
    found = known.get(text.casefold().replace("-", "_"))
    if found is not None:
        return Pattern(found)
    pattern = re.compile(".*".join(map(re.escape, text.casefold().split("*"))))
    if "*" in text and not is_quoted and any(pattern.fullmatch(choice) for choice in field.choices):
        return Pattern(text)
    meant = nearest(text.casefold(), list(known)) or ", ".join(field.choices)
    raise EngineError("query.unknown_value_meant", **_where(field, text, span), meant=known.get(meant, meant))


@cache
def _choices(field: Field) -> dict[str, str]:
    """The choices of ``field`` by name and by what they are called in each language."""
    own = (*field.choices, NONE) if field.kind == "words" else field.choices
    labels = {choice_label(choice, language).casefold(): choice for language in LANGUAGES for choice in own}
    return labels | {choice: choice for choice in own}


def _where(field: Field, text: str, span: Span) -> dict[str, object]:
    return {"field": field.name, "value": text, "start": span.start, "end": span.end}
