"""The columns of the table of answers: what each shows, how wide it is, what sorting by it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.query.ranks import SortKey

Kind = Literal[
    "state", "instance", "name", "question", "answer", "text", "speech", "rate", "mismatch", "figure", "tags",
    "plain", "content", "choice", "why", "words", "flag",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """One column. ``fields`` are what it sorts by; ``value`` is what a figure shows.

    ``is_extra`` columns are not shown until the user wants them; their ``value`` is a field of ``AuditRow.more``, that
    of the others an attribute of the row. ``worst_is_high`` decides which way the first click sorts. A column with
    ``stretch`` shares the room that is left; one with ``least`` gives way down to it before the table scrolls.
    """

    id: str
    kind: Kind
    width: int
    fields: tuple[str, ...] = ()
    value: str = ""
    decimals: int = 0
    worst_is_high: bool = False
    stretch: int = 0
    is_extra: bool = False
    least: int = 0


def _extra(name: str, kind: Kind, width: int, decimals: int = 0, worst_is_high: bool = False) -> Column:
    """A column of a field that is shown when the user wants it; it sorts by that field."""
    return Column(name, kind, width, (name,), name, decimals, worst_is_high, is_extra=True)


def _label(name: str, width: int) -> Column:
    """A column of a label in the benchmark's data, by which nothing sorts."""
    return Column(name, "plain", width, (), name, is_extra=True)


COLUMNS = (
    Column("state", "state", 34, ("state",)),
    Column("instance", "instance", 176, ("subset", "key"), least=124),
    Column("system", "name", 124, ("system",), least=92),
    Column("question", "question", 150, ("question",), stretch=46, least=84),
    Column("answer", "answer", 170, ("answer",), stretch=54, least=100),
    Column("text", "text", 66, ("verdict", "score"), worst_is_high=True),
    Column("speech", "speech", 66, ("speech",), worst_is_high=True),
    Column("rate", "rate", 92, ("error",), "error_rate", 3, worst_is_high=True),
    Column("mismatch", "mismatch", 126, ("mismatch",), worst_is_high=True),
    Column("dnsmos", "figure", 78, ("dnsmos",), "dnsmos", 2),
    Column("length", "figure", 66, ("length",), "duration_s", 1, worst_is_high=True),
    Column("first", "figure", 86, ("first",), "first_audio_s", 2, worst_is_high=True),
    Column("tags", "tags", 88),
    _extra("transcript", "content", 220),
    _extra("benchmark", "plain", 110),
    _extra("category", "plain", 110),
    _extra("language", "plain", 84),
    _label("emotion", 90),
    _label("level", 70),
    _label("subcategory", 110),
    _extra("repeat", "figure", 74),
    _extra("response", "choice", 90),
    _extra("speech_state", "choice", 102),
    _extra("score", "figure", 66, 2),
    _extra("severity", "figure", 84, 1, worst_is_high=True),
    _extra("why", "why", 140),
    _extra("speech_why", "why", 140),
    _extra("per", "figure", 104, 3, worst_is_high=True),
    _extra("cer", "figure", 96, 3, worst_is_high=True),
    _extra("wer", "figure", 96, 3, worst_is_high=True),
    _extra("mer", "figure", 102, 3, worst_is_high=True),
    _extra("phoneme_error", "figure", 114, 3, worst_is_high=True),
    _extra("from_cut", "figure", 84, 2),
    _extra("dnsmos_sig", "figure", 108, 2),
    _extra("dnsmos_bak", "figure", 108, 2),
    _extra("dnsmos_p808", "figure", 118, 2),
    _extra("generation", "figure", 98, 1, worst_is_high=True),
    _extra("first_token", "figure", 92, 2, worst_is_high=True),
    _extra("rtf", "figure", 66, 2, worst_is_high=True),
    _extra("peak", "figure", 96, 1, worst_is_high=True),
    _extra("silent", "figure", 80, 2, worst_is_high=True),
    _extra("clipped", "figure", 82, 4, worst_is_high=True),
    _extra("rate_hz", "figure", 102),
    _extra("faults", "words", 120, worst_is_high=True),
    _extra("judge_flags", "words", 110, worst_is_high=True),
    _extra("flipped", "flag", 82, worst_is_high=True),
    _extra("other_script", "flag", 102, worst_is_high=True),
    _extra("refusal", "flag", 82, worst_is_high=True),
    _extra("human", "choice", 100),
    _extra("human_score", "figure", 128, 2),
    _extra("human_raters", "figure", 104),
    _extra("rated_for", "words", 140),
    _extra("against_human", "flag", 132, worst_is_high=True),
    _extra("raters_against", "figure", 140, worst_is_high=True),
)
BY_ID = {column.id: column for column in COLUMNS}
PLACES = {column.id: place for place, column in enumerate(COLUMNS)}
FIXED = "state"  # always shown, always first
DEFAULT = tuple(column.id for column in COLUMNS if not column.is_extra)
LEAVING = ("tags", "first", "dnsmos", "length")  # LOOK: in this order where there is no room
LEAVING_LAST = ("mismatch", "speech", "question")  # when the rest is at its least and has no room still
LEAST_WIDTH = 28
MOST_DECIMALS = 3
Sort = tuple[tuple[str, bool], ...]  # (column id, descending), the first decides


def known_columns(names: Sequence[object]) -> tuple[str, ...]:
    """The columns among ``names`` in that order, each once, the fixed one first; the usual ones where none is known."""
    known = [str(name) for name in dict.fromkeys(names) if name in PLACES and name != FIXED]
    return (FIXED, *known) if known else DEFAULT


def with_sorted(shown: tuple[str, ...], sort: Sort) -> tuple[str, ...]:
    """The columns to show: those chosen, then those that decide the order and were not."""
    return (*shown, *(column for column, _ in sort if column not in shown))


def wanted_fields(shown: Sequence[str]) -> tuple[str, ...]:
    """The fields that these columns need beside what every row has."""
    return tuple(BY_ID[name].value for name in shown if BY_ID[name].is_extra)


def sort_keys(sort: Sort) -> tuple[SortKey, ...]:
    """The fields by which the store sorts."""
    return tuple(SortKey(field, descending) for column, descending in sort for field in BY_ID[column].fields)


def sort_of(keys: tuple[SortKey, ...]) -> Sort:
    """The columns that show an order; fields without a column of their own are left out."""
    return tuple((_BY_FIELD[key.field], key.descending) for key in keys if key.field in _BY_FIELD)


def known_sort(pairs: Sequence[object]) -> Sort:
    """The order that was written down as pairs of a column and whether it descends, what is not known left out."""
    found = [tuple(pair) for pair in pairs if isinstance(pair, (list, tuple)) and len(pair) == 2]
    return tuple((str(name), bool(down)) for name, down in found if name in BY_ID and BY_ID[str(name)].fields)


def clicked(sort: Sort, column: str, *, add: bool) -> Sort:
    """The order after a click: a new column sorts worst first, the same one turns round; ``add`` keeps the others."""
    known = dict(sort)
    descending = not known[column] if column in known else BY_ID[column].worst_is_high
    if not BY_ID[column].fields:
        return sort
    if not add:
        return ((column, descending),)
    return tuple((known | {column: descending}).items())


def widths_for(
    room: int, own: dict[str, int], shown: Sequence[str] = DEFAULT, kept: Sequence[str] = ()
) -> dict[str, int]:
    """The width of each column that is shown in ``room`` pixels, ``own`` being what the user set.

    Columns leave in the order of ``LEAVING``, those ``kept`` excepted, until the rest fits; question and answer share
    what is left. Where that is not enough, columns with a least give way to it, then those of ``LEAVING_LAST`` leave;
    a table narrower still scrolls.
    """
    columns = [BY_ID[name] for name in shown]
    for leaving in (None, *(name for name in LEAVING if name not in kept)):
        columns = [column for column in columns if column.id != leaving]
        if sum(own.get(column.id, column.width) for column in columns) <= room - 90:
            break
    for leaving in (None, *(name for name in LEAVING_LAST if name not in kept)):
        columns = [column for column in columns if column.id != leaving]
        if sum(_least(column, own) for column in columns) <= room:
            break
    widths = {column.id: own.get(column.id, column.width) for column in columns}
    free = [column for column in columns if column.stretch and column.id not in own]
    left = room - sum(width for name, width in widths.items() if BY_ID[name] not in free)
    shares = sum(column.stretch for column in free)
    for column in free:
        widths[column.id] = max(column.width, left * column.stretch // shares)
    _give_way(widths, columns, own, room)
    if free and sum(widths.values()) < room:
        widths[free[-1].id] += room - sum(widths.values())
    return widths


def measure_text(measure: str, value: float) -> str:
    """A value of a field with the decimals that it has in the table."""
    decimals = _DECIMALS.get(measure, MOST_DECIMALS)
    return f"{value:.{decimals}f}".replace("-", "\u2212")


def _least(column: Column, own: dict[str, int]) -> int:
    """What a column needs: the width that the user set, else its least."""
    return own.get(column.id, column.least or column.width)


def _give_way(widths: dict[str, int], columns: Sequence[Column], own: dict[str, int], room: int) -> None:
    """Take what ``room`` lacks from the columns that may be narrower, from each its share."""
    lacks = sum(widths.values()) - room
    spare = {column.id: widths[column.id] - _least(column, own) for column in columns if column.id not in own}
    whole = sum(spare.values())
    if lacks > 0 and whole > 0:
        taken = min(lacks, whole)
        for name, part in spare.items():
            widths[name] -= -(-taken * part // whole)  # rounded up, so that the sum fits


_DECIMALS = {column.fields[0]: column.decimals for column in reversed(COLUMNS) if column.kind in ("figure", "rate")}
_BY_FIELD = {column.fields[0]: column.id for column in reversed(COLUMNS) if column.fields}
