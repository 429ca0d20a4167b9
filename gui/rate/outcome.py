"""What came of a study under one protocol, read and reckoned on a pool thread; sealed letters stay sealed in it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.progress import Progress
from gui.collecting import keep_what_is_loaded

if TYPE_CHECKING:
    from engine.rating.quality import RaterQuality
    from engine.rating.result_values import ScaleResult, StudyResults
    from engine.rating.screening import SideBySide
    from engine.rating.values import Protocol
    from engine.store.rating_rows import RatingRow
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """Results with everyone and without those set aside, and how each rater did.

    While the letters are sealed every answer counts as one of the same system ``TOGETHER``: letters differ from item to
    item, so there is nothing between one answer and all of them that could be told without the map. Agreement between
    raters, counts and the effect of the order say nothing of a system and are whole.
    """

    protocol: Protocol
    is_sealed: bool
    sides: SideBySide

    @property
    def quality(self) -> tuple[RaterQuality, ...]:
        """How each rater did."""
        return self.sides.quality

    @property
    def results(self) -> StudyResults:
        """With everyone."""
        return self.sides.everyone

    @property
    def set_aside(self) -> tuple[str, ...]:
        """The names of those whom the protocol's rules set aside."""
        return tuple(rater.rater for rater in self.sides.screened.raters if rater.is_set_aside)


def reckoned(workspace: Workspace, study_id: int, protocol_id: int, owner: str) -> Generator[Progress, None, Outcome]:
    """The outcome of a study under the protocol of that row of the store; ``owner`` is what its owner is called."""
    from engine.rating.screening import side_by_side
    from engine.rating.values import Protocol
    from engine.store.planned_ratings import planned_ratings
    from engine.store.raters import OWNER
    from engine.store.rating_rows import rating_rows
    from engine.store.studies import protocol_declaration, study_of

    with closing(workspace.connect()) as db:
        study = study_of(db, study_id)
        protocol = Protocol.of(protocol_declaration(db, protocol_id))
        rows: Sequence[RatingRow] = rating_rows(db, study_id, before_reveal=protocol.reveals == "after_commit")
        planned = planned_ratings(db, study_id)
    rows = [replace(row, rater=owner) if row.rater == OWNER else row for row in rows]
    yield Progress(0, 2)
    sides = side_by_side(rows, protocol, seed=study.seed, planned=planned)
    keep_what_is_loaded()  # the first time, some hundred modules of statistics
    yield Progress(1, 2)
    is_sealed = study.disclosed_at is None
    if is_sealed:
        sealed = side_by_side([_sealed(row) for row in rows], protocol, seed=study.seed)
        yield Progress(1, 2)
        sides = replace(
            sides,
            everyone=_with_systems_of(sides.everyone, sealed.everyone),
            without=_with_systems_of(sides.without, sealed.without),
        )
    return Outcome(protocol, is_sealed, sides)


def _sealed(row: RatingRow) -> RatingRow:
    from engine.rating.result_values import TOGETHER

    other = TOGETHER if row.other_system is not None else None
    return replace(row, system=TOGETHER, other_system=other)


def _with_systems_of(whole: StudyResults, sealed: StudyResults) -> StudyResults:
    """``whole`` with all that names a system taken from ``sealed`` or left out."""
    of = {scale.scale: scale for scale in sealed.scales}
    return replace(whole, scales=tuple(_kept(scale, of[scale.scale]) for scale in whole.scales))


def _kept(scale: ScaleResult, sealed: ScaleResult) -> ScaleResult:
    comparison = scale.comparison and replace(scale.comparison, pairs=(), strengths=())
    return replace(scale, systems=sealed.systems, items=(), differences=(), comparison=comparison)
