"""Bradley-Terry: one strength for each of many systems from comparisons of two at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.statistics.figures import ROUNDS, Figure, TooFew
from engine.statistics.resampling import percentile_interval, resampled

Numbers = NDArray[np.float64]

ITEMS = 20
_NEWTON_STEPS = 50
_LONGEST_STEP = 2.0  # in log odds; a full step from 0 can overshoot where wins are few
_DROPPED_AT_MOST = 0.05  # resamples without strengths; more of them and the interval would leave the far end out


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison: places of the two systems, what came of it (above 0 ``one`` was better), and of which item."""

    one: int
    other: int
    outcome: float
    item: int


def wins_by_item(comparisons: list[Comparison], systems: int, items: int) -> Numbers:
    """How often each system beat each other on each item, shape (items, systems, systems); a tie is half a win each."""
    wins = np.zeros((items, systems, systems))
    for each in comparisons:
        to_one = (np.sign(each.outcome) + 1) / 2
        wins[each.item, each.one, each.other] += to_one
        wins[each.item, each.other, each.one] += 1 - to_one
    return wins


def strengths(wins: Numbers) -> Numbers:
    """Strengths in log odds, mean 0, higher is better (Bradley & Terry 1952), shape (..., systems).

    ``wins`` has the shape (..., systems, systems): how often the one of the row beat the one of the column. Of two
    systems whose strengths differ by d, the stronger wins with probability 1 / (1 + exp(-d)). NaN for all where some
    systems never lost to the others, or were never compared with them: there is then no finite answer.

    >>> wins = np.array([[0.0, 3.0], [1.0, 0.0]])
    >>> float(np.round(strengths(wins)[0] - strengths(wins)[1], 4)) == round(float(np.log(3)), 4)
    True
    """
    flat = wins.reshape(-1, *wins.shape[-2:])
    known = is_linked(flat)
    found = np.full(flat.shape[:2], np.nan)
    found[known] = _newton(flat[known])
    return found.reshape(wins.shape[:-1])


def is_linked(wins: Numbers) -> NDArray[np.bool_]:
    """Whether from every system a chain of wins leads to every other (Ford 1957), shape (...)."""
    systems = wins.shape[-1]
    reach = (wins > 0) | np.eye(systems, dtype=bool)
    for _ in range(max(1, systems.bit_length())):
        reach = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
    return np.asarray(reach.all(axis=(-2, -1)))


def strengths_with_intervals(by_item: Numbers, *, seed: int, rounds: int = ROUNDS) -> tuple[Figure, ...]:
    """Each system's strength with the percentile interval of a bootstrap over items, all raters of an item together.

    Under 20 compared items, or where a twentieth of the resamples have no strengths: too few.
    """
    compared = by_item[by_item.sum(axis=(1, 2)) > 0]
    n, systems = len(compared), by_item.shape[-1]
    values = strengths(compared.sum(axis=0)) if n else np.full(systems, np.nan)
    if n < ITEMS:
        return tuple(Figure(float(value), n=n, too_few=TooFew("items", n, ITEMS)) for value in values)
    drawn = resampled(n, np.random.default_rng(seed), rounds) @ compared.reshape(n, -1)
    resamples = strengths(drawn.reshape(rounds, systems, systems))
    linked = int(np.isfinite(resamples[:, 0]).sum())
    if linked < (1 - _DROPPED_AT_MOST) * rounds:
        lack = TooFew("links", linked, round((1 - _DROPPED_AT_MOST) * rounds))
        return tuple(Figure(float(value), n=n, too_few=lack) for value in values)
    ends = [percentile_interval(resamples[:, place]) for place in range(systems)]
    return tuple(Figure(float(v), low, high, n, "bootstrap_items") for v, (low, high) in zip(values, ends))


def _newton(wins: Numbers) -> Numbers:
    """Newton's steps on the log likelihood, which has one highest point where all are linked."""
    compared = wins + np.swapaxes(wins, -1, -2)
    theta = np.zeros(wins.shape[:2])
    centred = np.full(wins.shape[-2:], 1 / wins.shape[-1])  # pins the mean, which comparisons leave open
    for _ in range(_NEWTON_STEPS):
        p = 1 / (1 + np.exp(theta[:, None, :] - theta[:, :, None]))
        gradient = (wins - compared * p).sum(axis=-1)
        pull = compared * p * (1 - p)
        curvature = pull.sum(axis=-1)[..., None] * np.eye(wins.shape[-1]) - pull + centred
        step = np.linalg.solve(curvature, gradient[..., None])[..., 0]
        theta += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        if not len(step) or np.abs(step).max() < 1e-10:
            break
    return np.asarray(theta - theta.mean(axis=-1, keepdims=True))
