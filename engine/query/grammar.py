"""Reads a filter: ``per>0.05 emotion:sad "少林" state:unparsable -tag:seen (length:1..3 OR mismatch:*)``.

Terms side by side all have to hold; ``OR`` and parentheses, ``-`` or ``NOT`` before a term, ``,`` between values.
Full-width punctuation of a Chinese keyboard reads as its ASCII twin.
"""

from __future__ import annotations

import re
from typing import NoReturn

from engine.errors import EngineError
from engine.query.fields import FLAGS, Field, find_field, nearest_field
from engine.query.read_items import read_item
from engine.query.tree import (
    EVERYTHING,
    AllOf,
    AnyOf,
    Bound,
    Condition,
    Item,
    Not,
    Operator,
    Pattern,
    Span,
    Term,
    Words,
)
from engine.store.search import match_query

MOST_TERMS = 200
DEEPEST = 30
IS = "is"  # is:flipped is how a flag is asked for

_NAME = re.compile(r"[^\W\d][\w-]*")
_SIGN = re.compile(r"\s*(<=|>=|!=|<|>|=)\s*|:")
_WORD = re.compile(r'[^\s()"]+')
_VALUE = re.compile(r'[^\s(),"]+')
_AND, _OR, _NOT = (re.compile(rf"{word}(?=[\s()\"-]|$)") for word in ("AND", "OR", "NOT"))
_ASCII = str.maketrans("：＞＜＝（），“”＂　－", ':><=(),""" -')


def parse(text: str) -> Term:
    """The tree of a filter; an empty text is the filter that everything passes.

    Raises EngineError ``query.*`` whose values ``start`` and ``end`` are the characters that are wrong.
    """
    return _Reader(text).read()


class _Reader:
    """Goes through the text once; ``_at`` is the next character that was not read yet."""

    def __init__(self, text: str) -> None:
        self._written = text
        self._text = text.translate(_ASCII)  # one character for one, so that places stay
        self._at = 0
        self._terms = 0

    def read(self) -> Term:
        self._skip()
        if self._at == len(self._text):
            return EVERYTHING
        tree = self._alternatives(0)
        if self._at < len(self._text):
            self._fail("unexpected_parenthesis", self._at, self._at + 1)
        return tree

    def _alternatives(self, depth: int) -> Term:
        start = self._at
        terms = [self._together(depth)]
        while self._takes(_OR):
            terms.append(self._together(depth))
        span = Span(start, self._end())
        flat = [inner for term in terms for inner in (term.terms if isinstance(term, AnyOf) else (term,))]
        return terms[0] if len(terms) == 1 else AnyOf(tuple(flat), span)

    def _together(self, depth: int) -> Term:
        start = self._at
        terms: list[Term] = []
        while self._at < len(self._text) and self._text[self._at] != ")" and not _OR.match(self._text, self._at):
            if self._takes(_AND):
                if not terms:
                    self._fail("missing_term", start, start + 3)
                terms.append(self._unit(depth, self._at - 1))
            else:
                terms.append(self._unit(depth, self._at))
        if not terms:
            where = max(0, min(self._at, len(self._text)) - 1)
            self._fail("missing_term", where, where + 1)
        flat = [inner for term in terms for inner in (term.terms if isinstance(term, AllOf) else (term,))]
        return terms[0] if len(terms) == 1 else AllOf(tuple(flat), Span(start, self._end()))

    def _unit(self, depth: int, before: int) -> Term:
        start = self._at
        self._terms += 1
        if self._terms > MOST_TERMS or depth > DEEPEST:
            self._fail("too_long", start, len(self._text), most=MOST_TERMS)
        if start == len(self._text) or self._text[start] == ")" or self._text[start].isspace():
            self._fail("missing_term", max(0, before), max(1, before + 1))
        if self._takes(_NOT) or self._takes_sign("-"):
            return Not(self._unit(depth + 1, start), Span(start, self._end()))
        if self._text[start] == "(":
            return self._group(depth)
        name = _NAME.match(self._text, start)
        sign = _SIGN.match(self._text, name.end()) if name else None
        if name and sign and (sign[1] is None or find_field(name[0]) or name.end() == sign.start(1)):
            return self._test(name, sign)
        return self._words()

    def _group(self, depth: int) -> Term:
        start = self._at
        self._at += 1
        self._skip()
        if self._text[self._at : self._at + 1] == ")":
            self._fail("missing_term", start, self._at + 1)
        inner = self._alternatives(depth + 1)
        if self._text[self._at : self._at + 1] != ")":
            self._fail("open_parenthesis", start, start + 1)
        self._at += 1
        self._skip()
        return inner

    def _words(self) -> Words:
        start = self._at
        is_phrase = self._text[start] == '"'
        text = self._quoted() if is_phrase else self._take(_WORD)
        span = Span(start, self._at)
        if not match_query(text):
            self._fail("nothing_to_find", span.start, span.end, text=text)
        self._skip()
        return Words(text, is_phrase, span)

    def _test(self, name: re.Match[str], sign: re.Match[str]) -> Term:
        start, self._at = name.start(), sign.end()
        operator = sign[1] or ":"
        if name[0].casefold() == IS:
            return self._flag(start)
        field = find_field(name[0])
        if field is None:
            self._fail_name("field", name, nearest_field(name[0]))
        items: list[Item] = []
        while True:
            items.append(self._item(field, operator, start))
            if operator != ":" or self._text[self._at : self._at + 1] != ",":
                break
            self._at += 1
        span = Span(start, self._at)
        self._skip()
        test = Condition(field.name, tuple(items), span)
        return Not(test, span) if operator == "!=" else test

    def _item(self, field: Field, operator: str, term: int) -> Item:
        start = self._at
        is_quoted = self._text[start : start + 1] == '"'
        found = _VALUE.match(self._text, start)
        if not is_quoted and found is None:
            self._fail("missing_value", term, start, field=field.name)
        text = self._quoted() if is_quoted else self._take(_VALUE)
        span = Span(start, self._at)
        if operator == ":":
            return read_item(field, text, is_quoted, span)
        number = read_item(field, text, is_quoted, span)
        if not isinstance(number, Bound):
            if field.kind == "number" or operator not in ("=", "!="):
                self._fail("not_comparable", term, span.end, field=field.name)
            return number
        signs: dict[str, Operator] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
        return Bound(signs.get(operator, "="), number.value)

    def _flag(self, start: int) -> Condition:
        name = _NAME.match(self._text, self._at)
        if name is None:
            self._fail("missing_value", start, self._at, field=IS)
        field = find_field(name[0])
        if field is None or field.kind != "flag":
            self._fail("unknown_flag", name.start(), name.end(), name=name[0], known=list(FLAGS))
        self._at = name.end()
        span = Span(start, self._at)
        self._skip()
        return Condition(field.name, (Pattern("yes"),), span)

    def _quoted(self) -> str:
        """What stands between the quotes at ``_at``, a backslash keeping the character after it."""
        start = self._at
        found = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL).match(self._text, start)
        if found is None:
            self._fail("open_quote", start, len(self._text))
        self._at = found.end()
        return re.sub(r"\\(.)", r"\1", self._written[start + 1 : found.end() - 1], flags=re.DOTALL)

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        start, self._at = self._at, found.end() if found else self._at
        return self._written[start : self._at]

    def _takes(self, keyword: re.Pattern[str]) -> bool:
        found = keyword.match(self._text, self._at)
        if found:
            self._at = found.end()
            self._skip()
        return found is not None

    def _takes_sign(self, sign: str) -> bool:
        if not self._text.startswith(sign, self._at):
            return False
        self._at += 1
        return True

    def _skip(self) -> None:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1

    def _end(self) -> int:
        """Where what was read ends, blanks behind it left out."""
        return len(self._text[: self._at].rstrip())

    def _fail_name(self, what: str, name: re.Match[str], meant: str | None) -> NoReturn:
        if meant is None:
            self._fail(f"unknown_{what}", name.start(), name.end(), name=name[0])
        self._fail(f"unknown_{what}_meant", name.start(), name.end(), name=name[0], meant=meant)

    def _fail(self, code: str, start: int, end: int, **values: object) -> NoReturn:
        raise EngineError(f"query.{code}", start=start, end=end, **values)
