"""Shares and comparisons: ties, order, and strengths of many systems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binomtest

from engine.statistics.bradley_terry import (
    Comparison,
    is_linked,
    strengths,
    strengths_with_intervals,
    wins_by_item,
)
from engine.statistics.correlations import pearson, spearman
from engine.statistics.figures import TooFew
from engine.statistics.preferences import both_orders, split
from engine.statistics.shares import exact, sign_test, wilson


@pytest.mark.parametrize(("k", "n"), [(0, 10), (3, 10), (10, 10), (81, 263), (1, 1)])
def test_intervals_of_a_share_are_what_an_independent_library_gives(k, n):
    ours, theirs = wilson(k, n), binomtest(k, n).proportion_ci(method="wilson")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    ours, theirs = exact(k, n), binomtest(k, n).proportion_ci(method="exact")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_a_share_of_nothing_has_no_value():
    assert math.isnan(wilson(0, 0).value) and math.isnan(exact(0, 0).value)


@pytest.mark.parametrize(("ups", "downs"), [(0, 0), (5, 0), (3, 4), (12, 2), (4, 4)])
def test_the_sign_test_is_the_exact_binomial_one(ups, downs):
    expected = binomtest(ups, ups + downs).pvalue if ups + downs else 1.0
    assert sign_test(ups, downs) == pytest.approx(expected)


def test_a_tie_is_half_a_win_and_stays_visible():
    found = split([2, 1, 0, 0, -3])
    assert (found.wins, found.ties, found.losses, found.share.value) == (2, 2, 1, 0.6)
    assert found.p == 1.0
    assert found.declaration()["ties"] == 2


def test_comparisons_of_the_same_answers_by_several_raters_count_as_fewer():
    alone, together = split([1, 1, -1] * 10), split([1, 1, -1] * 10, units=10)
    assert alone.share.value == pytest.approx(together.share.value)
    assert together.share.low < alone.share.low and together.share.n == 10


def test_no_comparison_has_no_share():
    found = split([])
    assert math.isnan(found.share.value) and found.p == 1.0
    assert math.isnan(both_orders(np.array([], dtype=int), np.array([], dtype=int)).consistent)


def test_two_systems_strengths_are_the_log_odds_of_winning():
    found = strengths(np.array([[0.0, 30.0], [10.0, 0.0]]))
    assert found.tolist() == pytest.approx([math.log(3) / 2, -math.log(3) / 2])


def test_strengths_follow_the_equation_of_highest_likelihood():
    wins = np.array([[0, 7, 3, 9], [2, 0, 5, 4.5], [4, 2, 0, 6], [1, 3.5, 0.5, 0]])
    found = strengths(wins)
    p = 1 / (1 + np.exp(found[None, :] - found[:, None]))
    assert ((wins + wins.T) * p).sum(axis=1) - np.diag((wins + wins.T) * p) == pytest.approx(wins.sum(axis=1))
    assert found.sum() == pytest.approx(0)


def test_strengths_of_lopsided_wins_are_still_found():
    wins = np.array([[0, 400.0, 300.0], [0.5, 0, 200.0], [0.5, 0.5, 0]])
    found = strengths(wins)
    p = 1 / (1 + np.exp(found[None, :] - found[:, None]))
    expected = ((wins + wins.T) * p).sum(axis=1) - np.diag((wins + wins.T) * p)
    assert expected == pytest.approx(wins.sum(axis=1), abs=1e-6)


def test_a_system_that_never_lost_has_no_finite_strength():
    assert np.isnan(strengths(np.array([[0.0, 5.0], [0.0, 0.0]]))).all()
    assert np.isnan(strengths(np.zeros((3, 3)))).all()


def test_two_groups_never_compared_are_not_linked():
    wins = np.zeros((4, 4))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = wins[3, 2] = 1
    assert not is_linked(wins)
    wins[1, 2] = 1
    assert not is_linked(wins)
    wins[3, 0] = 1
    assert is_linked(wins)


def compared(n: int) -> np.ndarray:
    rng = np.random.default_rng(2)
    pairs = [(0, 1), (0, 2), (1, 2)]
    made = [Comparison(*pairs[i % 3], float(rng.choice([1, 1, 0, -1])), i) for i in range(n)]
    return wins_by_item(made, 3, n)


def test_intervals_of_strengths_hold_their_values():
    figures = strengths_with_intervals(compared(90), seed=1)
    assert all(figure.low < figure.value < figure.high for figure in figures)
    assert figures == strengths_with_intervals(compared(90), seed=1)


def test_few_comparisons_give_strengths_without_intervals():
    assert strengths_with_intervals(compared(19), seed=1)[0].too_few == TooFew("items", 19, 20)


def test_strengths_that_hang_on_one_comparison_have_no_interval():
    made = [Comparison(0, 1, 1.0 if i else -1.0, i) for i in range(30)]
    figure = strengths_with_intervals(wins_by_item(made, 2, 30), seed=1)[0]
    assert figure.too_few is not None and figure.too_few.of == "links" and not figure.has_interval


def test_correlation_has_no_value_without_variation_or_under_three():
    assert math.isnan(pearson(np.array([1.0, 2.0]), np.array([1.0, 2.0])))
    assert math.isnan(spearman(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0])))
    assert spearman(np.array([1.0, 2.0, 9.0]), np.array([1.0, 4.0, 5.0])) == pytest.approx(1.0)
