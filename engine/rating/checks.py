"""What is put among the items of a pass to check the rater: how much of it, and which."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.rating.design import Design, PlannedSession, SpokenTrap
from engine.rating.draw import Drawn
from engine.rating.order import Checked, KnownItem, all_pairs
from engine.rating.traps import can_speak, steps_for_traps
from engine.rating.values import Protocol


def presentations(design: Design, protocol: Protocol, systems: Sequence[str]) -> int:
    """How many things are rated of one item."""
    if not protocol.compares:
        return len(systems)
    pairs = len(all_pairs(systems, design.against))
    return min(pairs, design.pairs_per_item or pairs)


def spoken_items(design: Design, protocol: Protocol, drawn: Drawn, systems: Sequence[str]) -> tuple[KnownItem, ...]:
    """What trap clips are made of: as many answers to drawn items as the longest possible pass has room for."""
    if not design.spoken_traps or protocol.perceived == "text" or not can_speak():
        return ()
    choose = random.Random(f"{design.seed}:traps:{protocol.id}")
    rated = len(drawn.items) * presentations(design, protocol, systems)
    most = _part(protocol.checks.trap_share, rated, protocol.screening.traps_needed)
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


def checks_among(
    design: Design,
    protocol: Protocol,
    known: Mapping[tuple[str, str], Sequence[KnownItem]],
    spoken: Sequence[KnownItem],
    rated: int,
    mine: set[int],
    choose: random.Random,
) -> Checked:
    """What is put among ``rated`` presentations of one rater.

    Args:
        known: answers of known rating by protocol and kind. spoken: what trap clips are made of.
        mine: the answers that the rater rates anyway; of these none is put among them, but for spoken traps, and for
            those last.
    """
    checks, rule = protocol.checks, protocol.screening
    most = _part(checks.trap_share, rated, rule.traps_needed)
    given = _some(known[protocol.id, "trap"], most, mine, choose)
    others_first = sorted(spoken, key=lambda entry: not mine.isdisjoint(entry.item.responses))
    repeats = _part(checks.repeat_share, rated, rule.repeats_needed)
    return Checked(
        _some(known[protocol.id, "training"], protocol.training.items, mine, choose),
        _some(known[protocol.id, "gold"], _part(checks.gold_share, rated, rule.fewest_gold), mine, choose),
        given + others_first[: most - len(given)],
        repeats if design.repeats_share is None else round(design.repeats_share * rated),
    )


def _part(share: float, rated: int, fewest: int) -> int:
    """How many checks ``rated`` presentations ask for: as many as the rule on them looks at, unless there are none."""
    return max(fewest, round(share * rated)) if share and rated else 0


def _some(known: Sequence[KnownItem], most: int, mine: set[int], choose: random.Random) -> list[KnownItem]:
    """At most ``most`` of the known ones, in their order, without those that the rater rates anyway."""
    free = [entry for entry in known if mine.isdisjoint(entry.item.responses)]
    kept = set(choose.sample(range(len(free)), min(most, len(free))))
    return [entry for place, entry in enumerate(free) if place in kept]


def spoken_traps(
    protocols: Sequence[Protocol], spoken: Mapping[str, Sequence[KnownItem]], sessions: Sequence[PlannedSession]
) -> tuple[SpokenTrap, ...]:
    """The trap clips that some session holds; of a comparison it is the one heard second."""
    found = []
    for protocol in protocols:
        placed = {
            entry.other_response_id or entry.response_id
            for session in sessions
            for entry in session.assignments
            if session.protocol.id == protocol.id and entry.kind == "trap"
        }
        for known in spoken[protocol.id]:
            if known.item.responses[-1] in placed:
                key = protocol.main.step_of(known.expected[protocol.main.id]).key
                found.append(SpokenTrap(protocol.id, known.item.responses[-1], key))
    return tuple(found)
