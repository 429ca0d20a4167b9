"""The table that a report opens with says of each system what is stored, and nothing that is not."""

from __future__ import annotations

import math

from engine.report.summary import median_with_interval


def test_a_median_of_few_has_no_interval():
    figure = median_with_interval([0.1, 0.2, 0.9])
    assert (figure.value, figure.n) == (0.2, 3)
    assert math.isnan(figure.low)


def test_the_interval_of_a_median_lies_between_two_order_statistics():
    # of 10: P(at most 1 of 10 below the median) = 11/1024 <= 0.025, of at most 2 = 56/1024: the 2nd and the 9th value
    figure = median_with_interval([number / 10 for number in range(10)])
    assert (figure.value, figure.low, figure.high) == (0.45, 0.1, 0.8)
