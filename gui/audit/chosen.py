"""Which rows of the table are chosen, as runs of neighbours: a whole result of 168,000 answers is one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.query.ranks import Ids

Runs = tuple[tuple[int, int], ...]  # (first, last) rows, last included, in order and apart from each other
MOST_RUNS = 500  # kept over another order; a choice in more pieces would take Qt seconds to make


def joined_runs(found: Iterable[tuple[int, int]]) -> Runs:
    """Runs in order, those that meet or lie over each other made one."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(found):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return tuple(joined)


def count_of(runs: Runs) -> int:
    """How many rows they are."""
    return sum(last - first + 1 for first, last in runs)


def ids_at(ids: Ids, runs: Runs) -> Ids:
    """The answers in these rows, in the table's order."""
    return np.concatenate([ids[first : last + 1] for first, last in runs]) if runs else ids[:0]


def runs_of(ids: Ids, chosen: Ids | Sequence[int]) -> Runs:
    """The rows in which ``chosen`` stand among ``ids``; none where they lie in more than ``MOST_RUNS`` pieces."""
    places: NDArray[np.intp] = np.flatnonzero(np.isin(ids, chosen))
    if not len(places):
        return ()
    breaks = np.flatnonzero(np.diff(places) > 1)
    if len(breaks) >= MOST_RUNS:
        return ()
    firsts = places[np.concatenate([[0], breaks + 1])]
    lasts = places[np.concatenate([breaks, [len(places) - 1]])]
    return tuple(zip(firsts.tolist(), lasts.tolist()))
