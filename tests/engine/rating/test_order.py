"""Orders are balanced in place and in what follows what; letters mean nothing; checks stand where they may."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

from engine.rating.draw import Item
from engine.rating.order import Checked, KnownItem, all_pairs, ordered_session, williams
from engine.rating.protocols import load_protocol

ACOUSTIC = load_protocol("empathy_acoustic", "zh")
PREFERENCE = load_protocol("preference", "zh")


def items(count: int, systems: int) -> list[Item]:
    """Items whose answers are numbered item x 100 + system."""
    return [
        Item(n, tuple(n * 100 + s for s in range(systems)), 0.5, "", "test", "random", "estimation")
        for n in range(1, count + 1)
    ]


def known(number: int, value: int = 3) -> KnownItem:
    item = Item(1000 + number, (100_000 + number,), None, "", "dev", "manual", "estimation")
    return KnownItem(item, {"empathy_acoustic": value})


def session(count=12, systems=3, checked=Checked(), seed=0, protocol=ACOUSTIC, **more):  # noqa: B008
    pairs = all_pairs(range(systems)) if protocol.compares else ()
    return ordered_session(protocol, items(count, systems), pairs, checked, random.Random(seed), **more)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 8, 15])
def test_in_a_williams_design_each_follows_each_and_stands_everywhere_equally_often(size):
    orders = williams(size)
    squares = 1 if size % 2 == 0 else 2
    assert len(orders) == size * squares
    assert all(sorted(order) == list(range(size)) for order in orders)
    follows = Counter(pair for order in orders for pair in pairwise(order))
    assert follows == {(a, b): squares for a in range(size) for b in range(size) if a != b}
    places = Counter((place, system) for order in orders for place, system in enumerate(order))
    assert set(places.values()) == {squares}


@pytest.mark.parametrize(("systems", "count"), [(2, 8), (3, 12), (4, 12), (5, 20)])
def test_the_order_of_one_rater_is_carry_over_balanced(systems, count):
    order = [entry.response_id % 100 for entry in session(count, systems)]
    groups = [order[at : at + systems] for at in range(0, len(order), systems)]
    assert all(sorted(group) == list(range(systems)) for group in groups)
    follows = Counter(pair for group in groups for pair in pairwise(group))
    assert len(follows) == systems * (systems - 1)
    assert set(follows.values()) == {count // systems}  # each item has systems - 1 steps, shared by all ordered pairs
    assert set(Counter((place, s) for group in groups for place, s in enumerate(group)).values()) == {count // systems}


def test_the_answers_to_one_item_follow_one_another_and_the_items_are_shuffled():
    numbers = [entry.response_id // 100 for entry in session(12, 3)]
    assert [numbers[at] for at in range(0, 36, 3)] == [numbers[at] for at in range(2, 36, 3)]
    assert sorted(set(numbers)) == list(range(1, 13))
    assert numbers[::3] != sorted(numbers[::3])


def test_the_same_seed_gives_the_same_order_and_another_another():
    assert session(seed=4) == session(seed=4)
    assert [e.response_id for e in session(seed=4)] != [e.response_id for e in session(seed=5)]


def test_a_letter_says_nothing_across_items():
    entries = session(300, 3)
    assert {entry.letter for entry in entries} == {"A", "B", "C"}
    for group in (entries[at : at + 3] for at in range(0, len(entries), 3)):
        assert sorted(entry.letter for entry in group) == ["A", "B", "C"]
    for what in (lambda place, entry: entry.response_id % 100, lambda place, entry: place % 3):
        counts = Counter((what(place, entry), entry.letter) for place, entry in enumerate(entries))
        # 100 expected in each of the nine; chi-square with 4 degrees of freedom is under 23.5 in 9,999 of 10,000
        assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 23.5


def test_hidden_repeats_stand_far_from_what_they_repeat_and_point_at_it():
    for seed in range(20):
        entries = session(12, 3, Checked(repeats=4), seed)
        repeats = [(place, entry) for place, entry in enumerate(entries) if entry.kind == "repeat"]
        assert len(repeats) == 4
        assert len({entry.response_id for _, entry in repeats}) == 4
        for place, entry in repeats:
            source = entries[entry.repeats]
            assert source.kind == "rated"
            assert source.response_id == entry.response_id
            assert place - entry.repeats >= 8
            assert (entry.pi, entry.split, entry.selection) == (source.pi, source.split, source.selection)
            for beside in entries[place - 1 : place + 2 : 2]:
                assert beside.response_id // 100 != entry.response_id // 100 or beside.kind == "repeat"
        assert len({entry.response_id for entry in entries if entry.kind == "rated"}) == 36


def test_a_session_too_short_for_repeats_has_none():
    assert not [entry for entry in session(2, 3, Checked(repeats=5)) if entry.kind == "repeat"]
    assert not [entry for entry in session(7, 1, Checked(repeats=5)) if entry.kind == "repeat"]


def test_checks_do_not_break_the_answers_to_one_item_apart():
    checked = Checked([known(1), known(2)], [known(n) for n in range(3, 7)], [known(7), known(8)], 4)
    for seed in range(20):
        entries = session(12, 3, checked, seed)
        assert Counter(e.kind for e in entries) == {"rated": 36, "training": 2, "gold": 4, "trap": 2, "repeat": 4}
        assert [entry.kind for entry in entries[:2]] == ["training", "training"]
        assert entries[2].kind == "rated"
        numbers = [entry.response_id // 100 for entry in entries if entry.kind == "rated"]
        assert [numbers[at] for at in range(0, 36, 3)] == [numbers[at] for at in range(2, 36, 3)]
        for place in range(len(entries) - 2):
            if entries[place].kind == "rated" and entries[place + 1].kind not in ("rated",):
                before = entries[place].response_id // 100
                after = [e.response_id // 100 for e in entries[place + 1 :] if e.kind == "rated"][:1]
                assert after != [before]


def test_gold_is_spread_over_the_whole_and_brings_what_is_expected():
    checked = Checked(gold=[known(n, n % 5 + 1) for n in range(4)])
    places = Counter()
    for seed in range(50):
        entries = session(40, 1, checked, seed)
        gold = [place for place, entry in enumerate(entries) if entry.kind == "gold"]
        places.update(place * 4 // len(entries) for place in gold)
        for entry in entries:
            assert (entry.expected is not None) == (entry.kind == "gold")
            if entry.kind == "gold":
                assert entry.expected == {"empathy_acoustic": entry.response_id % 100_000 % 5 + 1}
                assert (entry.pi, entry.selection) == (None, "manual")
    assert min(places.values()) >= 40  # of 200, a quarter of the session has 50


def test_each_pair_is_heard_in_both_orders_equally_often():
    entries = session(10, 3, protocol=PREFERENCE)
    pairs = Counter((entry.response_id % 100, entry.other_response_id % 100) for entry in entries)
    assert pairs == {(a, b): 5 for a in range(3) for b in range(3) if a != b}
    assert all(entry.response_id // 100 == entry.other_response_id // 100 for entry in entries)
    assert all(entry.letter != entry.other_letter for entry in entries)
    by_item = [entries[at : at + 3] for at in range(0, 30, 3)]
    for group in by_item:  # an answer keeps its letter while its item lasts
        letters = {(e.response_id, e.letter) for e in group} | {(e.other_response_id, e.other_letter) for e in group}
        assert len(letters) == 3


def test_fewer_pairs_than_there_are_come_equally_often():
    entries = session(20, 4, protocol=PREFERENCE, pairs_per_item=3)
    assert len(entries) == 60
    pairs = Counter(frozenset((e.response_id % 100, e.other_response_id % 100)) for e in entries)
    assert set(pairs.values()) == {10}
    ordered = Counter((e.response_id % 100, e.other_response_id % 100) for e in entries)
    assert set(ordered.values()) == {5}
    for at in range(0, 60, 3):
        assert len({frozenset((e.response_id, e.other_response_id)) for e in entries[at : at + 3]}) == 3


def test_a_comparison_with_one_system_leaves_the_other_pairs_out():
    assert all_pairs(["a", "b", "c"]) == ((0, 1), (0, 2), (1, 2))
    assert all_pairs(["a", "b", "c"], "b") == ((0, 1), (1, 2))


def test_a_repeated_comparison_repeats_the_order_it_was_heard_in():
    entries = session(12, 2, Checked(repeats=2), protocol=PREFERENCE)
    repeats = [entry for entry in entries if entry.kind == "repeat"]
    assert len(repeats) == 2
    for entry in repeats:
        source = entries[entry.repeats]
        assert (entry.response_id, entry.other_response_id) == (source.response_id, source.other_response_id)


def test_of_one_system_every_letter_is_the_same_so_that_no_check_stands_out():
    checked = Checked([known(1)], [known(2)], [known(3)], 2)
    entries = session(20, 1, checked)
    assert {entry.kind for entry in entries} == {"rated", "training", "gold", "trap", "repeat"}
    assert {entry.letter for entry in entries} == {"A"}


def test_more_than_26_systems_have_letters_too():
    letters = {entry.letter for entry in session(1, 30)}
    assert len(letters) == 30
    assert {"A", "Z", "AA", "AD"} <= letters
