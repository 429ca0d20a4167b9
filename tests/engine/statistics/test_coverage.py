"""Intervals hold the truth as often as they say: simulations in which the truth is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.statistics.alpha import alpha_with_interval, krippendorff_alpha
from engine.statistics.bradley_terry import Comparison, strengths, strengths_with_intervals, wins_by_item
from engine.statistics.differences import paired_difference
from engine.statistics.figures import Figure
from engine.statistics.icc import icc_of_mean, icc_with_interval
from engine.statistics.kappa import cohen_kappa, counts_by_item, disagreements, weighted_kappa, with_interval
from engine.statistics.resampling import mean_of_table, t_interval
from engine.statistics.shares import exact, wilson

RUNS = 400
#: What 400 runs of a true 95 % interval give in all but one of a thousand such tests: 0.95 +- 3.3 x 0.011.
CLOSE = (0.914, 0.986)
#: Of intervals that the literature knows to cover a little less with few items.
NEARLY = (0.90, 0.986)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def covered(truth: float, figure_of: Callable[[np.random.Generator, int], Figure]) -> float:
    """The share of runs in which the interval holds ``truth``."""
    hits = 0
    for run in range(RUNS):
        figure = figure_of(np.random.default_rng(1000 + run), run)
        assert figure.has_interval
        hits += figure.low <= truth <= figure.high
    return hits / RUNS


def rated(rng: np.random.Generator, raters: int, items: int, bias: np.ndarray | None = None) -> np.ndarray:
    """Ratings 1 to 5; raters with the biases given, else drawn."""
    bias = rng.normal(0, 0.4, (raters, 1)) if bias is None else bias[:, None]
    shown = 3.4 + rng.normal(0, 0.9, (1, items)) + bias + rng.normal(0, 0.7, (raters, items))
    return np.clip(np.rint(shown), 1, 5)


def many(raters: int, bias: np.ndarray) -> np.ndarray:
    return rated(np.random.default_rng(0), raters, 200_000, bias)


THREE = np.array([-0.4, 0.0, 0.4])


@pytest.mark.parametrize(("items", "bounds"), [(20, NEARLY), (60, CLOSE)])
def test_the_mean_of_three_raters_over_items(items, bounds):
    share = covered(many(3, THREE).mean(), lambda rng, run: mean_of_table(rated(rng, 3, items, THREE), seed=run))
    assert bounds[0] <= share <= bounds[1]


@pytest.mark.parametrize(("raters", "items"), [(8, 30), (16, 60)])
def test_the_mean_of_raters_and_items_that_are_both_samples(raters, items):
    truth = rated(np.random.default_rng(0), 3000, 3000).mean()
    share = covered(truth, lambda rng, run: mean_of_table(rated(rng, raters, items), seed=run))
    assert NEARLY[0] <= share <= 0.995  # the two-way bootstrap errs towards wide


def test_the_mean_of_raters_resampled_over_items_alone_would_cover_far_less():
    truth = rated(np.random.default_rng(0), 3000, 3000).mean()
    share = covered(truth, lambda rng, run: mean_of_table(rated(rng, 8, 60), seed=run, method="bootstrap_items"))
    assert share < 0.90


def test_a_weighted_mean_of_two_strata():
    def drawn(rng: np.random.Generator, run: int) -> Figure:
        failed, passed = rated(rng, 3, 40, THREE) - 1, rated(rng, 3, 40, THREE)
        weights = np.array([1.0] * 40 + [9.0] * 40)
        return mean_of_table(np.hstack([failed, passed]), weights, seed=run)

    assert CLOSE[0] <= covered(many(3, THREE).mean() - 0.1, drawn) <= 0.995


@pytest.mark.parametrize("items", [20, 60])
def test_a_paired_difference(items):
    def drawn(rng: np.random.Generator, run: int) -> Figure:
        shown = rng.normal(3.4, 0.9, items) + THREE[:, None]
        one, other = (np.rint(shown + rng.normal(0, 0.7, (3, items))) for _ in range(2))
        return paired_difference(one, other, seed=run).figure

    assert NEARLY[0] <= covered(0.0, drawn) <= CLOSE[1]


def test_equal_systems_are_told_apart_as_often_as_five_per_cent():
    found = 0
    for run in range(RUNS):
        rng = np.random.default_rng(run)
        shown = rng.normal(3.4, 0.9, 30) + THREE[:, None]
        one, other = (np.rint(shown + rng.normal(0, 0.7, (3, 30))) for _ in range(2))
        found += paired_difference(one, other, seed=run).p < 0.05
    assert 0.014 <= found / RUNS <= 0.10


@pytest.mark.parametrize(("raters", "items"), [(2, 30), (3, 30), (3, 100)])
def test_ordinal_alpha(raters, items):
    bias = THREE[:raters]
    truth = krippendorff_alpha(many(raters, bias), "ordinal")
    share = covered(truth, lambda rng, run: alpha_with_interval(rated(rng, raters, items, bias), "ordinal", seed=run))
    assert NEARLY[0] <= share <= CLOSE[1]


def test_quadratic_kappa():
    weights = disagreements(5, "quadratic")

    def drawn(rng: np.random.Generator, run: int) -> Figure:
        one, other = rated(rng, 2, 60, THREE[:2]).tolist()
        by_item = counts_by_item(one, other, [1, 2, 3, 4, 5])
        return with_interval(by_item, lambda counts: weighted_kappa(counts, weights), seed=run)

    one, other = many(2, THREE[:2]).tolist()
    truth = float(weighted_kappa(counts_by_item(one, other, [1, 2, 3, 4, 5], [0] * len(one))[0], weights))
    assert NEARLY[0] <= covered(truth, drawn) <= CLOSE[1]


def test_kappa_of_two_classes():
    shares = np.array([[0.55, 0.05], [0.05, 0.35]])
    cells = np.repeat(np.eye(4).reshape(4, 2, 2), 1, axis=0)

    def drawn(rng: np.random.Generator, run: int) -> Figure:
        return with_interval(cells[rng.choice(4, 60, p=shares.ravel())], cohen_kappa, seed=run)

    assert NEARLY[0] <= covered(float(cohen_kappa(shares)), drawn) <= CLOSE[1]


def test_the_intraclass_correlation_of_a_mean_for_these_raters():
    truth = float(icc_of_mean(many(3, THREE).T))
    share = covered(
        truth, lambda rng, run: icc_with_interval(rated(rng, 3, 60, THREE).T, icc_of_mean, seed=run, rounds=500)
    )
    assert NEARLY[0] <= share <= CLOSE[1]


@pytest.mark.parametrize(("share", "n"), [(0.9, 30), (0.7, 100), (0.97, 60)])
def test_shares(share, n):
    assert covered(share, lambda rng, _: wilson(int(rng.binomial(n, share)), n)) >= CLOSE[0]
    assert covered(share, lambda rng, _: exact(int(rng.binomial(n, share)), n)) >= 0.94  # never less, by its making


def test_student():
    assert CLOSE[0] <= covered(2.0, lambda rng, _: t_interval(rng.normal(2, 1, 5))) <= CLOSE[1]


def test_strengths_of_three_systems():
    truth = np.array([0.6, 0.0, -0.6])
    pairs = [(0, 1), (0, 2), (1, 2)]

    def drawn(rng: np.random.Generator, run: int) -> Figure:
        made = []
        for item in range(90):
            one, other = pairs[item % 3]
            wins = rng.random() < 1 / (1 + np.exp(truth[other] - truth[one]))
            made.append(Comparison(one, other, 1.0 if wins else -1.0, item))
        return strengths_with_intervals(wins_by_item(made, 3, 90), seed=run, rounds=500)[0]

    assert strengths(np.array([[0, 1 / (1 + np.exp(-0.6))], [1 / (1 + np.exp(0.6)), 0]])) == pytest.approx([0.3, -0.3])
    assert NEARLY[0] <= covered(0.6, drawn) <= CLOSE[1]
