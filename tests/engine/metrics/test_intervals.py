"""Intervals against values worked out elsewhere."""

from __future__ import annotations

import math

import pytest
from scipy import stats

from engine.metrics.intervals import mean, share


@pytest.mark.parametrize(("successes", "n"), [(0, 10), (3, 10), (10, 10), (499, 1000)])
def test_a_share_has_the_wilson_interval_that_scipy_gives(successes, n):
    expected = stats.binomtest(successes, n).proportion_ci(method="wilson")
    found = share(successes, n)
    assert found.value == successes / n
    assert (found.low, found.high) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high, abs=1e-12))


def test_a_mean_has_students_interval():
    values = [3.0, 4.0, 4.5, 2.0, 5.0]
    low, high = stats.t.interval(0.95, 4, loc=3.7, scale=stats.sem(values))
    found = mean(values)
    assert (found.value, found.n) == (pytest.approx(3.7), 5)
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


def test_no_item_has_no_value_and_one_item_no_interval():
    assert math.isnan(share(0, 0).value)
    assert math.isnan(mean([]).value)
    one = mean([4.0, math.nan])
    assert (one.value, one.n) == (4.0, 1)
    assert math.isnan(one.low)
