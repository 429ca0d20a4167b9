"""Reads what flipped in a run, and chooses whose results count; functions for a pool thread."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from typing import TYPE_CHECKING

from engine.progress import Progress
from engine.runs.before import flips_of_run, pairs_of
from engine.scoring.counting import flips_of_makers, let_count
from engine.scoring.flips import Flip, grouped
from engine.store.choices import answers_of_both, choosable, made_between, rivals
from engine.store.plans import Scope
from gui.run.flipped_card import Flipped

if TYPE_CHECKING:
    from engine.runs.before import MakerPair
    from engine.store.choices import Choosable
    from engine.store.runs import RunRow
    from engine.store.workspace import Workspace


def read_flipped(workspace: Workspace, run: RunRow) -> Generator[Progress, None, tuple[int, Flipped | None]]:
    """What flipped in a run that has ended, or would if what it made counted; None where it met no earlier result."""
    found = flips_of_run(workspace, run.id)
    if found is None:
        return run.id, None
    with closing(workspace.connect()) as db:
        if found:
            return run.id, _flipped(run.id, found, tuple(pairs_of(db, found)), choosable(db), would=False)
        made = made_between(db, run.started_at, run.ended_at)
        for counting, beside in rivals(db, made):
            sides = (counting.id,), (beside.id,)
            answers = answers_of_both(db, *sides, Scope())
            found = yield from flips_of_makers(db, *sides, answers)
            if found:
                pairs = tuple(pairs_of(db, found))
                return run.id, _flipped(run.id, found, pairs, choosable(db), would=True)
    return run.id, Flipped(run.id, 0, (), ())


def choose_side(workspace: Workspace, flipped: Flipped, side: str) -> Generator[Progress, None, None]:
    """Let the results of one side of the pairs count before all others."""
    numbers = {pair.before_id if side == "before" else pair.after_id for pair in flipped.pairs}
    with closing(workspace.connect(durable=True)) as db:
        keys = [entry.key for entry in choosable(db) if entry.id in numbers]
        yield from let_count(db, keys)


def _flipped(
    run_id: int, found: list[Flip], pairs: tuple[MakerPair, ...], makers: list[Choosable], *, would: bool
) -> Flipped:
    known = {entry.id: entry for entry in makers}
    both = [
        (known[pair.before_id], known[pair.after_id])
        for pair in pairs
        if pair.before_id in known and pair.after_id in known and pair.before_id != pair.after_id
    ]
    counts, is_chosen = "", False
    if both:
        before, after = both[0]
        counts = "before" if before.rank > after.rank else "after"
        is_chosen = max(before.rank, after.rank) > 0
    answers = len({flip.response_id for flip in found})
    return Flipped(run_id, answers, tuple(grouped(found)), pairs, would, counts, is_chosen)
