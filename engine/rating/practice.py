"""When training is held again: a rater who comes back after a long pause hears it before rating goes on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from itertools import pairwise


def practised_too_long_ago(
    given: Mapping[int, datetime], training: Collection[int], again_after_min: int, now: datetime
) -> frozenset[int]:
    """The training items that were rated before a pause of more than ``again_after_min`` minutes and not since.

    A pause counts until something other than training is rated after it, so practice that is broken off goes on where
    it was. None where 0 minutes ask for none. A clock that was set back makes no pause.

    Args:
        given: when each item of the session was last rated.

    >>> eight = datetime(2026, 12, 1, 8)
    >>> given = {1: eight, 2: eight + timedelta(minutes=1)}
    >>> practised_too_long_ago(given, {1}, 60, eight + timedelta(minutes=62))
    frozenset({1})
    >>> practised_too_long_ago(given, {1}, 60, eight + timedelta(minutes=61))
    frozenset()
    """
    times = sorted({*given.values(), now})
    pauses = [after for before, after in pairwise(times) if after - before > timedelta(minutes=again_after_min)]
    if not pauses or again_after_min <= 0 or now < pauses[-1]:
        return frozenset()
    back = pauses[-1]
    if any(at >= back for item, at in given.items() if item not in training):
        return frozenset()
    return frozenset(item for item, at in given.items() if item in training and at < back)
