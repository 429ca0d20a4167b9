"""Items are drawn with the probability that is stored, and weighted by it they tell what all would have told."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.query.selection import Selection
from engine.rating.design import Design, Given
from engine.rating.draw import Drawn, Item, allocate, draw, effective_items, highest_ratio
from engine.rating.frame import Frame, verdict_names
from engine.rating.split import DEV_SHARE, split_of
from engine.store.frame import AskedInstance


def frame(count: int, wrong: int = 0, systems: int = 1, subset: str = "safety") -> Frame:
    """``count`` items; of the first ``wrong`` every answer was found wrong, of the others right."""
    ids = np.arange(1, count + 1)
    verdicts = np.where(ids <= wrong, 2, 1)[:, None].repeat(systems, axis=1)
    responses = ids[:, None] * 100 + np.arange(systems)
    asked = {n: AskedInstance(n, "vocalbench_zh", subset, f"{n:04d}", "", 10, 2.0, ("a",)) for n in ids.tolist()}
    return Frame(tuple("abcdef"[:systems]), ids, responses, verdicts, asked, count, {})


def design(**more) -> Design:
    return Design(**{"title": "", "protocols": ("safety",), "language": "en", "raters": (1,), **more})


def test_a_simple_sample_has_the_share_as_its_probability():
    drawn = draw(design(items=20), frame(80, systems=2))
    assert len(drawn.items) == 20
    assert len({item.instance_id for item in drawn.items}) == 20
    assert {(item.pi, item.selection, item.stage) for item in drawn.items} == {(0.25, "random", "estimation")}
    assert all(item.responses == (item.instance_id * 100, item.instance_id * 100 + 1) for item in drawn.items)
    assert drawn.strata == {"": (20, 80)}


def test_every_item_is_drawn_about_as_often():
    whole = frame(10)
    times = Counter(item.instance_id for seed in range(1000) for item in draw(design(items=3, seed=seed), whole).items)
    assert sum((count - 300) ** 2 / (300 * 0.7) for count in times.values()) * 0.9 < 27.9  # chi-square, 9, 1 in 1,000


def test_all_are_taken_where_no_number_is_given_or_more_than_there_are():
    assert [item.pi for item in draw(design(), frame(7)).items] == [1.0] * 7
    assert [item.pi for item in draw(design(items=99), frame(7)).items] == [1.0] * 7
    assert draw(design(items=5), frame(0)).items == ()


def test_strata_are_drawn_from_by_verdict_with_their_own_probabilities():
    drawn = draw(design(items=100, selection="stratified"), frame(1000, wrong=100))
    assert drawn.strata == {"right": (75, 900), "wrong": (25, 100)}  # weights 900 and 3 x 100: of 100, 75 and 25
    assert Counter((item.stratum, item.pi) for item in drawn.items) == {
        ("right", 75 / 900): 75,
        ("wrong", 25 / 100): 25,
    }
    assert highest_ratio(drawn) == pytest.approx(3.0)


def test_weighted_by_its_probabilities_a_stratified_sample_gives_the_share_of_all():
    for seed in range(5):
        drawn = draw(design(items=100, selection="stratified", seed=seed), frame(1000, wrong=100))
        wrong = sum(1 / item.pi for item in drawn.items if item.stratum == "wrong")
        assert wrong / sum(1 / item.pi for item in drawn.items) == pytest.approx(0.1)


@pytest.mark.parametrize("sizes", [{"a": 400, "b": 50}, {"a": 300, "b": 40, "c": 200, "d": 90}, {"a": 10, "b": 10}])
@pytest.mark.parametrize("count", [20, 60, 150])
def test_no_stratum_is_favoured_more_than_three_to_one(sizes, count):
    got = allocate(sizes, count)
    assert sum(got.values()) == min(count, sum(sizes.values()))
    assert all(0 < got[name] <= size for name, size in sizes.items())
    rates = {name: got[name] / size for name, size in sizes.items()}
    rounding = max(1 / got[name] for name in sizes)
    assert max(rates.values()) / min(rates.values()) <= 3.0 * (1 + rounding) ** 2
    largest = max(sizes, key=sizes.__getitem__)
    assert rates[largest] <= min(rates.values()) * (1 + rounding)


def test_a_tiny_stratum_gets_two_even_beyond_the_ratio():
    assert allocate({"right": 990, "wrong": 6, "unknown": 1}, 30) == {"right": 27, "wrong": 2, "unknown": 1}


def test_what_a_judge_said_of_several_systems_is_one_stratum_an_item():
    whole = frame(4, systems=2)
    whole.verdicts[:] = [[1, 1], [2, 2], [1, 2], [0, 1]]
    assert verdict_names(whole) == ["right", "wrong", "divided", "unknown"]


def test_strata_may_be_crossed_with_subsets():
    drawn = draw(design(items=20, selection="stratified", strata=("subset", "verdict")), frame(100, wrong=20))
    assert set(drawn.strata) == {"safety/right", "safety/wrong"}


def test_items_picked_by_hand_have_no_probability_and_no_say():
    drawn = draw(design(selection="manual"), frame(3))
    assert {(item.pi, item.selection, item.stage) for item in drawn.items} == {(None, "manual", "diagnosis")}
    assert effective_items(drawn) == 0.0


def test_beside_those_picked_by_hand_others_are_drawn_from_all():
    picked = frame(3)
    drawn = draw(design(selection="manual", added_random=50), picked, frame(100))
    by = {item.instance_id: item for item in drawn.items}
    assert sum(item.selection == "random" for item in drawn.items) == 50
    assert {item.pi for item in drawn.items if item.selection == "random"} == {0.5}
    assert {1, 2, 3} <= by.keys()
    assert len(by) == len(drawn.items)  # one that is both counts as drawn
    assert sum(item.selection == "manual" for item in drawn.items) == len(by) - 50


def test_a_list_drawn_elsewhere_keeps_its_probabilities():
    given = (Given(2, 0.5, "split"), Given(5, 0.1, "agree"), Given(77, 0.1, "agree"))
    drawn = draw(design(selection="active", given=given, chosen=Selection()), frame(10))
    assert [(item.instance_id, item.pi, item.stratum, item.selection) for item in drawn.items] == [
        (2, 0.5, "split", "active"),
        (5, 0.1, "agree", "active"),
    ]


def test_unequal_weights_are_worth_fewer_items():
    def weighted(*pis: float) -> Drawn:
        return Drawn(tuple(Item(n, (n,), pi, "", "test", "random", "") for n, pi in enumerate(pis)), {}, 100)

    assert effective_items(weighted(0.5, 0.5, 0.5, 0.5)) == pytest.approx(4.0)
    assert effective_items(weighted(1.0, 0.5)) == pytest.approx(9 / 5)  # weights 1 and 2: 3^2 / 5


def test_the_split_follows_the_instance_alone():
    splits = [split_of("vocalbench_zh", "emotion", f"emotion-{n:03d}") for n in range(2000)]
    share = splits.count("dev") / len(splits)
    assert abs(share - DEV_SHARE) < 4 * (DEV_SHARE * (1 - DEV_SHARE) / len(splits)) ** 0.5
    assert split_of("vocalbench_zh", "safety", "safety-002") == "dev"  # for good: never to be changed
    assert split_of("vocalbench_zh", "safety", "safety-000") == "test"
    one = draw(design(items=40, seed=1), frame(80))
    other = draw(design(items=40, seed=2), frame(80))
    both = {item.instance_id: item.split for item in one.items}
    assert all(both.get(item.instance_id, item.split) == item.split for item in other.items)
