"""Systems beside each other: their answers to one instance, and their measures over all that they answered."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError
from engine.metrics.clauses import Voice, voice_of_cells, voice_of_text
from engine.query.alignment import ShownAlignment, shown_alignment
from engine.query.fields import FIELDS, Field, Method
from engine.query.ranks import Ids, read_ids
from engine.query.told import ResponseDetail

Floats = NDArray[np.float64]
PairKind = Literal["same", "first", "second", "unscored", "unparsable", "failed"]

FEWEST, MOST = 2, 6  # systems beside each other
#: What can be said of the verdicts on two answers to one instance; ``first``: the first alone is right.
PAIR_KINDS: tuple[PairKind, ...] = ("same", "first", "second", "unscored", "unparsable", "failed")
#: The fields that are a measure of an answer.
MEASURES = tuple(name for name, field in FIELDS.items() if field.kind == "number" and name != "repeat")
_APART = "\x1f"
_NAME = (
    "subset || ' ' || CASE substr(key, 1, length(subset) + 1) WHEN subset || '-' THEN substr(key, length(subset) + 2)"
    " ELSE key END"
)
_ANSWERED = "EXISTS (SELECT 1 FROM response WHERE system_id = system.id AND current = 1)"
_KIND = (
    "CASE WHEN 'failed' IN (one.state, other.state) THEN 5 WHEN 'unparsable' IN (one.state, other.state) THEN 4"
    " WHEN 'unscored' IN (one.state, other.state) THEN 3 WHEN one.verdict = 'right' AND other.verdict = 'wrong' THEN 1"
    " WHEN one.verdict = 'wrong' AND other.verdict = 'right' THEN 2 ELSE 0 END"
)  # the index of PAIR_KINDS
_BINS = 24
_TAIL = 3.0  # times the 99th percentile: what lies beyond is counted, not drawn


@dataclass(frozen=True, slots=True)
class Beside:
    """A system, and its current answer to an instance; None where it gave none."""

    system: str
    response_id: int | None


def systems_there(db: sqlite3.Connection) -> tuple[str, ...]:
    """The systems that have answers, in the order in which they came."""
    return tuple(row[0] for row in db.execute(f"SELECT name FROM system WHERE {_ANSWERED} ORDER BY system.id"))


def beside(db: sqlite3.Connection, response_id: int) -> tuple[Beside, ...]:
    """Every system of the workspace with its answer to the instance of ``response_id``.

    In the order in which they came. Of several answers of a system it is the one of the same repeat, else the first.
    Raises EngineError ``query.no_response``.
    """
    row = db.execute("SELECT instance_id, repeat FROM response WHERE id = ?", (response_id,)).fetchone()
    if row is None:
        raise EngineError("query.no_response", id=response_id)
    found = db.execute(
        "SELECT name, (SELECT response.id FROM response WHERE system_id = system.id AND instance_id = ?1"
        " AND current = 1 ORDER BY repeat <> ?2, repeat LIMIT 1)"
        f" FROM system WHERE {_ANSWERED} ORDER BY system.id",
        tuple(row),
    )
    return tuple(Beside(name, answer) for name, answer in found)


def compared_systems(there: Sequence[Beside], own: str, kept: Sequence[str], count: int) -> tuple[str, ...]:
    """Which systems stand beside each other, at most ``count``: those that were kept, as far as they are there.

    The system of the answer that was chosen is always among them. Others follow to make the number full, those that
    answered before those that did not.

    >>> there = [Beside("a", 1), Beside("b", None), Beside("c", 3), Beside("d", 4)]
    >>> compared_systems(there, "a", ["c", "b"], 3), compared_systems(there, "d", ["c", "b"], 2)
    (('c', 'b', 'a'), ('c', 'd'))
    >>> compared_systems(there, "c", [], 3)
    ('c', 'a', 'd')
    """
    known = {entry.system for entry in there}
    chosen = [name for name in dict.fromkeys(kept) if name in known][:count]
    if own in known and own not in chosen:
        chosen = [*chosen[: count - 1], own]
    rest = sorted((e for e in there if e.system not in chosen), key=lambda entry: entry.response_id is None)
    return tuple([*chosen, *(entry.system for entry in rest)][:count])


def voice_of(detail: ResponseDetail) -> Voice:
    """An answer in clauses with their times: the recogniser's, else an estimate over what sounds.

    Of an answer without text it is what was heard; empty without audio or without either.
    """
    facts = (detail.answered.clip.facts if detail.answered.clip else None) or {}
    duration_s = float(facts.get("duration_s") or 0.0)
    if detail.answered.clip is None:
        return Voice((), 0.0)
    sound = (facts.get("sound_start_s") or 0.0, facts.get("sound_end_s") or duration_s)
    shown = shown_alignment(detail)
    if isinstance(shown, ShownAlignment) and shown.times.source != "nothing":
        return voice_of_cells(detail.answered.text or "", shown.drawn.cells, shown.times, duration_s)
    language = detail.asked.language
    if detail.answered.text is not None:
        return voice_of_text(detail.answered.text, language, duration_s, sound)
    heard = detail.transcript("corrected")
    if heard is None or heard.text is None:
        return Voice((), duration_s)
    return voice_of_text(heard.text, language, duration_s, sound, heard.words)


@dataclass(frozen=True, slots=True)
class Pairs:
    """A measure of one system against a measure of another, an entry per instance that has both.

    Attributes:
        first, second: response ids of the two answers.
        x, y: their measures, finite.
        kinds: indices of ``PAIR_KINDS``.
        names: subset and key of the instance, the subset not said twice.
        common: instances that both answered, with and without a value.
    """

    first: Ids
    second: Ids
    x: Floats
    y: Floats
    kinds: Ids
    names: tuple[str, ...]
    common: int

    def __len__(self) -> int:
        return len(self.x)

    @property
    def missing(self) -> int:
        """Instances that both answered where a measure has no value."""
        return self.common - len(self)

    def within(self, x: tuple[float, float], y: tuple[float, float]) -> Ids:
        """Which entries lie in a box, its edges included."""
        inside = (self.x >= x[0]) & (self.x <= x[1]) & (self.y >= y[0]) & (self.y <= y[1])
        return np.flatnonzero(inside)

    def enclosed(self, corners: Sequence[tuple[float, float]]) -> Ids:
        """Which entries lie in a polygon, by the even-odd rule."""
        inside = np.zeros(len(self), bool)
        for (x0, y0), (x1, y1) in zip(corners, [*corners[1:], *corners[:1]]):
            if y0 != y1:
                crosses = (self.y > min(y0, y1)) & (self.y <= max(y0, y1))
                inside ^= crosses & (self.x <= (self.y - y0) * (x1 - x0) / (y1 - y0) + x0)
        return np.flatnonzero(inside)

    def response_ids(self, places: Ids) -> tuple[int, ...]:
        """Both answers of some entries, each once."""
        return tuple(np.unique(np.concatenate([self.first[places], self.second[places]])).tolist())


def pairs(
    db: sqlite3.Connection,
    first: tuple[str, str],
    second: tuple[str, str],
    method: Method = "corrected",
    *,
    among: Ids | None = None,
) -> Pairs:
    """Two measures over the instances that two systems answered, repeat by repeat.

    Args:
        first, second: a system and the name of a measure, on the x and on the y axis.
        among: only instances of which at least one of the two answers is among these.

    Raises EngineError ``query.no_measure``.
    """
    row = db.execute(
        "SELECT group_concat(one.response_id), group_concat(other.response_id), group_concat(one.value),"
        f" group_concat(other.value), group_concat({_KIND}), group_concat({_NAME}, '{_APART}')"
        f" FROM ({_one_system(first[1], method)}) AS one JOIN ({_one_system(second[1], method)}) AS other"
        " USING (benchmark, subset, key, repeat)",
        (first[0], second[0]),
    ).fetchone()
    ids, others, kinds = read_ids(row[0]), read_ids(row[1]), read_ids(row[4])
    values, other_values = _read_floats(row[2]), _read_floats(row[3])
    asked = np.ones(len(ids), bool)
    if among is not None:
        asked = np.isin(ids, among) | np.isin(others, among)
    kept = np.flatnonzero(asked & np.isfinite(values) & np.isfinite(other_values))
    names = row[5].split(_APART) if row[5] else []
    return Pairs(
        ids[kept],
        others[kept],
        values[kept],
        other_values[kept],
        kinds[kept],
        tuple(names[place] for place in kept.tolist()),
        int(asked.sum()),
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """How a measure of one system is spread.

    Attributes:
        counts: answers between the edges, the upper edge in the last.
        over: answers beyond the last edge.
        count: answers with a value. missing: answers without one.
        median: NaN without a value.
    """

    system: str
    counts: tuple[int, ...]
    over: int
    count: int
    missing: int
    median: float


@dataclass(frozen=True, slots=True)
class Spreads:
    """A measure of several systems between the same ``edges``, one more than there are counts; empty without values."""

    measure: str
    edges: tuple[float, ...]
    rows: tuple[Spread, ...]


def spreads(
    db: sqlite3.Connection,
    measure: str,
    systems: Sequence[str],
    method: Method = "corrected",
    *,
    among: Ids | None = None,
) -> Spreads:
    """How ``measure`` is spread over the answers of each of ``systems``, of those ``among`` alone where given.

    Raises EngineError ``query.no_measure``.
    """
    value = _measure(measure).expression(method)
    places = ", ".join("?" * len(systems))
    found: dict[str, tuple[Ids, Floats]] = {
        row[0]: (read_ids(row[1]), _read_floats(row[2]))
        for row in db.execute(
            f"SELECT system, group_concat(response_id), group_concat(ifnull({value}, 'nan')) FROM audit_row"
            f" INDEXED BY audit_row_facts WHERE system IN ({places}) GROUP BY system",
            tuple(systems),
        )
    }
    values: dict[str, Floats] = {}
    for system in systems:
        ids, numbers = found.get(system, (read_ids(None), _read_floats(None)))
        values[system] = numbers if among is None else numbers[np.isin(ids, among)]
    every = np.concatenate([np.empty(0), *(numbers[np.isfinite(numbers)] for numbers in values.values())])
    edges = round_edges(every)
    return Spreads(measure, edges, tuple(_spread(system, numbers, edges) for system, numbers in values.items()))


def round_edges(values: Floats, most: int = _BINS) -> tuple[float, ...]:
    """Edges at round numbers around finite ``values``; a thin tail far above the rest is left out. Empty for none.

    >>> round_edges(np.array([0.0, 0.4, 1.0]), 5)
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    if not len(values):
        return ()
    low, high = float(values.min()), float(values.max())
    usual = float(np.quantile(values, 0.99))
    if usual > max(low, 0.0) and high > _TAIL * usual:
        high = usual
    return round_steps(low, high, most)


def round_steps(low: float, high: float, most: int) -> tuple[float, ...]:
    """Round numbers from at most ``low`` to at least ``high``, in about ``most`` even steps.

    >>> round_steps(-3.2, 9.0, 3)
    (-5.0, 0.0, 5.0, 10.0)
    """
    span = (high - low) or abs(high) or 1.0
    size = 10.0 ** math.floor(math.log10(span / most))
    step = next(f * size for f in (1, 2, 2.5, 5, 10, 20) if f * size >= span / most * (1 - 1e-9))
    first = math.floor(low / step + 1e-9)
    last = max(math.ceil(high / step - 1e-9), first + 1)
    return tuple(round(place * step, 10) for place in range(first, last + 1))


def _spread(system: str, numbers: Floats, edges: tuple[float, ...]) -> Spread:
    known = numbers[np.isfinite(numbers)]
    counts = np.histogram(known, np.asarray(edges))[0] if edges else np.empty(0, np.int64)
    median = float(np.median(known)) if len(known) else math.nan
    drawn = int(counts.sum())
    return Spread(system, tuple(counts.tolist()), len(known) - drawn, len(known), len(numbers) - len(known), median)


def _measure(name: str) -> Field:
    if name not in MEASURES:
        raise EngineError("query.no_measure", name=name)
    return FIELDS[name]


def _one_system(measure: str, method: Method) -> str:
    """The answers of one system, each with a measure as text that numpy reads."""
    value = _measure(measure).expression(method)
    return (
        f"SELECT response_id, benchmark, subset, key, repeat, ifnull({value}, 'nan') AS value,"
        f" {method}_state AS state, ifnull({method}_verdict, '') AS verdict"
        " FROM audit_row INDEXED BY audit_row_facts WHERE system = ?"
    )


def _read_floats(text: str | None) -> Floats:
    return np.fromstring(text, dtype=np.float64, sep=",") if text else np.empty(0)
