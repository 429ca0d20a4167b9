"""Reads ``result/<set>.json``, what the published scripts wrote, as judgements and measurements of their own maker."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine.benchmarks.declaration import ResultColumn, SubsetDeclaration
from engine.benchmarks.jsonfile import Record, place, read_records, shortened
from engine.benchmarks.values import JSON, OutsideJudgement, OutsideMeasurement, Problem


@dataclass(frozen=True, slots=True)
class Results:
    """What one result file holds; a value that means nothing is a problem and gives no row."""

    judgements: tuple[OutsideJudgement, ...]
    measurements: tuple[OutsideMeasurement, ...]
    problems: tuple[Problem, ...]


def read_results(path: Path, subset: SubsetDeclaration, encoding: str | None = None) -> Results:
    """Read the columns that ``subset`` declares; the maker is ``published/<file>``.

    The published scripts write false, or the lowest score, where a reply could not be read, so their file alone
    does not tell a verdict from a failure: every value comes in as ``scored``.
    """
    file = read_records(path, encoding)
    reader = _ResultReader(path, subset)
    rows = [row for record in file.records for row in reader.rows(record)]
    return Results(
        tuple(row for row in rows if isinstance(row, OutsideJudgement)),
        tuple(row for row in rows if isinstance(row, OutsideMeasurement)),
        (*file.problems, *reader.problems),
    )


class _ResultReader:
    def __init__(self, path: Path, subset: SubsetDeclaration) -> None:
        self.problems: list[Problem] = []
        self._path, self._subset = path, subset
        self._maker = f"published/{path.name}"

    def rows(self, record: Record) -> Iterator[OutsideJudgement | OutsideMeasurement]:
        key = record.fields.get("Qid")
        if not isinstance(key, str) or not key.strip():
            self._say(record, "key_missing", {"field": "Qid"})
            return
        for column in self._subset.results:
            if column.key not in record.fields:
                continue
            if column.judge:
                yield from self._judgement(record, key, column)
            else:
                yield from self._measurements(record, key, column)

    def _judgement(self, record: Record, key: str, column: ResultColumn) -> Iterator[OutsideJudgement]:
        value = record.fields[column.key]
        reason = record.fields.get(column.reason)
        score = _number(value)
        if column.true and isinstance(value, bool):
            verdict, score = (column.true, 1.0) if value else (column.false, 0.0)
        elif column.true or score is None:
            self._say(record, "bad_value", {"field": column.key, "value": shortened(value)})
            return
        else:
            verdict = f"{score:g}"
        yield OutsideJudgement(
            subset=self._subset.name,
            key=key,
            judge=column.judge,
            state="scored",
            verdict=verdict,
            score=score,
            reason=reason if isinstance(reason, str) else "",
            maker_name=self._maker,
        )

    def _measurements(self, record: Record, key: str, column: ResultColumn) -> Iterator[OutsideMeasurement]:
        value = record.fields[column.key]
        values = value if isinstance(value, list) else [value]
        numbers = [_number(each) for each in values]
        if len(numbers) != len(column.metrics) or None in numbers:
            self._say(record, "bad_value", {"field": column.key, "value": shortened(value)})
            return
        for metric, number in zip(column.metrics, numbers, strict=True):
            if number is not None:
                yield OutsideMeasurement(self._subset.name, key, metric, number, maker_name=self._maker)

    def _say(self, record: Record, code: str, values: dict[str, JSON]) -> None:
        self.problems.append(Problem(self._path, place(record), f"benchmarks.{code}", values))


def _number(value: JSON) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    number = float(value)
    return number if math.isfinite(number) else None
