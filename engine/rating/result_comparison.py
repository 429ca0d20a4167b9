"""What comparisons of two answers gave: by pair of systems, by system, and by order."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from engine.rating.rated import Placed, of_first, of_pair, pair_of
from engine.rating.result_systems import share_of_items, without_rater
from engine.rating.result_values import Comparison, PairResult, Strength
from engine.statistics import bradley_terry
from engine.statistics.differences import holm
from engine.statistics.preferences import split
from engine.statistics.resampling import item_means, mean_of_table
from engine.store.rating_rows import RatingRow


def comparison(placed: Placed, *, seed: int) -> Comparison:
    """What the comparisons of ``placed`` gave, ties counted apart and as half a win where a share is formed."""
    pairs = [_pair(placed, pair, seed) for pair in sorted({pair_of(row) for row in placed.rows})]
    adjusted = holm([pair.split.p for pair in pairs])
    heard_first = split(of_first(row.value) for row in placed.rows if row.value is not None)
    return Comparison(
        pairs=tuple(replace(pair, p_holm=p) for pair, p in zip(pairs, adjusted, strict=True)),
        strengths=_strengths(placed, seed),
        order=heard_first,
    )


def _pair(placed: Placed, pair: tuple[str, str], seed: int) -> PairResult:
    rows = placed.only(lambda row: pair_of(row) == pair)
    weights = placed.weights(rows)
    table, shares = placed.table(rows, of_pair), placed.table(rows, lambda row: (np.sign(of_pair(row)) + 1) / 2)
    by_item = item_means(table)
    return PairResult(
        one=pair[0],
        other=pair[1],
        split=replace(
            split(of_pair(row) for row in rows),
            share=share_of_items(shares, weights),
            p=split(by_item[np.isfinite(by_item)].tolist()).p,  # two raters of one item are no two items
        ),
        mean=mean_of_table(table, weights, seed=seed),
        one_first=sum(row.system == pair[0] for row in rows),
        p_holm=math.nan,
        without_rater=without_rater(placed, shares, weights),
    )


def _strengths(placed: Placed, seed: int) -> tuple[Strength, ...]:
    """Items drawn with unequal chances weigh by them."""
    place = {name: index for index, name in enumerate(placed.systems)}
    of_item = {item: index for index, item in enumerate(placed.items)}

    def compared(row: RatingRow) -> bradley_terry.Comparison:
        one, other = pair_of(row)
        return bradley_terry.Comparison(place[one], place[other], of_pair(row), of_item[row.instance_id])

    wins = bradley_terry.wins_by_item([compared(row) for row in placed.rows], len(place), len(of_item))
    weights = placed.weights(placed.rows)
    if weights is not None:
        wins *= (weights / weights.mean())[:, None, None]
    figures = bradley_terry.strengths_with_intervals(wins, seed=seed)
    return tuple(Strength(name, figure) for name, figure in zip(place, figures, strict=True))
