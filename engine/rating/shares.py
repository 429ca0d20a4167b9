"""Who rates which item: the same number of raters to each, the same number of items to every rater."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations


def share_out(
    items: int, raters: Sequence[int], ratings_per_item: int, overlap: int, choose: random.Random
) -> dict[int, tuple[int, ...]]:
    """The places of the items each rater rates, of ``items`` there are.

    The first ``overlap`` places go to every rater, the others to ``ratings_per_item`` each: to those with the fewest
    so far, of these to whom has rated least beside those chosen already, so that every two raters meet about as often.
    No rater has more than one item more than another. Shuffle the items before: places say nothing then.

    >>> share_out(4, (1, 2), 1, 2, random.Random(0))
    {1: (0, 1, 3), 2: (0, 1, 2)}
    """
    found: dict[int, list[int]] = {rater: [] for rater in raters}
    met = dict.fromkeys(combinations(sorted(raters), 2), 0)
    for place in range(items):
        count = len(raters) if place < overlap else ratings_per_item
        chosen: list[int] = []
        for _ in range(count):
            rest = [rater for rater in raters if rater not in chosen]
            chosen.append(
                min(rest, key=lambda rater: (len(found[rater]), _meetings(met, chosen, rater), choose.random()))
            )
        for rater in chosen:
            found[rater].append(place)
        for pair in combinations(sorted(chosen), 2):
            met[pair] += 1
    return {rater: tuple(places) for rater, places in found.items()}


def shared_items(shares: Mapping[int, tuple[int, ...]]) -> dict[int, int]:
    """How many of each rater's items somebody else rates too."""
    times: dict[int, int] = {}
    for places in shares.values():
        for place in places:
            times[place] = times.get(place, 0) + 1
    return {rater: sum(times[place] > 1 for place in places) for rater, places in shares.items()}


def _meetings(met: dict[tuple[int, int], int], chosen: Sequence[int], rater: int) -> int:
    return sum(met[min(rater, other), max(rater, other)] for other in chosen)
