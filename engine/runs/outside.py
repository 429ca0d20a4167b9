"""Results computed elsewhere: only verdicts that their judge declares and numbers that their metric can take."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from engine.benchmarks.declaration import declared_subsets
from engine.benchmarks.outside import Outside, read_outside
from engine.benchmarks.values import JSON, OutsideJudgement, OutsideMeasurement, Problem
from engine.judges.declaration import Judge, load_judges
from engine.metrics import metric_named
from engine.progress import Progress
from engine.scoring.rules import VOCALBENCH


def read_known_results(path: Path, encoding: str | None = None) -> Generator[Progress, None, Outside]:
    """What a file of results holds, as ``read_outside``; what means nothing here is left out and named."""
    read = yield from read_outside(path, encoding)
    taker = _Taker(path)
    measurements = tuple(taker.measurements(read.measurements))
    judgements = tuple(taker.judgements(read.judgements))
    return Outside(judgements, measurements, (*read.problems, *taker.problems), read.rows)


class _Taker:
    def __init__(self, path: Path) -> None:
        self.problems: list[Problem] = []
        self._path = path

    def measurements(self, rows: Iterable[OutsideMeasurement]) -> Iterable[OutsideMeasurement]:
        """Those within the range of their metric, where that is known."""
        for row in rows:
            try:
                metric = metric_named(row.metric)
            except KeyError:
                yield row
                continue
            if row.value < metric.lowest or row.value > metric.highest:  # NaN, for no value, is neither
                values = {"metric": row.metric, "value": row.value, "lowest": metric.lowest, "highest": metric.highest}
                self._say(row, "value_outside", values)
            else:
                yield row

    def judgements(self, rows: Iterable[OutsideJudgement]) -> Iterable[OutsideJudgement]:
        """Those of known judges, each with a verdict or score that the judge declares."""
        for row in rows:
            judge = load_judges().get(row.judge)
            if judge is None and row.judge not in _published_judges():
                self._say(row, "unknown_judge", {"judge": row.judge, "known": ", ".join(sorted(load_judges()))})
                continue
            found = row if judge is None or row.state != "scored" else _as_declared(row, judge)
            if found is None and judge is not None:
                value = row.verdict if row.verdict is not None else row.score
                self._say(row, "unknown_verdict", {"judge": row.judge, "value": value, "known": _verdicts_of(judge)})
            elif found is not None:
                yield found

    def _say(self, row: OutsideJudgement | OutsideMeasurement, code: str, values: Mapping[str, JSON]) -> None:
        self.problems.append(Problem(self._path, row.where, f"runs.{code}", values))


def _as_declared(row: OutsideJudgement, judge: Judge) -> OutsideJudgement | None:
    """``row`` with the verdict as the judge's declaration spells it; None where it has none of that judge's."""
    if judge.scale:
        step = row.score if row.verdict is None else _number(row.verdict)
        if step is None or row.score not in (None, step) or not judge.scale[0] <= step <= judge.scale[-1]:
            return None
        return replace(row, score=step)
    if row.verdict is None:
        names = [choice.name for choice in judge.choices if choice.score == row.score]
    else:
        names = [choice.name for choice in judge.choices if choice.name == row.verdict.strip().casefold()]
    return replace(row, verdict=names[0]) if len(names) == 1 else None


def _verdicts_of(judge: Judge) -> str:
    return ", ".join(choice.name for choice in judge.choices) or f"{judge.scale[0]}-{judge.scale[-1]}"


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@cache
def _published_judges() -> frozenset[str]:
    """Judges that the published files have results of, whether they can be asked here or not."""
    return frozenset(result.judge for subset in declared_subsets(VOCALBENCH).values() for result in subset.results)
