"""What may be told of a study's results: by system once the letters are revealed, before that of all systems together.

One rule for every window and command. Names of chance in place of systems would say which answers belong together, and
with one rating of one's own in hand that is the map of the letters. What was rated, skipped and is missing is counted
over all systems and told at any time; ratings that a table brought are by system, for its rows name them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.progress import Progress
from engine.rating.result_values import TOGETHER, ScaleResult, StudyResults
from engine.rating.results import finished, is_drawn
from engine.rating.screening import SideBySide, side_by_side_in_steps
from engine.rating.values import Protocol
from engine.store.planned_ratings import PlannedRating, planned_ratings
from engine.store.rating_rows import RatingRow, rating_rows
from engine.store.studies import study_of


@dataclass(frozen=True, slots=True)
class ToldResults:
    """Results as they may be told now; ``is_sealed`` says that systems are together in them, under ``TOGETHER``."""

    is_sealed: bool
    sides: SideBySide


def results_told(
    db: sqlite3.Connection,
    study_id: int,
    protocol: Protocol,
    *,
    seed: int | None = None,
    only_drawn: bool = False,
    raters: Mapping[str, str] | None = None,
) -> ToldResults:
    """The results of one protocol of a study, with and without raters set aside, as far as they may be told.

    Args:
        seed: of every bootstrap; None is the study's own, so that everybody who asks is told the same intervals.
        only_drawn: answers picked by hand are left out, so that what was drawn beside them can correct a score.
        raters: other names for raters, as for the owner's in the reader's language.

    Raises EngineError ``rating.no_such_study``.
    """
    return finished(results_told_in_steps(db, study_id, protocol, seed=seed, only_drawn=only_drawn, raters=raters))


def results_told_in_steps(
    db: sqlite3.Connection,
    study_id: int,
    protocol: Protocol,
    *,
    seed: int | None = None,
    only_drawn: bool = False,
    raters: Mapping[str, str] | None = None,
) -> Generator[Progress, None, ToldResults]:
    """The same bit by bit; the store is read before the first step, so ``db`` may be closed then."""
    study = study_of(db, study_id)
    names, seed = raters or {}, study.seed if seed is None else seed
    rows = rating_rows(db, study_id, before_reveal=protocol.reveals == "after_commit")
    rows = tuple(replace(row, rater=names[row.rater]) if row.rater in names else row for row in rows)
    planned = planned_ratings(db, study_id)
    yield Progress(0, 0)
    if only_drawn:
        rows = tuple(row for row in rows if is_drawn(row) or row.kind != "rated")
        planned = tuple(one for one in planned if is_drawn(one))
    whole = yield from side_by_side_in_steps(rows, protocol, seed=seed, planned=planned)
    if not study.is_sealed:
        return ToldResults(False, whole)
    return ToldResults(True, (yield from _pooled(whole, rows, protocol, seed, planned)))


def _pooled(
    whole: SideBySide, rows: Sequence[RatingRow], protocol: Protocol, seed: int, planned: Sequence[PlannedRating]
) -> Generator[Progress, None, SideBySide]:
    """``whole`` with all that names a system left out, or taken from results in which every answer is of one system.

    Agreement, counts and the effect of the order say nothing of a system and are whole.
    """
    alike = [replace(row, system=TOGETHER, other_system=row.other_system and TOGETHER) for row in rows]
    asked = [replace(one, system=TOGETHER, other_system=one.other_system and TOGETHER) for one in planned]
    together = yield from side_by_side_in_steps(alike, protocol, seed=seed, planned=asked)
    everyone = _of_none(whole.everyone, together.everyone)
    return replace(whole, everyone=everyone, without=_of_none(whole.without, together.without))


def _of_none(whole: StudyResults, together: StudyResults) -> StudyResults:
    scales = tuple(_scale_of_none(scale, together.scale(scale.scale)) for scale in whole.scales)
    return replace(whole, scales=scales)


def _scale_of_none(scale: ScaleResult, together: ScaleResult) -> ScaleResult:
    comparison = scale.comparison and replace(scale.comparison, pairs=(), strengths=())
    return replace(scale, systems=together.systems, items=(), differences=(), comparison=comparison)
