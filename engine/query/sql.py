"""A tree as SQL over ``audit_row``, values apart from text; SQL's own logic keeps a missing value from matching."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.query.fields import FIELDS, NONE, Field, Method
from engine.query.tree import AnyOf, Bound, Condition, Given, Item, Not, Pattern, Range, Term, Words
from engine.store.evidence import standing
from engine.store.search import match_query, phrase_query

SEARCH = "response_id IN (SELECT rowid FROM search WHERE search MATCH ?)"
_TAGGED = f"response_id IN (SELECT response_id FROM tag WHERE {standing('tag')}{{which}})"
_LABELLED = (
    "response_id IN (SELECT response.id FROM response JOIN instance ON instance.id = instance_id"
    " WHERE json_extract(labels, ?) {test})"
)
_COLUMNS = {"question": "question", "answer": "text", "transcript": "transcript"}  # of the search index


@dataclass(frozen=True, slots=True)
class Where:
    """A condition, and the values of its question marks in order."""

    text: str
    values: tuple[str | float, ...] = ()


def where(tree: Term, method: Method) -> Where:
    """The condition under which an answer passes ``tree``."""
    return _gathered(tree, method) or _where(tree, method)


def _where(tree: Term, method: Method) -> Where:
    if isinstance(tree, Words):
        return Where(SEARCH, (phrase_query(tree.text) if tree.phrase else match_query(tree.text),))
    if isinstance(tree, Condition):
        field = FIELDS[tree.field]
        return _joined([_test(field, item, field.expression(method)) for item in tree.items], " OR ")
    if isinstance(tree, Not):
        return _denied(_where(tree.term, method))
    if not tree.terms:
        return Where("1")
    return _joined([_where(term, method) for term in tree.terms], " OR " if isinstance(tree, AnyOf) else " AND ")


def _gathered(tree: Term, method: Method) -> Where | None:
    """One test of what people rated, or its contrary, read from the few answers that have it; None of other trees."""
    test = tree.term if isinstance(tree, Not) else tree
    field = FIELDS[test.field] if isinstance(test, Condition) else None
    if field is None or not field.by_people or not isinstance(test, Condition):
        return None
    found = _joined([_test(field, item, "gathered.value") for item in test.items], " OR ")
    is_of_rest = isinstance(tree, Not) and all(isinstance(item, Given) for item in test.items)
    if isinstance(tree, Not) and not is_of_rest:
        found = _denied(found)
    gathered = f"SELECT response_id FROM ({field.values(method)}) AS gathered WHERE {found.text}"
    return Where(f"response_id {'NOT IN' if is_of_rest else 'IN'} ({gathered})", found.values)


def _denied(inner: Where) -> Where:
    return Where(f"NOT ({inner.text})", inner.values)


def _joined(parts: list[Where], word: str) -> Where:
    if len(parts) == 1:
        return parts[0]
    return Where(word.join(f"({part.text})" for part in parts), tuple(v for part in parts for v in part.values))


def _test(field: Field, item: Item, expression: str) -> Where:
    if isinstance(item, Bound):
        return Where(f"{expression} {item.operator} ?", (item.value,))
    if isinstance(item, Range):
        return _range(expression, item)
    if field.kind == "tag":
        return _tag(item)
    if field.kind == "label":
        return _label(field, item)
    if isinstance(item, Given):
        empty = f" AND {expression} <> ''" if field.kind == "words" else ""
        return Where(f"({expression}) IS NOT NULL{empty}")
    if field.kind == "flag":
        return Where(expression if item.text == "yes" else f"NOT {expression}")
    if field.kind == "text":
        query = phrase_query(item.text) if item.quoted else match_query(item.text)
        return Where(SEARCH, (f"{{{_COLUMNS[field.name]}}} : ({query})",))
    if field.kind == "words":
        return _words(expression, item)
    if field.kind == "choice" and "*" not in item.text:
        return Where(f"{expression} = ?", (item.text,))
    return Where(f"{expression} LIKE ? ESCAPE '\\'", (_like(item),))


def _range(expression: str, item: Range) -> Where:
    ends: Iterator[tuple[str, float | None]] = iter(((">=", item.low), ("<=", item.high)))
    given = [(sign, value) for sign, value in ends if value is not None]
    text = " AND ".join(f"{expression} {sign} ?" for sign, _ in given)
    return Where(text, tuple(value for _, value in given))


def _words(expression: str, item: Pattern) -> Where:
    """One word of a list with blanks between; a pattern must fit one word whole."""
    if not item.text or (item.text == NONE and not item.quoted):
        return Where(f"{expression} = ''")
    if any(character.isspace() for character in item.text):  # no word has blanks
        return Where(f"CASE WHEN ({expression}) IS NOT NULL THEN 0 END")
    if "*" not in item.text or item.quoted:
        holds = f"(' ' || {expression} || ' ') LIKE ? ESCAPE '\\'"
        return Where(f"{expression} <> '' AND {holds}", (f"% {_like(item)} %",))  # most have no word at all
    listed = f"""'["' || replace({expression}, ' ', '","') || '"]'"""
    fits = f"EXISTS (SELECT 1 FROM json_each({listed}) WHERE value LIKE ? ESCAPE '\\')"
    return Where(f"CASE WHEN ({expression}) <> '' THEN {fits} WHEN ({expression}) = '' THEN 0 END", (_like(item),))


def _tag(item: Item) -> Where:
    if not isinstance(item, Pattern):
        return Where(_TAGGED.format(which=""))
    return Where(_TAGGED.format(which=" AND name LIKE ? ESCAPE '\\'"), (_like(item),))


def _label(field: Field, item: Item) -> Where:
    path = f'$."{field.sql}"'
    if not isinstance(item, Pattern):
        return Where(_LABELLED.format(test="IS NOT NULL"), (path,))
    return Where(_LABELLED.format(test="LIKE ? ESCAPE '\\'"), (path, _like(item)))


def _like(item: Pattern) -> str:
    r"""The pattern of LIKE: ``*`` of an unquoted value is ``%``, SQL's own signs are themselves."""
    escaped = item.text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return escaped if item.quoted else escaped.replace("*", "%")
