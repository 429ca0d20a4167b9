"""Reads ratings that were given elsewhere: tables as spreadsheets save them, JSON lines, and our own exports."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.jsonfile import shortened
from engine.benchmarks.manifest import NamedRow, number_of, plain_name, read_named_rows
from engine.benchmarks.values import JSON, Problem
from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.exchange.own_rows import OwnRow, own_row, value_of
from engine.store.standings import Value

_OWN_COLUMNS = {"rating_uid", "assignment_uid", "scale", "value"}
_ALSO_CALLED = {
    "key": ("instance_key",),
    "rater": ("annotator", "评分者", "评价员"),
    "value": ("rating", "score", "评分"),
    "note": ("comment", "备注"),
}


@dataclass(frozen=True, slots=True)
class OutsideRating:
    """What somebody said of one answer on one scale, elsewhere.

    Attributes:
        where: the line of the file.
        subset: as the file says, else what stands before the number in ``key``.
        system, benchmark, protocol: empty where the file does not say.
        pi: inclusion probability; with ``selection`` and ``stratum``, where the file knows how the item was drawn.
        uid: of the rating in our own export, empty of others.
        own: all that our own export tells of it; None where that is not whole or the system is sealed.
    """

    where: str
    rater: str
    subset: str
    key: str
    scale: str
    value: Value
    note: str = ""
    system: str = ""
    benchmark: str = ""
    protocol: str = ""
    selection: str = "manual"
    pi: float | None = None
    stratum: str = ""
    uid: str = ""
    own: OwnRow | None = None


@dataclass(frozen=True, slots=True)
class OutsideRatings:
    """The ratings of a file in its order; rows that mean nothing are problems. Only our own exports tell of skips."""

    ratings: tuple[OutsideRating, ...]
    problems: tuple[Problem, ...]
    skips: tuple[OwnRow, ...] = ()


def read_ratings(
    path: Path, encoding: str | None = None, scale: str | None = None
) -> Generator[Progress, None, OutsideRatings]:
    """Read a CSV, TSV or JSONL file of ratings; yields now and then.

    Columns: rater, Qid or key, value, scale; and where known subset, system, benchmark, protocol, note, selection, pi,
    stratum. Comma, semicolon, tab, a ``sep=`` line and any encoding of ``read_text`` are understood.

    Args:
        scale: of files without such a column.

    Raises EngineError ``exchange.no_such_file`` and ``exchange.columns``.
    """
    if not path.is_file():
        raise EngineError("exchange.no_such_file", path=str(path))
    read = read_named_rows(path, encoding, guarded=is_own_export(path))
    _check_columns(path, read.names, scale)
    reader = _Reader(path, read.separator, scale or "")
    for done, row in enumerate(read.rows, start=1):
        reader.read(row)
        if done % 1000 == 0:
            yield Progress(done, len(read.rows))
    yield Progress(len(read.rows), len(read.rows))
    return OutsideRatings(tuple(reader.ratings), (*read.problems, *reader.problems), tuple(reader.skips))


def is_own_export(path: Path) -> bool:
    """Whether a table was written by ``export_ratings``, whose guarding apostrophes are no text."""
    if path.suffix.lower() != ".csv":
        return False
    with path.open("rb") as file:
        heading = file.readline(1 << 16).decode("utf-8-sig", "replace").strip().split(",")
    return set(heading) >= _OWN_COLUMNS


def _check_columns(path: Path, names: frozenset[str], scale: str | None) -> None:
    if not names:
        return  # the problems say why
    for column in ("rater", "key", "value", *(() if scale else ("scale",))):
        if names.isdisjoint((column, *_ALSO_CALLED.get(column, ()))):
            shown = "Qid" if column == "key" else column
            raise EngineError("exchange.columns", file=str(path), column=shown)


class _Reader:
    def __init__(self, path: Path, separator: str, scale: str) -> None:
        self.ratings: list[OutsideRating] = []
        self.skips: list[OwnRow] = []
        self.problems: list[Problem] = []
        self._path, self._separator, self._scale = path, separator, scale

    def read(self, row: NamedRow) -> None:
        """Take what the row holds, or say why it holds nothing."""
        if _text(row, "record") == "remark" or _text(row, "is_current") == "false":
            return  # our own export: what was said beside the ratings, and what was rated over since
        own = own_row(row.where, row.values, self._separator)
        if _text(row, "skipped"):
            self.skips += [] if own is None else [own]
            return
        if own is None and (_text(row, "other_system") or _text(row, "other_letter")):
            self._say(row, "compared")
            return
        told = {name: _text(row, name) for name in ("rater", "key")} | {"scale": _text(row, "scale") or self._scale}
        for name in ("rater", "key", "scale"):
            if not told[name]:
                self._say(row, "empty", field="Qid" if name == "key" else name)
                return
        value = value_of(_raw(row, "value"), self._separator)
        if value is None:
            self._say(row, "no_value", value=shortened(_raw(row, "value")))
            return
        subset = _text(row, "subset").rpartition("/")[2].replace("-", "_") or told["key"].rpartition("-")[0]
        pi = number_of(_raw(row, "pi"), self._separator)
        selection = _text(row, "selection")
        self.ratings.append(
            OutsideRating(
                row.where,
                told["rater"],
                subset,
                told["key"],
                told["scale"],
                value,
                note=str(_raw(row, "note") or ""),
                system=_text(row, "system"),
                benchmark=_text(row, "benchmark").replace("-", "_"),
                protocol=_text(row, "protocol"),
                selection=selection if selection in ("random", "stratified", "active") else "manual",
                pi=pi if pi is not None and 0 < pi <= 1 else None,
                stratum=_text(row, "stratum"),
                uid=_text(row, "rating_uid"),
                own=own,
            )
        )

    def _say(self, row: NamedRow, code: str, **values: JSON) -> None:
        self.problems.append(Problem(self._path, row.where, f"exchange.{code}", values))


def _raw(row: NamedRow, name: str) -> JSON:
    for called in (name, *_ALSO_CALLED.get(name, ())):
        if row.values.get(plain_name(called)) is not None:
            return row.values[plain_name(called)]
    return None


def _text(row: NamedRow, name: str) -> str:
    value = _raw(row, name)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, (str, int, float)) else ""
