"""The columns of the table of answers: what each shows, how wide it is, what sorting by it means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.query.ranks import SortKey

Kind = Literal[
    "state", "instance", "name", "question", "answer", "text", "speech", "rate", "mismatch", "figure", "tags"
]


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``fields`` are what it sorts by; ``value`` is the attribute of a row that a figure shows.

    ``worst_is_high`` decides which way the first click sorts. A column with ``stretch`` shares the room that is left.
    """

    id: str
    kind: Kind
    width: int
    fields: tuple[str, ...] = ()
    value: str = ""
    decimals: int = 0
    worst_is_high: bool = False
    stretch: int = 0


COLUMNS = (
    Column("state", "state", 34, ("state",)),
    Column("instance", "instance", 176, ("subset", "key")),
    Column("system", "name", 124, ("system",)),
    Column("question", "question", 150, ("question",), stretch=46),
    Column("answer", "answer", 170, ("answer",), stretch=54),
    Column("text", "text", 66, ("verdict", "score"), worst_is_high=True),
    Column("speech", "speech", 66, ("speech",), worst_is_high=True),
    Column("rate", "rate", 92, ("error",), "error_rate", 3, worst_is_high=True),
    Column("mismatch", "mismatch", 126, ("mismatch",), worst_is_high=True),
    Column("dnsmos", "figure", 78, ("dnsmos",), "dnsmos", 2),
    Column("length", "figure", 66, ("length",), "duration_s", 1, worst_is_high=True),
    Column("first", "figure", 86, ("first",), "first_audio_s", 2, worst_is_high=True),
    Column("tags", "tags", 88),
)
BY_ID = {column.id: column for column in COLUMNS}
PLACES = {column.id: place for place, column in enumerate(COLUMNS)}
LEAVING = ("tags", "first", "dnsmos", "length")  # LOOK: in this order where there is no room
Sort = tuple[tuple[str, bool], ...]  # (column id, descending), the first decides


def sort_keys(sort: Sort) -> tuple[SortKey, ...]:
    """The fields by which the store sorts."""
    return tuple(SortKey(field, descending) for column, descending in sort for field in BY_ID[column].fields)


def sort_of(keys: tuple[SortKey, ...]) -> Sort:
    """The columns that show an order; fields without a column of their own are left out."""
    by_field = {column.fields[0]: column.id for column in COLUMNS if column.fields}
    return tuple((by_field[key.field], key.descending) for key in keys if key.field in by_field)


def clicked(sort: Sort, column: str, *, add: bool) -> Sort:
    """The order after a click: a new column sorts worst first, the same one turns round; ``add`` keeps the others."""
    known = dict(sort)
    descending = not known[column] if column in known else BY_ID[column].worst_is_high
    if not BY_ID[column].fields:
        return sort
    if not add:
        return ((column, descending),)
    return tuple((known | {column: descending}).items())


def widths_for(room: int, own: dict[str, int]) -> dict[str, int]:
    """The width of each column that is shown in ``room`` pixels, ``own`` being what the user set.

    Columns leave in the order of ``LEAVING`` until the rest fits; question and answer share what is left, and never
    get less than their least, so that a very narrow table scrolls.
    """
    shown = list(COLUMNS)
    for leaving in (None, *LEAVING):
        shown = [column for column in shown if column.id != leaving]
        if sum(own.get(column.id, column.width) for column in shown) <= room - 90:
            break
    widths = {column.id: own.get(column.id, column.width) for column in shown}
    free = [column for column in shown if column.stretch and column.id not in own]
    left = room - sum(width for name, width in widths.items() if BY_ID[name] not in free)
    shares = sum(column.stretch for column in free)
    for column in free:
        widths[column.id] = max(column.width, left * column.stretch // shares)
    if free and sum(widths.values()) < room:
        widths[free[-1].id] += room - sum(widths.values())
    return widths
