"""Reads measurements and judgements that were made elsewhere, from a table or JSONL."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.jsonfile import shortened
from engine.benchmarks.manifest import NamedRow, number_of, plain_name, read_named_rows
from engine.benchmarks.values import JSON, Finding, OutsideJudgement, OutsideMeasurement, Problem
from engine.errors import EngineError
from engine.progress import Progress

STATES = ("scored", "unparsable", "failed", "unscored")
_NO_VALUE = ("", "nan", "na", "n/a", "null", "none")


@dataclass(frozen=True, slots=True)
class Outside:
    """What a file of outside results holds, in its order; of its ``rows``, those that mean nothing are problems."""

    judgements: tuple[OutsideJudgement, ...]
    measurements: tuple[OutsideMeasurement, ...]
    problems: tuple[Problem, ...]
    rows: int = 0


def read_outside(path: Path, encoding: str | None = None, guarded: bool = False) -> Generator[Progress, None, Outside]:
    """Read a CSV or JSONL file of results; yields now and then.

    Columns: subset, key or Qid; metric and value, or judge with state, verdict, score, reason; and where known
    system, maker and version (in JSON, maker may be an object of name and version). A row may hold both kinds.
    A value that is empty, NaN or N/A is NaN: it was computed and came to nothing. A missing state is ``scored``
    where there is a verdict or score.

    Raises EngineError when a column that is needed is not there.
    """
    read = read_named_rows(path, encoding, guarded)
    _check_columns(path, read.names)
    reader = _OutsideReader(path, read.separator)
    for done, row in enumerate(read.rows, start=1):
        reader.read(row)
        if done % 1000 == 0:
            yield Progress(done, len(read.rows))
    yield Progress(len(read.rows), len(read.rows))
    problems = (*read.problems, *reader.problems)
    return Outside(tuple(reader.judgements), tuple(reader.measurements), problems, len(read.rows))


def without_answer(row: OutsideJudgement | OutsideMeasurement) -> Finding:
    """What is to be said of a result whose answer is not there."""
    return Finding(row.subset, row.key, "benchmarks.result_without_answer")


def _check_columns(path: Path, names: frozenset[str]) -> None:
    if not names:
        return  # the problems say why
    for column in ("subset", "Qid"):
        if plain_name(column) not in names:
            raise EngineError("benchmarks.outside_columns", file=path, column=column)
    if not {"metric", "value"} <= names and "judge" not in names:
        raise EngineError("benchmarks.outside_columns", file=path, column="metric")


class _OutsideReader:
    def __init__(self, path: Path, separator: str) -> None:
        self.judgements: list[OutsideJudgement] = []
        self.measurements: list[OutsideMeasurement] = []
        self.problems: list[Problem] = []
        self._path, self._separator = path, separator

    def read(self, row: NamedRow) -> None:
        """Take what the row holds, or say why it holds nothing."""
        subset, key = _text(row, "subset"), _text(row, "key")
        metric, judge = _text(row, "metric"), _text(row, "judge")
        if not subset or not key:
            self._say(row, "key_missing", field="Qid" if subset else "subset")
            return
        if not metric and not judge:
            self._say(row, "no_result")
            return
        subset = subset.rpartition("/")[2].replace("-", "_")
        if metric:
            self._take_measurement(row, subset, key, metric)
        if judge:
            self._take_judgement(row, subset, key, judge)

    def _take_measurement(self, row: NamedRow, subset: str, key: str, metric: str) -> None:
        value = row.values.get("value")
        number = self._number(value)
        if number is None or math.isinf(number):
            self._say(row, "bad_value", field="value", value=shortened(value))
            return
        name, version = _maker(row)
        system = _text(row, "system") or None
        self.measurements.append(OutsideMeasurement(subset, key, metric, number, system, name, version, _place(row)))

    def _take_judgement(self, row: NamedRow, subset: str, key: str, judge: str) -> None:
        verdict, value = _text(row, "verdict") or None, row.values.get("score")
        score = self._number(value)
        if score is None or math.isinf(score):
            self._say(row, "bad_value", field="score", value=shortened(value))
            return
        has_opinion = verdict is not None or not math.isnan(score)
        state = _text(row, "state").lower() or ("scored" if has_opinion else "")
        if state not in STATES:
            self._say(row, "unknown_state" if state else "no_result", value=state)
        elif (state == "scored") != has_opinion:
            self._say(row, "state_and_value", value=state)
        else:
            self._add_judgement(row, (subset, key, judge, state), verdict, None if math.isnan(score) else score)

    def _add_judgement(
        self, row: NamedRow, what: tuple[str, str, str, str], verdict: str | None, score: float | None
    ) -> None:
        name, version = _maker(row)
        reason = row.values.get("reason")
        self.judgements.append(
            OutsideJudgement(
                *what,
                verdict=verdict,
                score=score,
                reason=reason if isinstance(reason, str) else "",
                system=_text(row, "system") or None,
                maker_name=name,
                maker_version=version,
                where=_place(row),
            )
        )

    def _number(self, value: JSON) -> float | None:
        """A number, NaN for no value, None for what is neither."""
        if value is None or (isinstance(value, str) and value.strip().lower() in _NO_VALUE):
            return math.nan
        return number_of(value, self._separator)

    def _say(self, row: NamedRow, code: str, **values: JSON) -> None:
        self.problems.append(Problem(self._path, _place(row), f"benchmarks.{code}", values))


def _place(row: NamedRow) -> str:
    key = row.values.get("key")
    return f"{row.where} ({key})" if isinstance(key, str) else row.where


def _text(row: NamedRow, name: str) -> str:
    value = row.values.get(name)
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, (str, int, float)) else ""


def _maker(row: NamedRow) -> tuple[str, str]:
    maker = row.values.get("maker")
    if isinstance(maker, dict):
        return str(maker.get("name") or ""), str(maker.get("version") or "")
    return _text(row, "maker") or _text(row, "maker_name"), _text(row, "version") or _text(row, "maker_version")
