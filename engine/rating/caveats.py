"""What an owner ought to know of a plan before it is stored: limits of what it can tell, and what was not to be had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.rating.design import Design, PlannedSession, RaterLoad, Told
from engine.rating.draw import HIGHEST_RATIO, Drawn, highest_ratio
from engine.rating.frame import Frame
from engine.rating.leaks.values import Fixes
from engine.rating.order import williams
from engine.rating.sizes import Lengths
from engine.rating.traps import can_speak
from engine.rating.values import Protocol

FEWEST_RATERS = 8  # from here on results hold for raters like these, not for these alone
FEWEST_ITEMS = 30
FEWEST_IN_STRATUM = 5  # for a variance inside it that is worth the name
FEWEST_SHARED = 30  # items with two ratings, for a figure of agreement
_RATIO_TOLD = HIGHEST_RATIO * 1.1


def caveats_of(
    design: Design,
    protocols: Sequence[Protocol],
    drawn: Drawn,
    frame: Frame,
    loads: Sequence[RaterLoad],
    sessions: Sequence[PlannedSession],
    lengths: Lengths,
    fixes: Fixes,
) -> tuple[Told, ...]:
    """Everything that stands against the plan, the gravest first."""
    return (
        *_of_the_drawing(design, drawn),
        *_of_the_questions(protocols, drawn, frame),
        *_of_the_raters(design, drawn, loads),
        *_of_the_balance(protocols, frame.systems, loads),
        *_of_the_checks(design, protocols, sessions),
        *_of_the_playing(design, protocols, sessions, lengths, fixes),
        *_of_the_time(protocols, loads),
    )


def _of_the_drawing(design: Design, drawn: Drawn) -> Iterator[Told]:
    count = len(drawn.items)
    picked = sum(item.pi is None for item in drawn.items)
    if picked:
        yield Told("manual", {"n": picked}) if picked == count else Told("manual_beside", {"n": picked})
    if design.given and count < len(design.given):
        yield Told("given_missing", {"n": len(design.given) - count})
    wanted = design.added_random if design.selection == "manual" else design.items
    if wanted and not design.given and drawn.size < wanted:
        yield Told("fewer_items", {"wanted": wanted, "n": drawn.size})
    if 0 < count - picked < FEWEST_ITEMS:
        yield Told("few_items", {"n": count - picked, "least": FEWEST_ITEMS})
    if design.selection == "stratified" and len(drawn.strata) == 1 and not design.given:
        yield Told("one_stratum", {})
    thin = [name for name, (got, there) in drawn.strata.items() if got < min(FEWEST_IN_STRATUM, there)]
    if thin and len(drawn.strata) > 1:
        yield Told("thin_strata", {"names": ", ".join(thin), "least": FEWEST_IN_STRATUM})
    if (ratio := highest_ratio(drawn)) > _RATIO_TOLD:
        yield Told("ratio", {"ratio": f"{ratio:.1f}"})


def _of_the_questions(protocols: Sequence[Protocol], drawn: Drawn, frame: Frame) -> Iterator[Told]:
    """A protocol about feelings is of little use on questions of knowledge: told where most are of other subsets."""
    asked = [frame.instances[item.instance_id] for item in drawn.items if item.instance_id in frame.instances]
    for protocol in protocols:
        own = protocol.planning.meant_for
        benchmarks = {name.partition("/")[0] for name in own}
        here = [f"{one.benchmark}/{one.subset}" for one in asked if one.benchmark in benchmarks]
        others = sum(name not in own for name in here)
        if 2 * others > len(here):
            query = " OR ".join(f"subset:{name.partition('/')[2]}" for name in own)
            yield Told("not_about", {"protocol": protocol.title, "n": others, "of": len(here), "query": query})


def _of_the_raters(design: Design, drawn: Drawn, loads: Sequence[RaterLoad]) -> Iterator[Told]:
    if len(loads) < FEWEST_RATERS:
        yield Told("few_raters", {"n": len(loads), "least": FEWEST_RATERS})
    twice = len(drawn.items) if design.ratings_per_item > 1 else min(design.overlap, len(drawn.items))
    if not twice or len(loads) < 2:
        yield Told("no_agreement", {})
    elif twice < FEWEST_SHARED:
        yield Told("few_shared", {"n": twice, "least": FEWEST_SHARED})
    if (idle := sum(load.items == 0 for load in loads)) > 0:
        yield Told("idle_raters", {"n": idle})


def _of_the_balance(
    protocols: Sequence[Protocol], systems: Sequence[str], loads: Sequence[RaterLoad]
) -> Iterator[Told]:
    if all(protocol.compares for protocol in protocols) or len(systems) < 2:
        return
    orders = len(williams(len(systems)))
    if (least := min(load.items for load in loads if load.items)) < orders:
        yield Told("balance", {"orders": orders, "n": least})


def _of_the_checks(design: Design, protocols: Sequence[Protocol], sessions: Sequence[PlannedSession]) -> Iterator[Told]:
    lacking: dict[str, list[str]] = {"few_gold": [], "few_traps": [], "few_repeats": [], "few_training": []}
    for protocol in protocols:
        mine = [session.assignments for session in sessions if session.protocol.id == protocol.id]
        gold, traps, repeats, training = (
            min(sum(entry.kind == kind for entry in assignments) for assignments in mine)
            for kind in ("gold", "trap", "repeat", "training")
        )
        rule = protocol.screening
        looks_at_repeats = rule.repeat_difference_at_most is not None or rule.repeat_share_at_least is not None
        for name, is_lacking in (
            ("few_gold", rule.gold_share_at_least is not None and gold < rule.fewest_gold),
            ("few_traps", rule.trap_share_at_least is not None and traps < rule.traps_needed),
            ("few_repeats", looks_at_repeats and repeats < rule.repeats_needed),
            ("few_training", training < protocol.training.items),
        ):
            if is_lacking:
                lacking[name].append(protocol.title)
    if design.spoken_traps and not can_speak():
        yield Told("no_voice", {})
    for name, titles in lacking.items():
        if titles:
            yield Told(name, {"protocols": " · ".join(titles)})


def _of_the_playing(
    design: Design,
    protocols: Sequence[Protocol],
    sessions: Sequence[PlannedSession],
    lengths: Lengths,
    fixes: Fixes,
) -> Iterator[Told]:
    heard = [protocol for protocol in protocols if protocol.perceived != "text"]
    if design.gain is None and len({protocol.gain for protocol in heard}) > 1:
        yield Told(f"gain_{fixes.gain}", {})
    if heard:
        played = {entry.response_id for session in sessions for entry in session.assignments}
        if unknown := len(played - lengths.clips.keys()):
            yield Told("unknown_lengths", {"n": unknown})


def _of_the_time(protocols: Sequence[Protocol], loads: Sequence[RaterLoad]) -> Iterator[Told]:
    longest = max(load.minutes for load in loads)
    most = min(protocol.break_after_min for protocol in protocols)
    if longest > most:
        yield Told("long", {"minutes": round(longest), "sittings": -(-round(longest) // most), "most": most})
