"""Whatever is asked for, a plan keeps its promises: laws over designs drawn at random."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from contextlib import closing

import pytest

from engine.query.selection import Selection
from engine.rating.create import create_study, plan_study
from engine.rating.design import Design, Known, StudyPlan
from engine.rating.protocols import load_protocol, protocol_ids
from engine.store.studies import study_of
from engine.store.workspace import open_workspace
from tests.engine.rating.asked import SYSTEMS, answers_of, asked, designed, items_of, judged, rated, systems_of

ITEMS, RATERS = 30, 4


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    workspace = open_workspace(folder / "workspace", create=True)
    return judged(asked(workspace, folder / "sounds", items=ITEMS, systems=4, raters=RATERS), 7)


def any_design(workspace, choose: random.Random) -> Design:
    """Some design; what it asks for can be planned."""
    protocols = choose.sample(protocol_ids(), choose.randint(1, 3))
    selection = choose.choice(["random", "random", "stratified", "manual"])
    systems = choose.sample(SYSTEMS[:4], choose.randint(2, 4))
    ids = choose.sample(sorted(answers_of(workspace, systems[0]).values()), choose.randint(1, 12))
    raters = tuple(range(1, choose.randint(1, RATERS) + 1))
    known = [
        Known(name, number, {name: load_protocol(name, "zh").main.steps[0].value})
        for name in protocols
        if not load_protocol(name, "zh").compares
        for number in choose.sample(sorted(answers_of(workspace, SYSTEMS[3]).values()), 9)
    ]
    return designed(
        workspace,
        *protocols,
        systems=tuple(systems),
        selection=selection,
        chosen=Selection(ids=tuple(ids)) if selection == "manual" else Selection(),
        items=choose.choice([None, 1, 5, 17, ITEMS, 99]),
        added_random=choose.choice([0, 6]),
        raters=raters,
        ratings_per_item=choose.randint(1, len(raters)),
        overlap=choose.choice([0, 3, 50]),
        repeats_share=choose.choice([None, 0.0, 0.2]),
        pairs_per_item=choose.choice([None, 1, 2]),
        gold=tuple(known[:4]),
        training=tuple(known[4:]),
        seed=choose.randint(0, 999),
    )


@pytest.mark.parametrize("seed", range(24))
def test_any_plan_keeps_its_promises(made, finish, seed):
    design = any_design(made, random.Random(seed))
    plan = finish(plan_study(made, design))
    items, systems = items_of(made), systems_of(made)
    raters_of_item: dict[tuple[int, int], set[int]] = defaultdict(set)
    for session in plan.sessions:
        own = rated(session)
        assert own
        assert len({(entry.response_id, entry.other_response_id) for entry in own}) == len(own)
        for place, entry in enumerate(session.assignments):
            assert (entry.pi is None) == (entry.selection == "manual")
            assert entry.pi is None or 0 < entry.pi <= 1
            assert (entry.expected is None) == (entry.kind in ("rated", "repeat"))
            assert (entry.repeats is None) == (entry.kind != "repeat")
            assert (entry.other_response_id is None) == (not session.protocol.compares)
            if entry.repeats is not None:
                source = session.assignments[entry.repeats]
                assert (source.response_id, source.other_response_id) == (entry.response_id, entry.other_response_id)
                assert place - entry.repeats >= session.protocol.checks.repeat_distance
        kinds = [entry.kind for entry in session.assignments]
        assert kinds == sorted(kinds, key=lambda kind: kind != "training")  # training first
        for entry in own:
            raters_of_item[session.number, items[entry.response_id]].add(session.rater_id)
        if not session.protocol.compares:
            answers = Counter((items[e.response_id], systems[e.response_id]) for e in own)
            assert set(answers.values()) == {1}
            assert len(answers) == len({item for item, _ in answers}) * len(design.systems)
    _raters_are_served(design, plan, raters_of_item)
    _counts_agree(plan)


def _raters_are_served(design: Design, plan: StudyPlan, raters_of_item: dict[tuple[int, int], set[int]]) -> None:
    for number in range(1, len(design.protocols) + 1):
        times = Counter(len(raters) for (at, _), raters in raters_of_item.items() if at == number)
        assert sum(times.values()) == plan.counts.items
        everybody = len(design.raters)
        few = design.ratings_per_item
        wanted = Counter({everybody: min(design.overlap, plan.counts.items)})
        wanted[few] += plan.counts.items - min(design.overlap, plan.counts.items)
        assert times == +wanted
    loads = [load.items for load in plan.loads]
    assert max(loads) - min(loads) <= 1


def _counts_agree(plan: StudyPlan) -> None:
    kinds = Counter(entry.kind for session in plan.sessions for entry in session.assignments)
    counts = plan.counts
    assert (counts.rated, counts.repeats, counts.gold, counts.traps, counts.training) == (
        kinds["rated"], kinds["repeat"], kinds["gold"], kinds["trap"], kinds["training"],
    )  # fmt: skip
    assert counts.presentations == sum(kinds.values()) == sum(load.presentations for load in plan.loads)
    assert all(load.minutes > 0 for load in plan.loads if load.items)


@pytest.mark.parametrize("seed", range(3))
def test_any_plan_can_be_stored(made, finish, seed):
    plan = finish(plan_study(made, any_design(made, random.Random(seed))))
    study = create_study(made, plan)
    with closing(made.connect()) as db:
        assert study_of(db, study).planned == plan.counts.presentations
