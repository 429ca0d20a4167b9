"""Every item gets its number of raters, every rater about the same number of items, every two raters meet."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest

from engine.rating.shares import share_out, shared_items


@pytest.mark.parametrize(
    ("items", "raters", "each", "overlap"), [(60, 3, 1, 0), (61, 4, 2, 10), (50, 5, 3, 0), (7, 2, 2, 0), (10, 3, 1, 99)]
)
def test_items_and_raters_are_served_evenly(items, raters, each, overlap):
    shares = share_out(items, range(1, raters + 1), each, overlap, random.Random(0))
    times = Counter(place for places in shares.values() for place in places)
    assert times == {place: raters if place < overlap else each for place in range(items)}
    loads = [len(places) for places in shares.values()]
    assert max(loads) - min(loads) <= 1
    assert all(len(set(places)) == len(places) for places in shares.values())


def test_every_two_raters_share_about_as_many_items():
    shares = share_out(60, (1, 2, 3, 4), 2, 0, random.Random(0))
    met = [len(set(shares[a]) & set(shares[b])) for a, b in combinations(shares, 2)]
    assert sum(met) == 60
    assert max(met) - min(met) <= 2


def test_what_is_shared_is_counted():
    assert shared_items({1: (0, 1, 2), 2: (2, 3), 3: (2, 1)}) == {1: 2, 2: 1, 3: 2}
