"""Means and differences of ratings with their bootstrap intervals, and what too few gives."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.statistics.differences import holm, paired, paired_difference
from engine.statistics.figures import Figure, TooFew
from engine.statistics.resampling import (
    bootstrap_over_items,
    bootstrap_two_way,
    item_means,
    mean_of_table,
    weighted_mean,
    without_each_rater,
)
from engine.statistics.weighting import design_effect, effective_number, entropy_share

NAN = math.nan


def ratings(raters: int, items: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth, bias = rng.normal(3, 1, (1, items)), rng.normal(0, 0.5, (raters, 1))
    return np.clip(np.rint(truth + bias + rng.normal(0, 0.5, (raters, items))), 1, 5)


def test_an_item_counts_once_however_many_rated_it():
    table = np.array([[5.0, 1.0], [5.0, NAN], [5.0, NAN]])
    assert item_means(table).tolist() == [5.0, 1.0]
    assert mean_of_table(table, seed=1).value == 3.0


def test_an_item_that_nobody_rated_is_no_zero():
    table = np.array([[4.0, NAN], [2.0, NAN]])
    figure = mean_of_table(table, seed=1)
    assert (figure.value, figure.n) == (3.0, 1)
    assert math.isnan(mean_of_table(np.full((2, 3), NAN), seed=1).value)


def test_under_eight_raters_items_alone_are_resampled_and_from_eight_on_raters_too():
    assert mean_of_table(ratings(7, 30), seed=1).method == "bootstrap_items"
    assert mean_of_table(ratings(8, 30), seed=1).method == "bootstrap_two_way"


def test_a_rater_without_ratings_does_not_count_to_the_eight():
    table = np.vstack([ratings(7, 30), np.full((1, 30), NAN)])
    assert mean_of_table(table, seed=1).method == "bootstrap_items"


def test_under_twenty_items_there_is_a_mean_but_no_interval():
    figure = mean_of_table(ratings(3, 19), seed=1)
    assert math.isfinite(figure.value) and not figure.has_interval
    assert figure.too_few == TooFew("items", 19, 20)


def test_raters_that_differ_make_the_two_way_interval_wider():
    table = ratings(8, 60)
    items, both = (mean_of_table(table, seed=1, method=how) for how in ("bootstrap_items", "bootstrap_two_way"))
    assert both.high - both.low > 1.3 * (items.high - items.low)


def test_the_two_way_bootstrap_of_one_value_has_no_width():
    assert set(bootstrap_two_way(np.full((8, 25), 3.0), seed=1, rounds=50)) == {3.0}


def test_the_two_way_bootstrap_spreads_as_its_formula_says():
    # without interaction the variance is that of rater means over raters plus that of item means over items
    bias, truth = np.array([-1.0, 0.0, 0.0, 1.0] * 3), np.array([1.0, 2.0, 3.0, 4.0] * 10)
    resamples = bootstrap_two_way(truth[None, :] + bias[:, None], seed=5, rounds=20_000)
    assert resamples.var() == pytest.approx(bias.var() / 12 + truth.var() / 40, rel=0.05)


def test_raters_and_items_without_a_rating_are_never_drawn():
    table = ratings(8, 30)
    wider = np.full((11, 45), NAN)
    wider[2:10, 5:35] = table
    assert (bootstrap_two_way(wider, seed=1) == bootstrap_two_way(table, seed=1)).all()
    weights = np.arange(1.0, 46.0)
    assert (bootstrap_two_way(wider, weights, seed=1) == bootstrap_two_way(table, weights[5:35], seed=1)).all()


def test_weights_turn_the_mean_to_the_population():
    values, weights = np.array([1.0, 5.0]), np.array([9.0, 1.0])
    assert weighted_mean(values, weights) == pytest.approx(1.4)
    table = np.array([[1.0] * 20 + [5.0] * 20])
    figure = mean_of_table(table, np.array([9.0] * 20 + [1.0] * 20), seed=1)
    assert figure.value == pytest.approx(1.4)
    assert figure.low < 1.4 < figure.high


def test_equal_weights_change_nothing():
    table = ratings(3, 40)
    assert mean_of_table(table, np.full(40, 7.0), seed=3) == pytest.approx(mean_of_table(table, seed=3)) or (
        mean_of_table(table, np.full(40, 7.0), seed=3).low == pytest.approx(mean_of_table(table, seed=3).low)
    )


def test_the_bootstrap_of_nothing_is_empty():
    assert bootstrap_over_items(np.array([NAN]), seed=1).size == 0


def test_leaving_out_the_only_rater_leaves_nothing():
    assert np.isnan(without_each_rater(np.array([[1.0, 2.0]]))).all()
    assert without_each_rater(np.array([[1.0, 3.0], [5.0, 5.0]])).tolist() == [5.0, 2.0]


def test_what_is_not_there_is_none_in_plain_values():
    told = mean_of_table(np.array([[3.0]]), seed=1).declaration()
    assert told == {
        "value": 3.0,
        "low": None,
        "high": None,
        "n": 1,
        "method": "",
        "too_few": {"of": "items", "have": 1, "needed": 20},
    }
    assert Figure(NAN).declaration()["value"] is None


def test_a_difference_is_taken_within_raters_where_they_rated_both():
    harsh_and_kind = np.array([[1.0] * 30, [4.0] * 30])
    found = paired_difference(harsh_and_kind + 1, harsh_and_kind, seed=1)
    assert (found.pairing, found.figure.value, found.figure.low, found.figure.high) == ("within_rater", 1.0, 1.0, 1.0)
    assert found.p == pytest.approx(2 / 2001)


def test_a_difference_of_systems_with_raters_of_their_own_is_one_of_item_means():
    one, other = np.array([[3.0, 4.0], [NAN, NAN]]), np.array([[NAN, NAN], [2.0, 2.0]])
    table, pairing = paired(one, other)
    assert (table.tolist(), pairing) == ([[1.0, 2.0]], "item_means")


def test_only_common_items_enter_a_difference():
    one, other = np.array([[3.0, 5.0, NAN]]), np.array([[2.0, NAN, 1.0]])
    assert paired_difference(one, other, seed=1).figure.value == 1.0
    assert paired_difference(one, other, seed=1).figure.n == 1


def test_a_difference_on_few_items_has_no_p():
    found = paired_difference(np.full((2, 5), 4.0), np.full((2, 5), 3.0), seed=1)
    assert math.isnan(found.p) and found.figure.too_few == TooFew("items", 5, 20)
    assert found.declaration()["p"] is None


def test_p_and_interval_tell_the_same():
    for seed in range(20):
        table = ratings(3, 25, seed)
        found = paired_difference(table, np.roll(table, 1, axis=1), seed=seed)
        excludes_zero = not found.figure.low <= 0 <= found.figure.high
        assert excludes_zero == (found.p < 0.05) or abs(found.p - 0.05) < 0.003


def test_holm_by_hand_and_no_value_is_no_test():
    assert holm([0.01, NAN, 0.04, 0.03])[::2] == pytest.approx((0.03, 0.06))
    assert math.isnan(holm([0.01, NAN])[1]) and holm([0.01, NAN])[0] == 0.01
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


def test_unequal_weights_cost_items():
    weights = np.array([1.0] * 50 + [3.0] * 50)
    assert effective_number(weights) == pytest.approx(80.0)  # 200^2 / 500
    assert design_effect(weights) == pytest.approx(1.25)
    assert effective_number(np.empty(0)) == 0.0 and math.isnan(design_effect(np.empty(0)))


def test_how_evenly_a_scale_was_used():
    assert entropy_share([4, 4, 4, 4]) == pytest.approx(1.0)
    assert entropy_share([9, 0, 0]) == 0.0
    assert math.isnan(entropy_share([0, 0]))
