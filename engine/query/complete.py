"""What may be written next in a filter: names of fields, and values that the workspace really has."""

from __future__ import annotations

import re
import sqlite3
from dataclasses import dataclass
from typing import Literal

from engine.query.fields import FIELDS, FLAGS, NONE, Field, choice_label, find_field
from engine.query.grammar import IS
from engine.query.wording import quoted
from engine.store.tags import tags_in_use
from engine.strings import LANGUAGES

MOST_SUGGESTIONS = 12
_UNFIT = 100
_COUNTED = ("system", "benchmark", "subset", "category", "language", "why", "speech_why", "faults",
            "rated_for")  # fmt: skip
_WORDS = ("faults", "rated_for")  # of which an answer has several
_LABELS = ("emotion", "level", "subcategory")
_TERM = re.compile(r"""[-－(（]*((?:[^\W\d][\w-]*)?)(?:(:|：|>=?|<=?|=)((?:[^\s(),"]*,)*)([^\s(),"]*))?$""")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Put ``text`` in place of the characters ``start:end``, or of the whole filter; ``label`` says what it is."""

    kind: Literal["field", "value", "filter"]
    text: str
    label: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Facets:
    """Values that occur in a workspace, by the field's name, the most frequent first."""

    values: dict[str, tuple[str, ...]]


NO_FACETS = Facets({})


def read_facets(db: sqlite3.Connection) -> Facets:
    """The values of every field that has few; read once, kept until results are written."""
    found: dict[str, tuple[str, ...]] = {}
    for name in _COUNTED:
        rows = db.execute(
            f"SELECT value, COUNT(*) FROM ({FIELDS[name].values('corrected')}) WHERE value IS NOT NULL AND value <> ''"
            " GROUP BY value ORDER BY 2 DESC, 1 LIMIT 200"
        )
        words = (row[0] for row in rows)
        found[name] = tuple(dict.fromkeys(w for value in words for w in value.split())) if name in _WORDS else (*words,)
    for name in _LABELS:
        rows = db.execute(
            "SELECT json_extract(labels, ?) AS value, COUNT(*) FROM instance WHERE value IS NOT NULL"
            " GROUP BY value ORDER BY 2 DESC, 1 LIMIT 200",
            (f'$."{FIELDS[name].sql}"',),
        )
        found[name] = tuple(str(row[0]) for row in rows)
    found["tag"] = tuple(tag.name for tag in tags_in_use(db)[:200])
    return Facets(found)


def complete(text: str, cursor: int, facets: Facets, language: str = "en") -> list[Suggestion]:
    """What may stand at ``cursor``, best first; nothing inside quotes and behind a number's sign."""
    before = text[:cursor]
    if len(re.findall(r'["“”＂]', before)) % 2:
        return []
    found = _TERM.search(before)
    if found is None or (found.start() and not before[found.start() - 1].isspace() and found[0][:1] not in "-－(（"):
        return []
    name, sign, _, value = found.groups()
    if sign is None:
        return _fields(name, cursor - len(name), cursor, language)
    if sign not in (":", "："):
        return []
    start = cursor - len(value)
    if name.casefold() == IS:
        offered = [(flag, FIELDS[flag].label(language)) for flag in FLAGS]
        return _matching_values(offered, value, start, cursor)
    field = find_field(name)
    return [] if field is None else _matching_values(_offered(field, facets, language), value, start, cursor)


def _fields(begun: str, start: int, end: int, language: str) -> list[Suggestion]:
    if not begun:
        return []
    wanted = begun.casefold().replace("-", "_")
    found = []
    for field in FIELDS.values():
        labels = (field.label(known).casefold() for known in LANGUAGES)
        fits = [_fit(wanted, name) + 2 * (name != field.name) for name in (field.name, *field.aliases, *labels)]
        fit = min(fits)
        if fit < _UNFIT:
            sign = "" if field.kind == "number" else ":"
            written = f"{IS}:{field.name}" if field.kind == "flag" else field.name + sign
            found.append((fit, Suggestion("field", written, field.label(language), start, end)))
    return [suggestion for _, suggestion in sorted(found, key=lambda pair: pair[0])][:MOST_SUGGESTIONS]


def _fit(wanted: str, name: str) -> int:
    """How well a name begun fits one known: 0 is whole; ``_UNFIT`` and more is not at all."""
    if name == wanted:
        return 0
    if name.startswith(wanted):
        return 1
    return 4 if wanted in name else _UNFIT


def _offered(field: Field, facets: Facets, language: str) -> list[tuple[str, str]]:
    values = field.choices if field.choices and not field.is_open else facets.values.get(field.name, ())
    if field.kind == "words":
        values = (*values, NONE)
    return [(value, choice_label(value, language)) for value in values]


def _matching_values(offered: list[tuple[str, str]], begun: str, start: int, end: int) -> list[Suggestion]:
    wanted = begun.casefold()
    fits = [pair for pair in offered if wanted in pair[0].casefold() or wanted in pair[1].casefold()]
    fits.sort(key=lambda pair: not pair[0].casefold().startswith(wanted))
    return [
        Suggestion("value", _safe(value), "" if label == value else label, start, end)
        for value, label in fits[:MOST_SUGGESTIONS]
    ]


def _safe(value: str) -> str:
    return quoted(value) if re.search(r"""[\s(),"“”：，（）*\\]""", value) else value
