"""Reads answers for a table: the ids that pass a filter in order, rows by id, and how many there are."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.query.fields import FIELDS, Field, Method
from engine.query.grammar import parse
from engine.query.presets import ALL
from engine.query.ranks import Ids, Ranks, SortKey, read_ids
from engine.query.sql import SEARCH, where
from engine.query.tree import EVERYTHING, AllOf, AnyOf, Condition, Not, Pattern, Term, Words, fields_in
from engine.store.evidence import standing

MOST_TESTS = 8  # that are asked for one by one; a longer filter is one pass over all columns
LONGEST_TEXT = 400  # characters of a text that a row of a table needs
_RATED, _NOT_RATED = (Condition("rated", (Pattern(answer),)) for answer in ("yes", "no"))
_TOLD_OF_ALL = {"tag", "rated"}  # no answer is without a value
_FROM_PEOPLE = {"tag", "rated", *(name for name, known in FIELDS.items() if known.by_people)}  # they go on meanwhile


@dataclass(frozen=True, slots=True)
class AuditRow:
    """What a table shows of one answer under a method; texts are cut to ``LONGEST_TEXT`` characters.

    ``error_rate`` is of words where ``error_is_of_words``, else of toned syllables. ``failure`` is what the system
    said where it gave no answer. ``more`` holds the values of the fields that were asked for beside.
    """

    id: int
    benchmark: str
    subset: str
    key: str
    system: str
    language: str
    repeat: int
    question: str
    answer: str | None
    response_state: str
    failure: str | None
    state: str
    why: str | None
    verdict: str | None
    score: float | None
    speech_state: str | None
    speech_why: str | None
    speech_verdict: str | None
    error_rate: float | None
    error_is_of_words: bool
    mismatch: tuple[str, ...]
    faults: tuple[str, ...]
    dnsmos: float | None
    duration_s: float | None
    first_audio_s: float | None
    rtf: float | None
    tags: tuple[str, ...]
    more: Mapping[str, str | float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is to look at."""

    answers: int
    systems: int


def sorted_ids(
    db: sqlite3.Connection,
    tree: Term,
    sort: Sequence[SortKey] = (),
    method: Method = "corrected",
    *,
    ranks: Ranks | None = None,
    among: Sequence[int] | None = None,
) -> Ids:
    """Response ids of all answers that pass ``tree``, in the order of ``sort``, then of their ids.

    Args:
        ranks: what was read for earlier sorts of the same state of the store.
        among: only these answers.

    Raises EngineError ``query.not_sortable``.
    """
    ranks = ranks or Ranks()
    ids = _passing(db, tree, method, ranks)
    if among is not None:
        ids = ids[np.isin(ids, np.asarray(among, np.int64))]
    return ranks.sorted(db, ids, sort, method)


def rows_of(
    db: sqlite3.Connection, ids: Sequence[int], method: Method = "corrected", more: Sequence[str] = ()
) -> list[AuditRow]:
    """The rows of ``ids`` in that order; ids that are no current answer (any more) are left out.

    ``more`` names fields whose values are wanted beside.
    """
    wanted = json.dumps([int(number) for number in ids])
    tags = tags_of(db, ids)
    error = FIELDS["error"].expression(method)
    found = {
        row["id"]: row
        for row in db.execute(
            "SELECT audit_row.response_id AS id, benchmark, subset, audit_row.key, system, language, audit_row.repeat,"
            f" substr(question, 1, {LONGEST_TEXT}) AS question, substr(audit_row.text, 1, {LONGEST_TEXT}) AS answer,"
            f" response_state, substr(response.error, 1, {LONGEST_TEXT}) AS failure,"
            f" {method}_state AS state, {method}_why AS why, {method}_verdict AS verdict, {method}_score AS score,"
            f" {method}_s2s_state AS speech_state, {method}_s2s_why AS speech_why,"
            f" {method}_s2s_verdict AS speech_verdict, {error} AS error_rate,"
            f" language = 'en' AND {method == 'corrected':d} AS error_is_of_words,"
            " mismatch, faults, dnsmos_ovrl AS dnsmos, duration_s, first_audio_s, rtf_generation_over_duration AS rtf"
            " FROM json_each(?) JOIN audit_row ON audit_row.response_id = json_each.value"
            " JOIN response ON response.id = audit_row.response_id",
            (wanted,),
        )
    }
    beside = _values_of(db, wanted, method, more)
    rows = (number for number in map(int, ids) if number in found)
    return [_row(found[number], tags.get(number, ()), beside.get(number, {})) for number in rows]


def _values_of(
    db: sqlite3.Connection, wanted: str, method: Method, names: Sequence[str]
) -> dict[int, dict[str, str | float | None]]:
    """The values of fields by response id; texts are cut."""
    fields = [FIELDS[name] for name in names]
    labels = [field for field in fields if field.kind == "label"]
    plain = [field for field in fields if field.kind not in ("label", "tag")]
    found: dict[int, dict[str, str | float | None]] = {}
    if plain:
        values = ", ".join(_cut(field, method) for field in plain)
        query = f"SELECT response_id, {values} FROM audit_row WHERE response_id IN (SELECT value FROM json_each(?))"
        for row in db.execute(query, (wanted,)):
            found[row[0]] = dict(zip((field.name for field in plain), row[1:]))
    if labels:
        values = ", ".join("json_extract(labels, ?)" for _ in labels)
        query = (
            f"SELECT response.id, {values} FROM response JOIN instance ON instance.id = instance_id"
            " WHERE response.id IN (SELECT value FROM json_each(?))"
        )
        for row in db.execute(query, (*(f'$."{field.sql}"' for field in labels), wanted)):
            found.setdefault(row[0], {}).update(zip((field.name for field in labels), row[1:]))
    return found


def _cut(field: Field, method: Method) -> str:
    expression = field.expression(method)
    return f"substr({expression}, 1, {LONGEST_TEXT})" if field.kind == "text" else expression


def tags_of(db: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """The tags that stand on each of ``ids`` that has any, oldest first; those taken back are left out."""
    tags: dict[int, list[str]] = {}
    for row in db.execute(
        "SELECT response_id, name FROM tag WHERE response_id IN (SELECT value FROM json_each(?))"
        f" AND {standing('tag')} ORDER BY id",
        (json.dumps([int(number) for number in ids]),),
    ):
        tags.setdefault(row[0], []).append(row[1])
    return {number: tuple(dict.fromkeys(names)) for number, names in tags.items()}


def counts(db: sqlite3.Connection) -> Counts:
    """All answers and the systems that gave them."""
    answers = db.execute("SELECT COUNT(*) FROM audit_row").fetchone()[0]
    systems = db.execute("SELECT COUNT(*) FROM (SELECT DISTINCT system FROM audit_row)").fetchone()[0]
    return Counts(int(answers), int(systems))


def preset_counts(db: sqlite3.Connection, method: Method = "corrected") -> dict[str, int]:
    """How many answers each preset and each part of one finds, by its id."""
    ranks = Ranks()
    return {preset.id: count(db, parse(preset.query), method, ranks) for preset in ALL}


def count(db: sqlite3.Connection, tree: Term, method: Method = "corrected", ranks: Ranks | None = None) -> int:
    """How many answers pass ``tree``."""
    return len(_passing(db, tree, method, ranks or Ranks()))


def _passing(db: sqlite3.Connection, tree: Term, method: Method, ranks: Ranks) -> Ids:
    """The answers that pass ``tree``, each of its tests asked for alone and kept: a narrow index answers one fast."""
    tests = {test for test in _tests(tree) if ranks.passed((test, method)) is None}
    if len(tests) > MOST_TESTS:
        return _matching(db, tree, method, ranks)
    return _set_of(tree, False, lambda test: _matching(db, test, method, ranks))


def _tests(tree: Term) -> Iterator[Term]:
    """The tests that a tree is made of."""
    if isinstance(tree, Not):
        yield from _tests(tree.term)
    elif isinstance(tree, AllOf | AnyOf):
        for term in tree.terms:
            yield from _tests(term)
    else:
        yield tree


def _set_of(tree: Term, is_denied: bool, passing: Callable[[Term], Ids]) -> Ids:
    """The answers for which a tree, or its contrary, is true; a missing value makes a test neither true nor false."""
    if isinstance(tree, Not):
        return _set_of(tree.term, not is_denied, passing)
    if tree == _NOT_RATED:  # all but a few
        return _set_of(_RATED, not is_denied, passing)
    if isinstance(tree, AllOf | AnyOf) and tree.terms:
        parts = [_set_of(term, is_denied, passing) for term in tree.terms]
        return _in_all(sorted(parts, key=len)) if isinstance(tree, AllOf) != is_denied else _in_any(parts)
    if not is_denied:
        return passing(tree)
    is_told_of_all = isinstance(tree, Words | AllOf | AnyOf) or tree.field in _TOLD_OF_ALL
    return _left(passing(EVERYTHING), passing(tree)) if is_told_of_all else passing(Not(tree))


def _in_any(parts: list[Ids]) -> Ids:
    is_in = np.zeros(max(int(ids.max(initial=0)) for ids in parts) + 1, np.bool_)
    for ids in parts:
        is_in[ids] = True
    return np.flatnonzero(is_in)


def _left(ids: Ids, taken: Ids) -> Ids:
    is_left = np.ones(int(max(ids.max(initial=0), taken.max(initial=0))) + 1, np.bool_)
    is_left[taken] = False
    return ids[is_left[ids]]


def _in_all(parts: list[Ids]) -> Ids:
    found = parts[0]
    for ids in parts[1:]:
        is_in = np.zeros(int(max(found.max(initial=0), ids.max(initial=0))) + 1, np.bool_)
        is_in[ids] = True
        found = found[is_in[found]]
    return found


def _matching(db: sqlite3.Connection, tree: Term, method: Method, ranks: Ranks) -> Ids:
    """The answers that pass ``tree``, kept for the next time."""
    kept = ranks.passed((tree, method))
    if kept is not None:
        return kept
    condition = where(tree, method)
    query = f"SELECT group_concat(response_id) FROM audit_row WHERE {condition.text}"
    if condition.text == SEARCH:  # the index holds the same answers as the wide rows: no need to look each up there
        query = "SELECT group_concat(rowid) FROM search WHERE search MATCH ?"
    ids = read_ids(db.execute(query, condition.values).fetchone()[0])
    if not fields_in(tree) & _FROM_PEOPLE:
        ranks.keep((tree, method), ids)
    return ids


def _row(row: sqlite3.Row, tags: tuple[str, ...], more: Mapping[str, str | float | None]) -> AuditRow:
    plain = {name: row[name] for name in row.keys() if name not in ("mismatch", "faults", "error_is_of_words")}  # noqa: SIM118
    return AuditRow(
        **plain,
        error_is_of_words=bool(row["error_is_of_words"]),
        mismatch=tuple(row["mismatch"].split()),
        faults=tuple(row["faults"].split()),
        tags=tags,
        more=more,
    )
