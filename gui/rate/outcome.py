"""What came of a study under one protocol, read and reckoned on a pool thread, as far as it may be told now."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.progress import Progress
from gui.collecting import keep_what_is_loaded

if TYPE_CHECKING:
    from engine.rating.quality import RaterQuality
    from engine.rating.result_values import StudyResults
    from engine.rating.screening import SideBySide
    from engine.rating.values import Protocol
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Outcome:
    """Results with everyone and without those set aside, and how each rater did; systems together while sealed."""

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
    from engine.rating.told import results_told_in_steps
    from engine.rating.values import Protocol
    from engine.store.raters import OWNER
    from engine.store.studies import protocol_declaration

    with closing(workspace.connect()) as db:
        protocol = Protocol.of(protocol_declaration(db, protocol_id))
        work = results_told_in_steps(db, study_id, protocol, raters={OWNER: owner})
        yield next(work)  # by then the store is read
    told = yield from work
    keep_what_is_loaded()  # the first time, some hundred modules of statistics
    return Outcome(protocol, told.is_sealed, told.sides)
