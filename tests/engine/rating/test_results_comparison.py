"""Results of comparisons: ties, order, who is better and by how much."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.rating.protocols import load_protocol
from engine.rating.results import study_results
from tests.engine.rating.rows_of_ratings import rating

PREFERENCE = load_protocol("preference", "en")
QUALITY = load_protocol("comparison", "en")


def heard(rater: str, item: int, first: str, second: str, value, protocol: str = "preference"):
    return rating(rater, item, value, first, other_system=second, protocol=protocol, scale=protocol)


def compared(rows, protocol=PREFERENCE):
    return study_results(rows, protocol, seed=1).scales[0]


def test_who_is_better_does_not_depend_on_who_was_heard_first():
    rows = [
        heard("li", 1, "a", "b", "first"),
        heard("li", 2, "b", "a", "second"),
        heard("li", 3, "b", "a", "same"),
        heard("li", 4, "a", "b", "second"),
    ]
    pair = compared(rows).comparison.pairs[0]
    assert (pair.one, pair.other) == ("a", "b")
    assert (pair.split.wins, pair.split.ties, pair.split.losses, pair.split.share.value) == (2, 1, 1, 0.625)
    assert pair.one_first == 2
    assert pair.mean.value == 0.25


def test_signed_steps_speak_of_the_second():
    rows = [heard("li", 1, "a", "b", 3, "comparison"), heard("li", 2, "b", "a", -1, "comparison")]
    found = compared(rows, QUALITY)
    assert found.comparison.pairs[0].mean.value == -2.0  # b was much better once, slightly better once
    assert [(item.system, item.other_system, item.mean.value) for item in found.items] == [
        ("a", "b", -3.0),
        ("a", "b", -1.0),
    ]


def test_what_is_heard_first_wins_more_often_than_chance():
    rows = [heard("li", item, *("ab" if item % 2 else "ba"), "first") for item in range(20)]
    found = compared(rows).comparison
    assert (found.order.wins, found.order.losses) == (20, 0)
    assert found.order.p == pytest.approx(2 / 2**20)
    assert found.pairs[0].split.share.value == 0.5 and found.pairs[0].split.p == 1.0


def test_two_raters_of_one_item_are_one_item_in_the_test():
    once = [heard("li", item, "a", "b", "first") for item in range(6)]
    twice = once + [heard("wu", item, "a", "b", "first") for item in range(6)]
    one, two = compared(once).comparison.pairs[0], compared(twice).comparison.pairs[0]
    assert one.split.p == two.split.p == pytest.approx(2 / 64)
    assert (two.split.wins, two.split.share.n) == (12, 6)


def test_many_systems_get_strengths_and_pairs_are_tested_together():
    rng = np.random.default_rng(3)
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    chances = {("a", "b"): 0.65, ("a", "c"): 0.8, ("b", "c"): 0.7}
    rows = []
    for item in range(90):
        pair = pairs[item % 3]
        better = rng.random() < chances[pair]
        rows.append(heard("li", item, *pair, "first" if better else "second"))
    found = compared(rows).comparison
    strengths = [each.strength for each in found.strengths]
    assert [each.system for each in found.strengths] == ["a", "b", "c"]
    assert strengths[0].value > strengths[1].value > strengths[2].value
    assert all(each.low < each.value < each.high for each in strengths)
    assert all(pair.p_holm >= pair.split.p for pair in found.pairs)


def test_raters_agree_on_the_better_system_however_it_was_played():
    rows = []
    for item in range(30):
        verdict = ("first", "second", "same")[item % 3]
        turned = {"first": "second", "second": "first", "same": "same"}[verdict]
        rows += [heard("li", item, "a", "b", verdict), heard("wu", item, "b", "a", turned)]
    found = compared(rows).agreement
    assert (found.alpha.value, found.level, found.answers) == (1.0, "ordinal", 30)


def test_comparisons_have_no_means_by_system():
    found = compared([heard("li", 1, "a", "b", "first")])
    assert found.systems == () and found.differences == ()


def test_no_comparison_gives_no_comparison():
    results = study_results([], PREFERENCE, seed=1)
    assert results.scales[0].comparison is None
    assert json.dumps(results.declaration(), allow_nan=False)


def test_an_item_tells_how_often_each_was_better():
    rows = [heard("li", 1, "a", "b", "first"), heard("wu", 1, "b", "a", "same"), heard("xu", 1, "b", "a", "second")]
    assert [(step.value, step.count) for step in compared(rows).items[0].histogram] == [(1, 2), (0, 1), (-1, 0)]


def test_each_rater_of_few_is_left_out_of_a_pair_too():
    rows = [
        heard(rater, item, "a", "b", value) for item in range(4) for rater, value in (("li", "first"), ("wu", "same"))
    ]
    pair = compared(rows).comparison.pairs[0]
    assert pair.split.share.value == 0.75
    assert [(each.rater, each.value) for each in pair.without_rater] == [("Li", 0.5), ("Wu", 1.0)]


def test_unequal_chances_weigh_in_comparisons_too():
    rows = [replace(heard("li", item, "a", "b", "first"), pi=1.0) for item in range(10)]
    rows += [replace(heard("li", 10 + item, "a", "b", "second"), pi=0.25) for item in range(10)]
    found = compared(rows).comparison
    assert found.pairs[0].split.share.value == pytest.approx(0.2)
    assert found.pairs[0].split.share.n == 14  # 50^2 / (10 + 160)
    strengths = [each.strength.value for each in found.strengths]
    assert strengths[0] - strengths[1] == pytest.approx(np.log(0.2 / 0.8))


def test_a_seed_below_zero_is_a_seed():
    rows = [heard("li", item, "a", "b", "first" if item % 3 else "second") for item in range(40)]
    assert study_results(rows, PREFERENCE, seed=-5).scales[0].comparison.strengths[0].strength.has_interval
