"""From a design to a plan that can be looked at: who rates what in which order, and what that costs and tells."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from engine.audio.source import opened
from engine.errors import EngineError
from engine.progress import Progress
from engine.query.selection import Selection
from engine.rating.caveats import caveats_of
from engine.rating.design import Counts, Design, PlannedSession, RaterLoad, SpokenTrap, StudyPlan
from engine.rating.draw import Drawn, Item, draw, effective_items
from engine.rating.frame import REASONS, Frame, Needs, read_frame
from engine.rating.known import known_items
from engine.rating.leaks.fixes import allowed_fixes
from engine.rating.leaks.values import Fixes
from engine.rating.order import Checked, KnownItem, all_pairs, ordered_session
from engine.rating.protocols import load_protocol
from engine.rating.shares import share_out, shared_items
from engine.rating.sizes import UNKNOWN_S, Lengths, precision_of, session_seconds
from engine.rating.traps import can_speak, steps_for_traps
from engine.rating.values import Protocol
from engine.store.frame import PlayedAnswer, asked_instances, played_answers
from engine.store.raters import raters_of
from engine.store.workspace import Workspace

_FILES = 100  # whose headers are read between two steps, some 20 ms
_ANSWERS = 20_000


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a plan is made of, once it is drawn."""

    protocols: tuple[Protocol, ...]
    frame: Frame
    drawn: Drawn
    known: Mapping[tuple[str, str], tuple[KnownItem, ...]]
    spoken: Mapping[str, tuple[KnownItem, ...]]


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
        parts = yield from _drawn(db, design, protocols, total)
        lengths = yield from _lengths(workspace, db, _played(parts), total)
    choose = random.Random(f"{design.seed}:share")
    items = choose.sample(parts.drawn.items, len(parts.drawn.items))
    shares = share_out(len(items), design.raters, design.ratings_per_item, design.overlap, choose)
    yield Progress(3, total, "order")
    sessions: list[PlannedSession] = []
    for number, protocol in enumerate(protocols, 1):
        for rater in design.raters:
            sessions.append(_session(design, parts, protocol, number, rater, [items[at] for at in shares[rater]]))
            yield Progress(3 + len(sessions), total, "order")
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


def _drawn(
    db: sqlite3.Connection, design: Design, protocols: tuple[Protocol, ...], total: int
) -> Generator[Progress, None, _Parts]:
    frame = yield from _frame(db, design, design.chosen, design.systems, protocols, total)
    beside = None
    if design.selection == "manual" and design.added_random:
        beside = yield from _frame(db, design, Selection(design.frame), frame.systems, protocols, total)
    if any(protocol.compares for protocol in protocols) and len(frame.systems) < 2:
        raise EngineError("rating.two_systems")
    if design.against and design.against not in frame.systems:
        raise EngineError("rating.unknown_system", system=design.against, known=", ".join(frame.systems))
    drawn = draw(design, frame, beside)
    if not drawn.items:
        if frame.left_out:
            raise EngineError("rating.none_rateable", **{reason: frame.left_out.get(reason, 0) for reason in REASONS})
        raise EngineError("rating.no_item")
    known = known_items(db, design, protocols)
    spoken = {protocol.id: _spoken(design, protocol, drawn, frame.systems) for protocol in protocols}
    return _Parts(protocols, frame, drawn, known, spoken)


def _spoken(design: Design, protocol: Protocol, drawn: Drawn, systems: Sequence[str]) -> tuple[KnownItem, ...]:
    """What trap clips are made of: as many answers to drawn items as the longest possible pass has room for."""
    if not design.spoken_traps or protocol.perceived == "text" or not can_speak():
        return ()
    choose = random.Random(f"{design.seed}:traps:{protocol.id}")
    rated = len(drawn.items) * _presentations(design, protocol, systems)
    most = _part(protocol.checks.trap_share, rated, protocol.screening.fewest_traps)
    steps = steps_for_traps(protocol)
    made = {known.response_id for known in design.traps} | {known.other_response_id for known in design.traps}
    found = []
    for item in choose.sample(drawn.items, min(most, len(drawn.items))):
        pair = choose.sample(item.responses, 2 if protocol.compares else 1)
        if made.isdisjoint(pair):
            expected = {protocol.main.id: choose.choice(steps).value}
            plain = replace(item, responses=tuple(pair), pi=None, stratum="", selection="manual", stage=design.stage)
            found.append(KnownItem(plain, expected))
    return tuple(found)


def _presentations(design: Design, protocol: Protocol, systems: Sequence[str]) -> int:
    """How many things are rated of one item."""
    if not protocol.compares:
        return len(systems)
    pairs = len(all_pairs(systems, design.against))
    return min(pairs, design.pairs_per_item or pairs)


def _frame(
    db: sqlite3.Connection,
    design: Design,
    chosen: Selection,
    systems: Sequence[str],
    protocols: Sequence[Protocol],
    total: int,
) -> Generator[Progress, None, Frame]:
    steps = read_frame(db, chosen, systems, Needs.of(protocols), design.method)
    while True:
        yield Progress(0, total, "items")
        try:
            next(steps)
        except StopIteration as end:
            found: Frame = end.value
            return found


def _played(parts: _Parts) -> list[int]:
    items = [*parts.drawn.items, *(entry.item for known in parts.known.values() for entry in known)]
    return sorted({number for item in items for number in item.responses})


def _lengths(
    workspace: Workspace, db: sqlite3.Connection, ids: Sequence[int], total: int
) -> Generator[Progress, None, Lengths]:
    """How long all that is played takes; questions that were never measured are looked up in their files' headers."""
    answers: list[PlayedAnswer] = []
    for start in range(0, len(ids), _ANSWERS):
        yield Progress(1, total, "lengths")
        answers += played_answers(db, ids[start : start + _ANSWERS])
    questions: dict[int, float] = {}
    for done, asked in enumerate(asked_instances(db, sorted({answer.instance_id for answer in answers})).values()):
        if done % _FILES == 0:
            yield Progress(2, total, "lengths")
        if asked.seconds is not None or asked.sounds:
            read = (_header_seconds(workspace.audio / path) for path in asked.sounds)
            questions[asked.id] = sum(read) if asked.seconds is None else asked.seconds
    return Lengths(
        {answer.response_id: answer.seconds for answer in answers if answer.seconds is not None},
        {answer.response_id: answer.written for answer in answers},
        {answer.response_id: answer.instance_id for answer in answers},
        questions,
    )


def _header_seconds(path: Path) -> float:
    try:
        with opened(path) as source:
            return source.expected_frames / source.sample_rate_hz
    except EngineError:
        return UNKNOWN_S


def _session(
    design: Design, parts: _Parts, protocol: Protocol, number: int, rater: int, items: Sequence[Item]
) -> PlannedSession:
    choose = random.Random(f"{design.seed}:{number}:{rater}")
    systems = parts.frame.systems
    pairs = all_pairs(systems, design.against) if protocol.compares else ()
    rated = len(items) * _presentations(design, protocol, systems)
    checks, rule = protocol.checks, protocol.screening
    mine = {number for item in items for number in item.responses}
    checked = Checked(
        _some(parts.known[protocol.id, "training"], protocol.training.items, mine, choose),
        _some(parts.known[protocol.id, "gold"], _part(checks.gold_share, rated, rule.fewest_gold), mine, choose),
        _traps(parts, protocol, _part(checks.trap_share, rated, rule.fewest_traps), mine, choose),
        _part(checks.repeat_share, rated, rule.fewest_repeats)
        if design.repeats_share is None
        else round(design.repeats_share * rated),
    )
    placed = ordered_session(protocol, items, pairs, checked, choose, design.pairs_per_item)
    return PlannedSession(rater, protocol, number, placed)


def _traps(parts: _Parts, protocol: Protocol, most: int, rated: set[int], choose: random.Random) -> list[KnownItem]:
    """At most ``most`` traps: those that were given, then spoken ones, first of answers the rater does not rate."""
    given = _some(parts.known[protocol.id, "trap"], most, rated, choose)
    spoken = sorted(parts.spoken[protocol.id], key=lambda entry: not rated.isdisjoint(entry.item.responses))
    return given + spoken[: most - len(given)]


def _part(share: float, rated: int, fewest: int) -> int:
    """How many checks ``rated`` presentations ask for: as many as the rule on them looks at, unless there are none."""
    return max(fewest, round(share * rated)) if share and rated else 0


def _some(known: Sequence[KnownItem], most: int, rated: set[int], choose: random.Random) -> list[KnownItem]:
    """At most ``most`` of the known ones, in their order, without those that the rater rates anyway."""
    free = [entry for entry in known if rated.isdisjoint(entry.item.responses)]
    kept = set(choose.sample(range(len(free)), min(most, len(free))))
    return [entry for place, entry in enumerate(free) if place in kept]


def _plan(
    design: Design,
    parts: _Parts,
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
        warnings=caveats_of(design, parts.protocols, parts.drawn, systems, loads, sessions, lengths, fixes),
        fixes=fixes,
        sessions=sessions,
        spoken=_spoken_traps(parts, sessions),
    )


def _spoken_traps(parts: _Parts, sessions: Sequence[PlannedSession]) -> tuple[SpokenTrap, ...]:
    """The trap clips that some session holds; of a comparison it is the one heard second."""
    found = []
    for protocol in parts.protocols:
        placed = {
            entry.other_response_id or entry.response_id
            for session in sessions
            for entry in session.assignments
            if session.protocol.id == protocol.id and entry.kind == "trap"
        }
        for known in parts.spoken[protocol.id]:
            if known.item.responses[-1] in placed:
                key = protocol.main.step_of(known.expected[protocol.main.id]).key
                found.append(SpokenTrap(protocol.id, known.item.responses[-1], key))
    return tuple(found)


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


def _counts(design: Design, parts: _Parts, sessions: Sequence[PlannedSession]) -> Counts:
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
