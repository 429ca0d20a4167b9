"""Agreement: values worked out by hand, an independent library, laws, and what gives no value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.metrics import cohen_kappa_score

from engine.statistics.alpha import alpha_with_interval, krippendorff_alpha, resamples_of_alpha
from engine.statistics.figures import TooFew
from engine.statistics.icc import complete_items, icc_agreement, icc_of_mean, icc_one_way, icc_with_interval
from engine.statistics.kappa import (
    cohen_kappa,
    counts_by_item,
    counts_of,
    disagreements,
    gwet_ac1,
    percent_agreement,
    weighted_kappa,
    with_interval,
)
from engine.statistics.resampling import resampled

NAN = math.nan
RATINGS = arrays.arrays(float, (4, 12), elements=st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0, NAN]))


def noisy_raters(raters: int, items: int, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.normal(3, 1, (1, items))
    return np.clip(np.rint(truth + rng.normal(0, 0.7, (raters, items))), 1, 5)


def test_kappa_of_the_same_agreement_where_one_class_is_rare():
    table = np.array([[80.0, 10.0], [5.0, 5.0]])
    assert percent_agreement(table) == pytest.approx(0.85)
    assert cohen_kappa(table) == pytest.approx((0.85 - 0.78) / (1 - 0.78))  # chance: .9 x .85 + .1 x .15
    assert gwet_ac1(table) == pytest.approx((0.85 - 0.21875) / (1 - 0.21875))  # chance: 2 x .875 x .125


def test_alpha_by_hand():
    # items 1/1, 1/2, 2/2: coincidences 11: 2, 12: 1, 21: 1, 22: 2, so n = 6 and both values stand 3 times
    table = np.array([[1.0, 1.0, 2.0], [1.0, 2.0, 2.0]])
    assert krippendorff_alpha(table, "nominal") == pytest.approx(1 - 5 * 2 / 18)


def test_an_item_rated_once_says_nothing_about_agreement():
    table = np.array([[1.0, 1.0, 2.0, 5.0], [1.0, 2.0, 2.0, NAN]])
    for level in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha(table, level) == krippendorff_alpha(table[:, :3], level)


@pytest.mark.parametrize(
    "table",
    [np.array([[1.0, 2.0, 3.0]]), np.full((3, 4), NAN), np.full((3, 4), 2.0), np.empty((0, 4)), np.empty((3, 0))],
)
def test_alpha_of_nothing_to_compare_is_nan(table):
    assert math.isnan(krippendorff_alpha(table, "ordinal"))
    assert math.isnan(alpha_with_interval(table, "ordinal", seed=1).value)


@given(RATINGS, st.randoms())
def test_alpha_does_not_care_who_is_who(table, random):
    order = list(range(4))
    random.shuffle(order)
    one, other = krippendorff_alpha(table, "ordinal"), krippendorff_alpha(table[order], "ordinal")
    assert one == pytest.approx(other, nan_ok=True)


@given(RATINGS)
def test_nominal_alpha_does_not_care_what_the_values_are_called(table):
    other = np.where(table == 1, 70.0, table)
    assert krippendorff_alpha(table, "nominal") == pytest.approx(krippendorff_alpha(other, "nominal"), nan_ok=True)


def test_nominal_alpha_of_two_raters_approaches_scotts_pi():
    table = noisy_raters(2, 4000)
    shares = np.array([(table == step).mean() for step in range(1, 6)])
    scott = ((table[0] == table[1]).mean() - (shares**2).sum()) / (1 - (shares**2).sum())
    assert krippendorff_alpha(table, "nominal") == pytest.approx(scott, abs=2e-4)


def test_each_resample_of_alpha_is_the_alpha_of_the_items_drawn():
    table = noisy_raters(3, 6)
    drawn = resampled(6, np.random.default_rng(9), 5).astype(int)
    expected = [krippendorff_alpha(np.repeat(table, times, axis=1), "ordinal") for times in drawn]
    assert resamples_of_alpha(table, "ordinal", seed=9, rounds=5) == pytest.approx(np.array(expected), nan_ok=True)


def test_alpha_has_an_interval_from_thirty_items_on():
    few, enough = (alpha_with_interval(noisy_raters(3, n), "ordinal", seed=1) for n in (29, 30))
    assert few.too_few == TooFew("items", 29, 30) and math.isfinite(few.value) and not few.has_interval
    assert enough.low < enough.value < enough.high and enough.method == "bootstrap_items"


def test_alpha_of_a_rare_class_has_no_interval():
    table = np.zeros((2, 60))
    table[0, :9] = 1
    assert alpha_with_interval(table, "nominal", seed=1).too_few == TooFew("rare", 9, 10)


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    one, same, other = (alpha_with_interval(noisy_raters(3, 40), "ordinal", seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.low != other.low


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=40))
def test_kappa_is_what_an_independent_library_gives(pairs):
    one, other = zip(*pairs)
    table = counts_of(one, other, [1, 2, 3, 4, 5])
    for kind in ("linear", "quadratic"):
        ours = float(weighted_kappa(table, disagreements(5, kind)))
        if math.isfinite(ours):
            theirs = cohen_kappa_score(one, other, labels=[1, 2, 3, 4, 5], weights=kind)
            assert ours == pytest.approx(theirs, abs=1e-9)


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=40))
def test_quadratic_kappa_is_lins_concordance(pairs):
    one, other = np.array(pairs, dtype=float).T
    bottom = one.var() + other.var() + (one.mean() - other.mean()) ** 2
    ours = float(weighted_kappa(counts_of(one, other, [1, 2, 3, 4, 5]), disagreements(5, "quadratic")))
    if bottom > 0:
        assert ours == pytest.approx(2 * np.mean((one - one.mean()) * (other - other.mean())) / bottom, abs=1e-9)
    else:
        assert math.isnan(ours)


def test_a_value_that_is_no_step_is_refused():
    with pytest.raises(KeyError):
        counts_of([1, 6], [1, 2], [1, 2, 3, 4, 5])


def test_kappa_of_no_items_is_nan():
    for statistic in (percent_agreement, cohen_kappa, gwet_ac1):
        figure = with_interval(counts_by_item([], [], [1, 2]), statistic, seed=1)
        assert math.isnan(figure.value) and figure.too_few == TooFew("items", 0, 50)


def test_kappa_has_an_interval_from_fifty_items_and_ten_of_the_rarer_class_on():
    def items(both: int, one: int, other: int, neither: int) -> np.ndarray:
        pairs = [(1, 1)] * both + [(1, 0)] * one + [(0, 1)] * other + [(0, 0)] * neither
        return counts_by_item(*zip(*pairs), [0, 1])

    assert with_interval(items(30, 5, 5, 9), cohen_kappa, seed=1).too_few == TooFew("items", 49, 50)
    assert with_interval(items(41, 1, 1, 7), cohen_kappa, seed=1).too_few == TooFew("rare", 8, 10)
    figure = with_interval(items(31, 5, 5, 9), cohen_kappa, seed=1)
    assert figure.low < figure.value < figure.high and figure.n == 50


def test_answers_to_one_question_are_drawn_together():
    one, other = noisy_raters(2, 60).tolist()
    alone = counts_by_item(one, other, [1, 2, 3, 4, 5])
    thrice = counts_by_item(one * 3, other * 3, [1, 2, 3, 4, 5], list(range(60)) * 3)
    assert with_interval(thrice, cohen_kappa, seed=1) == with_interval(alone, cohen_kappa, seed=1)
    table, names = np.array([one, other]), np.tile(np.arange(60), 3)
    once = alpha_with_interval(table, "ordinal", seed=1)
    often = alpha_with_interval(np.tile(table, 3), "ordinal", seed=1, clusters=names)
    assert (often.n, often.value) == (60, pytest.approx(once.value, abs=0.01))
    assert often.high - often.low == pytest.approx(once.high - once.low, abs=0.02)
    careless = alpha_with_interval(np.tile(table, 3), "ordinal", seed=1)
    assert careless.high - careless.low < 0.7 * (often.high - often.low)
    narrow = icc_with_interval(np.tile(table, 3).T, icc_of_mean, seed=1, rounds=300)
    wide = icc_with_interval(np.tile(table, 3).T, icc_of_mean, seed=1, rounds=300, clusters=names)
    assert wide.n == 60 and narrow.n == 180 and narrow.high - narrow.low < 0.7 * (wide.high - wide.low)


def test_a_constant_offset_counts_against_agreement_but_not_in_an_item_order():
    ratings = np.array([[1.0, 2.0], [2.0, 3.0], [3.0, 4.0], [4.0, 5.0]])
    assert icc_agreement(ratings) == pytest.approx(10 / 13)  # (10/3) / (10/3 + 2 x 2 / 4), no error
    assert icc_of_mean(ratings) == pytest.approx(20 / 23)  # (10/3) / (10/3 + 2 / 4)


def test_intraclass_correlations_of_too_little_are_nan():
    for ratings in (np.ones((1, 3)), np.ones((5, 1)), np.full((5, 3), 2.0)):
        assert math.isnan(float(icc_one_way(ratings)))
    assert icc_with_interval(np.ones((5, 1)), icc_of_mean, seed=1).too_few == TooFew("raters", 1, 2)
    assert icc_with_interval(noisy_raters(3, 19).T, icc_of_mean, seed=1).too_few == TooFew("items", 19, 20)


def test_the_interval_of_an_intraclass_correlation_holds_its_value():
    figure = icc_with_interval(noisy_raters(4, 40).T, icc_of_mean, seed=1, rounds=500)
    assert figure.low < figure.value < figure.high < 1


def test_items_that_somebody_left_out_are_no_part_of_a_complete_table():
    assert complete_items(np.array([[1.0, NAN, 3.0], [2.0, 2.0, 4.0]])).tolist() == [[1.0, 2.0], [3.0, 4.0]]
