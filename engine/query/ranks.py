"""The order of all answers by one column, kept while the store does not change: any filter is then sorted at once."""

from __future__ import annotations

import sqlite3
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.query.fields import FIELDS, Method

Ids = NDArray[np.int64]
_ID_BITS = 36  # of an answer's id; the rest of 64 bits holds a place and its sign
_LAST = (1 << (62 - _ID_BITS)) - 1
MOST_BYTES = 12 << 20  # of answers that passed
MOST = 16  # columns kept, of 1.3 MB each for 168,000 answers
MOST_ORDERS = 4  # of all answers, as large
_FEW = 16  # an order of all answers is made when a filter leaves more than one of so many


@dataclass(frozen=True, slots=True)
class SortKey:
    """One column of an order; answers without a value come last either way."""

    field: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class _Order:
    """Every id in an order, and the places by which it was made."""

    places: tuple[Ids, ...]
    ids: Ids

    def is_by(self, columns: Sequence[Ids]) -> bool:
        """Whether these very places made it."""
        return len(columns) == len(self.places) and all(now is before for now, before in zip(columns, self.places))


class Ranks:
    """Places of answers by column. One object serves one state of the store: take a new one when results were written.

    Reading a column takes one native pass (0.17 s for 168,000 answers). The order of all answers by some columns is
    kept as well: those that a filter finds are picked from it in their order, which takes a ms. The
    answers that passed a term are kept too, so that another order, or one more term, reads little.
    """

    def __init__(self) -> None:
        self._passed: dict[Hashable, Ids] = {}
        self._by_expression: dict[str, Ids] = {}
        self._orders: dict[Hashable, _Order] = {}
        self._lock = Lock()  # columns are read ahead beside a search
        self._reading: dict[str, Lock] = {}

    def passed(self, term: Hashable) -> Ids | None:
        """The answers that passed ``term``, in no order, where they are kept."""
        return self._passed.get(term)

    def keep(self, term: Hashable, ids: Ids) -> None:
        """Keep the answers that passed ``term``; the oldest give way."""
        with self._lock:
            self._passed[term] = ids
            while sum(kept.nbytes for kept in self._passed.values()) > MOST_BYTES and len(self._passed) > 1:
                self._passed.pop(next(iter(self._passed)))

    def read(self, db: sqlite3.Connection, sort: Sequence[SortKey], method: Method) -> None:
        """Read the columns of ``sort`` ahead; those that are known already cost nothing."""
        for key in sort:
            self._places(db, key.field, method, 0)

    def sorted(self, db: sqlite3.Connection, ids: Ids, sort: Sequence[SortKey], method: Method) -> Ids:
        """``ids`` in the order of ``sort``, equal ones in the order of their ids."""
        columns = [self._places(db, key.field, method, int(ids.max(initial=0))) for key in sort]
        fewest = min((len(places) for places in columns), default=0)
        kept = self._orders.get((tuple(sort), method))
        if kept is None or not kept.is_by(columns):
            if len(ids) * _FEW < fewest or not fewest:
                return _ordered(ids, columns, sort)
            kept = _Order(tuple(columns), _ordered(np.arange(fewest), columns, sort))
            self._keep_order((tuple(sort), method), kept)
        is_wanted = np.zeros(len(kept.ids), np.bool_)
        is_wanted[ids] = True
        return kept.ids[is_wanted[kept.ids]]

    def _keep_order(self, key: Hashable, order: _Order) -> None:
        with self._lock:
            self._orders.pop(key, None)
            self._orders[key] = order
            while len(self._orders) > MOST_ORDERS:
                self._orders.pop(next(iter(self._orders)))

    def _places(self, db: sqlite3.Connection, name: str, method: Method, highest: int) -> Ids:
        field = FIELDS.get(name)
        if field is None or not field.is_sortable:
            raise EngineError("query.not_sortable", name=name)
        expression = field.expression(method)
        with self._lock:
            reading = self._reading.setdefault(expression, Lock())
        with reading:  # whoever wants what another thread is reading waits for it
            places = self._by_expression.get(expression)
            if places is None or len(places) <= highest:
                places = _read_places(db, field.values(method), highest)
            self._keep_places(expression, places)
        return places

    def _keep_places(self, expression: str, places: Ids) -> None:
        with self._lock:
            self._by_expression.pop(expression, None)
            self._by_expression[expression] = places  # the one used last stands last
            while len(self._by_expression) > MOST:
                self._by_expression.pop(next(iter(self._by_expression)))


def read_ids(text: str | None) -> Ids:
    """Ids that SQLite put together in one text: one native step, which leaves other threads alone."""
    return np.fromstring(text, dtype=np.int64, sep=",") if text else np.empty(0, np.int64)


def _ordered(ids: Ids, columns: Sequence[Ids], sort: Sequence[SortKey]) -> Ids:
    keys: list[Ids] = []
    for key, column in zip(sort, columns):
        place = column[ids]
        keys.append(np.where(place == 0, _LAST, -place if key.descending else place))
    if len(keys) == 1:  # place and id as one number: the order of which takes a fifth of the time
        return np.sort((keys[0] << _ID_BITS) + ids) & ((1 << _ID_BITS) - 1)
    return ids[np.lexsort([ids, *reversed(keys)])]


def _read_places(db: sqlite3.Connection, values: str, highest: int) -> Ids:
    row = db.execute(
        "SELECT group_concat(response_id), group_concat(place) FROM (SELECT response_id,"
        f" CASE WHEN value IS NULL THEN 0 ELSE dense_rank() OVER (ORDER BY value) END AS place"
        f" FROM ({values}))"
    ).fetchone()
    ids, found = read_ids(row[0]), read_ids(row[1])
    places = np.zeros(max(highest, int(ids.max(initial=0))) + 1, np.int64)
    places[ids] = found
    return places
