"""How far raters agree: over all of them, and two by two."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.progress import Progress
from engine.rating.rated import Number, Numbers, Placed, answer_of
from engine.rating.result_values import Agreement, PairAgreement
from engine.statistics.alpha import Level, alpha_with_interval
from engine.statistics.icc import complete_items, icc_of_mean, icc_with_interval
from engine.statistics.kappa import (
    chance_agreement,
    counts_by_item,
    disagreements,
    gwet_ac1,
    percent_agreement,
    weighted_kappa,
    with_interval,
)


def agreement(
    placed: Placed, level: Level, steps: tuple[float, ...], value: Number, *, seed: int, has_numbers: bool
) -> Generator[Progress, None, Agreement | None]:
    """How far the raters of ``placed`` agree; None where no answer has two ratings. Yields after each pair of raters.

    What is rated is an answer, or a pair of them; all that belong to one question are drawn together in bootstraps.

    Args:
        steps: every step of the scale as ``value`` tells them.
    """
    table, clusters = _by_answer(placed, value)
    shared = np.isfinite(table).sum(axis=0) > 1
    if not shared.any():
        return None
    table, clusters = table[:, shared], clusters[shared]
    complete = np.isfinite(table).all(axis=0)
    return Agreement(
        raters=int(np.isfinite(table).any(axis=1).sum()),
        answers=int(shared.sum()),
        items=len(np.unique(clusters)),
        level=level,
        alpha=alpha_with_interval(table, level, seed=seed, clusters=clusters),
        icc=icc_with_interval(complete_items(table), icc_of_mean, seed=seed, clusters=clusters[complete])
        if has_numbers
        else None,
        pairs=tuple((yield from _pairs(placed, table, clusters, level, steps, seed))),
    )


def _by_answer(placed: Placed, value: Number) -> tuple[Numbers, NDArray[np.integer]]:
    """Ratings in the shape (raters, answers), NaN for none, and the number of each answer's question."""
    answers = sorted(set(map(answer_of, placed.rows)))
    place = {answer: index for index, answer in enumerate(answers)}
    of_rater = {uid: index for index, uid in enumerate(placed.raters)}
    table = np.full((len(of_rater), len(answers)), np.nan)
    for row in placed.rows:
        table[of_rater[row.rater_uid], place[answer_of(row)]] = value(row)
    of_item = {item: index for index, item in enumerate(placed.items)}
    return table, np.array([of_item[item] for item, *_ in answers], dtype=np.int64)


def _pairs(
    placed: Placed,
    table: Numbers,
    clusters: NDArray[np.integer],
    level: Level,
    steps: tuple[float, ...],
    seed: int,
) -> Generator[Progress, None, list[PairAgreement]]:
    weights = disagreements(len(steps), "nominal" if level == "nominal" else "quadratic")
    found = []
    for one, other in combinations(range(len(table)), 2):
        both = np.isfinite(table[one]) & np.isfinite(table[other])
        if not both.any():
            continue
        by_item = counts_by_item(table[one, both].tolist(), table[other, both].tolist(), steps, clusters[both].tolist())
        counts = by_item.sum(axis=0)
        found.append(
            PairAgreement(
                one_uid=placed.raters[one],
                one=placed.names[placed.raters[one]],
                other_uid=placed.raters[other],
                other=placed.names[placed.raters[other]],
                answers=int(both.sum()),
                kappa=with_interval(by_item, partial(weighted_kappa, weights=weights), seed=seed),
                agreed=float(percent_agreement(counts)),
                by_chance=float(chance_agreement(counts)),
                ac1=float(gwet_ac1(counts)),
            )
        )
        yield Progress(0, 0)
    return found
