"""What a new study asks of the engine: what there is to choose, a plan, the leak check, the study itself."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.progress import Progress
from engine.rating.create import creating_study, plan_study
from engine.rating.design import Design, Known, StudyPlan
from gui.collecting import keep_what_is_loaded

if TYPE_CHECKING:
    from engine.rating.leaks import LeakReport
    from engine.rating.tagged import Tagged
    from engine.store.raters import Rater
    from engine.store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Offer:
    """What there is to choose from: systems with the number of their answers, raters, answers with a known rating.

    ``known`` are answers by their tags.
    """

    answers: tuple[tuple[str, int], ...] = ()
    raters: tuple[Rater, ...] = ()
    owner: Rater | None = None
    known: tuple[Tagged, ...] = ()

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that have answers."""
        return tuple(name for name, _ in self.answers)

    @property
    def usual(self) -> frozenset[str]:
        """The systems to begin with: those that answered about as much as the others; an item needs all of them."""
        most = max((size for _, size in self.answers), default=0)
        return frozenset(name for name, size in self.answers if 2 * size >= most)


def looked_up(workspace: Workspace) -> Offer:
    """Read what there is; the owner becomes a rater here, when one is first wanted."""
    from engine.rating.protocols import load_protocol, protocol_ids
    from engine.rating.tagged import known_by_tags
    from engine.store.plans import scope_sizes
    from engine.store.raters import owner_of, raters_of

    with closing(workspace.connect(durable=True)) as db:
        counts: dict[str, int] = {}
        for system, _, _, size in scope_sizes(db):
            counts[system] = counts.get(system, 0) + size
        owner = owner_of(db)
        others = tuple(rater for rater in raters_of(db) if rater.id != owner.id)
        known = known_by_tags(db, [load_protocol(name, "en") for name in protocol_ids()])
        return Offer(tuple(sorted(counts.items())), (owner, *others), owner, known)


def answering(workspace: Workspace, response_ids: tuple[int, ...]) -> frozenset[str]:
    """The systems whose answers these are."""
    from engine.store.frame import systems_answering

    with closing(workspace.connect()) as db:
        return frozenset(systems_answering(db, response_ids))


def planned(workspace: Workspace, design: Design) -> Generator[Progress, None, StudyPlan]:
    """The plan of a design."""
    return (yield from plan_study(workspace, design))


def checked(workspace: Workspace, plan: StudyPlan) -> Generator[Progress, None, LeakReport]:
    """The leak check of what would be rated, as it would be played.

    Of passes in which raters perceive different things, the one in which the systems are told best.
    """
    from engine.rating.leaks import check_leaks

    found = []
    for protocol in {protocol.perceived: protocol for protocol in plan.protocols}.values():
        report = yield from check_leaks(workspace, plan.response_ids, protocol, fixes=plan.fixes, seed=plan.design.seed)
        found.append(report)
    keep_what_is_loaded()  # the first time, all that the guesser is made of
    return max(found, key=_how_bad)


def _how_bad(report: LeakReport) -> tuple[bool, float]:
    return report.is_leaking, (report.guess_rate or 0.0) - (report.chance or 0.0)


def created(workspace: Workspace, plan: StudyPlan, leaks: LeakReport | None) -> Generator[Progress, None, int]:
    """Store the study, and what is evened out of its clips; its id."""
    return (yield from creating_study(workspace, plan, leaks.declaration() if leaks is not None else None))


def listed(workspace: Workspace, path: Path) -> tuple[tuple[str, Known], ...]:
    """The known answers of a file, each with its use: gold, trap or training."""
    from engine.rating.exchange.known_answers import read_known

    with closing(workspace.connect()) as db:
        found = read_known(db, path)
    return tuple((use.removesuffix("s"), each) for use, entries in found.items() for each in entries)


def flagged(workspace: Workspace, response_ids: frozenset[int], tag: str) -> None:
    """Tag answers, so that they are found in Audit and may be left out by a filter."""
    from engine.store.tags import add_tag

    with closing(workspace.connect(durable=True)) as db:
        add_tag(db, sorted(response_ids), tag)
