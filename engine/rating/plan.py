"""From a design to a plan that can be looked at: who rates what in which order, and what that costs and tells."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing

from engine.errors import EngineError
from engine.progress import Progress
from engine.rating.caveats import caveats_of
from engine.rating.checks import checks_among, presentations, spoken_traps
from engine.rating.design import Counts, Design, PlannedSession, RaterLoad, StudyPlan
from engine.rating.draw import Item, effective_items
from engine.rating.leaks.fixes import allowed_fixes
from engine.rating.leaks.values import Fixes
from engine.rating.order import all_pairs, ordered_session
from engine.rating.parts import Parts, drawn_parts, lengths_of
from engine.rating.protocols import load_protocol
from engine.rating.shares import share_out, shared_items
from engine.rating.sizes import Lengths, precision_of, session_seconds
from engine.rating.values import Protocol
from engine.store.raters import raters_of
from engine.store.workspace import Workspace


def plan_study(workspace: Workspace, design: Design) -> Generator[Progress, None, StudyPlan]:
    """What ``design`` comes to in this workspace: who rates what in which order, how long it takes, how sharp it gets.

    Nothing is stored. Raises EngineError ``rating.no_rater``, ``no_protocol``, ``no_item``, ``none_rateable``,
    ``two_systems``, ``ratings_per_item``, ``unknown_system``, ``unknown_rater``, and what a filter or a known answer
    raises.
    """
    protocols = _checked(design)
    total = 3 + len(protocols) * len(design.raters)
    with closing(workspace.connect()) as db:
        _raters_there(db, design)
        parts = yield from drawn_parts(db, design, protocols, total)
        lengths = yield from lengths_of(workspace, db, parts.played, total)
    choose = random.Random(f"{design.seed}:share")
    items = choose.sample(parts.drawn.items, len(parts.drawn.items))
    shares = share_out(len(items), design.raters, design.ratings_per_item, design.overlap, choose)
    yield Progress(3, total)
    sessions: list[PlannedSession] = []
    for number, protocol in enumerate(protocols, 1):
        for rater in (rater for rater in design.raters if shares[rater]):
            sessions.append(_session(design, parts, protocol, number, rater, [items[at] for at in shares[rater]]))
            yield Progress(3 + len(sessions), total)
    return _plan(design, parts, lengths, shares, tuple(sessions))


def _checked(design: Design) -> tuple[Protocol, ...]:
    if not design.protocols or len(set(design.protocols)) < len(design.protocols):
        raise EngineError("rating.no_protocol")
    if not design.raters or len(set(design.raters)) < len(design.raters):
        raise EngineError("rating.no_rater")
    if not 1 <= design.ratings_per_item <= len(design.raters):
        raise EngineError("rating.ratings_per_item", wanted=design.ratings_per_item, raters=len(design.raters))
    if design.selection == "active" and not design.given:
        raise EngineError("rating.no_item")
    return tuple(load_protocol(name, design.language) for name in design.protocols)


def _raters_there(db: sqlite3.Connection, design: Design) -> None:
    known = {rater.id for rater in raters_of(db)}
    for rater in design.raters:
        if rater not in known:
            raise EngineError("rating.unknown_rater", rater=rater)


def _session(
    design: Design, parts: Parts, protocol: Protocol, number: int, rater: int, items: Sequence[Item]
) -> PlannedSession:
    choose = random.Random(f"{design.seed}:{number}:{rater}")
    systems = parts.frame.systems
    pairs = all_pairs(systems, design.against) if protocol.compares else ()
    rated = len(items) * presentations(design, protocol, systems)
    mine = {number for item in items for number in item.responses}
    checked = checks_among(design, protocol, parts.known, parts.spoken[protocol.id], rated, mine, choose)
    placed = ordered_session(protocol, items, pairs, checked, choose, design.pairs_per_item)
    return PlannedSession(rater, protocol, number, placed)


def _plan(
    design: Design,
    parts: Parts,
    lengths: Lengths,
    shares: Mapping[int, tuple[int, ...]],
    sessions: tuple[PlannedSession, ...],
) -> StudyPlan:
    systems = parts.frame.systems
    n = effective_items(parts.drawn)
    loads = _loads(design, lengths, shares, sessions)
    precision = tuple(
        precision_of(protocol, n * _share_of_pairs(design, protocol, systems), parts.drawn.size, len(systems))
        for protocol in parts.protocols
    )
    fixes = common_fixes(design, parts.protocols)
    return StudyPlan(
        design=design,
        protocols=parts.protocols,
        counts=_counts(design, parts, sessions),
        loads=loads,
        precision=precision,
        strata=parts.drawn.strata,
        warnings=caveats_of(design, parts.protocols, parts.drawn, parts.frame, loads, sessions, lengths, fixes),
        fixes=fixes,
        sessions=sessions,
        spoken=spoken_traps(parts.protocols, parts.spoken, sessions),
    )


def _share_of_pairs(design: Design, protocol: Protocol, systems: Sequence[str]) -> float:
    """On how many of the items each pair of systems is compared; 1.0 where nothing is."""
    if not protocol.compares or design.pairs_per_item is None:
        return 1.0
    return min(1.0, design.pairs_per_item / len(all_pairs(systems, design.against)))


def common_fixes(design: Design, protocols: Sequence[Protocol]) -> Fixes:
    """What is evened out on playback: as much as is wanted and as every pass allows, for a clip has one fix a study."""
    fixes = Fixes(design.trim, "per_clip" if design.gain is None else design.gain)
    for protocol in protocols:
        if protocol.perceived != "text":
            fixes = allowed_fixes(fixes, protocol)
    is_heard = any(protocol.perceived != "text" for protocol in protocols)
    return fixes if is_heard else Fixes()


def _loads(
    design: Design, lengths: Lengths, shares: Mapping[int, tuple[int, ...]], sessions: Sequence[PlannedSession]
) -> tuple[RaterLoad, ...]:
    shared = shared_items(shares)
    found = []
    for rater in design.raters:
        mine = [session for session in sessions if session.rater_id == rater]
        seconds = sum(session_seconds(session.protocol, session.assignments, lengths) for session in mine)
        presentations = sum(len(session.assignments) for session in mine)
        found.append(RaterLoad(rater, len(shares[rater]), shared[rater], presentations, seconds / 60))
    return tuple(found)


def _counts(design: Design, parts: Parts, sessions: Sequence[PlannedSession]) -> Counts:
    kinds = Counter(entry.kind for session in sessions for entry in session.assignments)
    return Counts(
        instances=parts.frame.found,
        left_out=parts.frame.left_out,
        items=len(parts.drawn.items),
        systems=parts.frame.systems,
        raters=len(design.raters),
        presentations=kinds.total(),
        rated=kinds["rated"],
        repeats=kinds["repeat"],
        gold=kinds["gold"],
        traps=kinds["trap"],
        training=kinds["training"],
    )
