"""Guesses whose an answer is from its cues, having learned on other questions only.

A naive Bayes over bins: each cue's figures are cut into bins without looking at whose they are, and a system is as
likely as the share of its answers to other questions that fell into the same bin. Bins take what a straight line
between systems would miss (one value among spread ones, a missing value, words), need no fitting, and are cheap enough
to be learned anew for each of a thousand permutations.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.progress import Progress
from engine.rating.leaks.bins import Codes

PERMUTATIONS = 999
_FOLDS = 10
_PRIOR = 0.5  # of an answer, in each bin
_TIE = 1e-9
_VALUES_AT_ONCE = 200_000  # of one cue's likelihoods, while they stay near the processor


@dataclass(frozen=True, slots=True)
class Answered:
    """Whose answers to which questions: ``items`` and ``systems`` are counted from 0, shape (answers,)."""

    items: Codes
    systems: Codes

    @property
    def system_count(self) -> int:
        """How many systems there are."""
        return int(self.systems.max()) + 1

    @property
    def candidates(self) -> NDArray[np.bool_]:
        """Which systems answered the question of each answer, shape (answers, systems)."""
        found = np.zeros((int(self.items.max()) + 1, self.system_count), bool)
        found[self.items, self.systems] = True
        return found[self.items]

    @property
    def chance(self) -> float:
        """The rate of a guesser who knows only that."""
        return float(np.mean(1 / self.candidates.sum(axis=1)))


@dataclass(frozen=True, slots=True)
class Guessed:
    """How often a guesser was right.

    Attributes:
        rate: share of answers guessed right; one of several that are equally likely counts as that share.
        p: share of permutations, this one among them, in which the guesser is as certain of the right systems.
        detectable: a rate that 95 of 100 permutations stay under.
        clearest: (system, the smaller of its recall and its precision) of the one that is told best.
    """

    rate: float
    p: float
    detectable: float
    clearest: tuple[int, float]


def guess(
    views: Sequence[Sequence[Codes]], heard: Sequence[bool], answered: Answered, seed: int
) -> Generator[Progress, None, tuple[list[Guessed], Guessed]]:
    """How well systems are guessed from each cue alone, and from all cues that are ``heard`` together.

    All answers to a question lie in one fold. The permutations exchange the systems of the answers to a question, so
    that what a question itself brings about is in them too.
    """
    rng = np.random.default_rng(seed)
    folds = (rng.permutation(int(answered.items.max()) + 1) % _FOLDS)[answered.items]
    learner = _Learner(views, heard, folds, answered)
    real = learner.rates(answered.systems[None])[0]
    permuted = np.empty((PERMUTATIONS, *real.shape))
    at_once = int(np.clip(_VALUES_AT_ONCE // (answered.systems.size * answered.system_count), 1, 100))
    for first in range(0, PERMUTATIONS, at_once):
        turns = range(first, min(first + at_once, PERMUTATIONS))
        permuted[turns.start : turns.stop] = learner.rates(np.array([_exchanged(answered, rng) for _ in turns]))
        yield Progress(turns.stop, PERMUTATIONS)
    ps = (1 + np.sum(permuted[..., 1] >= real[:, 1] - _TIE, axis=0)) / (1 + PERMUTATIONS)
    limits = np.quantile(permuted[..., 0], 0.95, axis=0)
    found = [Guessed(float(real[i, 0]), float(ps[i]), float(limits[i]), learner.clearest(i)) for i in range(len(real))]
    return found[:-1], found[-1]


class _Learner:
    """Counts the bins of each fold, for many labellings of the answers at once: systems of shape (labellings, answers).

    The last guesser takes all heard cues together.
    """

    def __init__(
        self, views: Sequence[Sequence[Codes]], heard: Sequence[bool], folds: Codes, answered: Answered
    ) -> None:
        self._views, self._heard, self._folds = views, heard, folds
        self._fold_count = int(folds.max()) + 1
        self._systems, self._count = answered.systems, answered.system_count
        self._barred = np.where(answered.candidates, 0.0, -np.inf)

    def rates(self, systems: Codes) -> NDArray[np.float64]:
        """The share guessed right and the mean certainty about the right system, shape (labellings, guessers, 2).

        The certainty is what permutations are compared by: one system that is told well moves it more than the
        guesses at the others, which are as good as drawn by lot, can blur it.
        """
        own = systems[..., None]
        found = []
        for likely in self._guessers(systems):
            sure = np.exp(likely - likely.max(axis=2, keepdims=True))
            sure /= sure.sum(axis=2, keepdims=True)
            right = [np.take_along_axis(shares, own, axis=2).mean(axis=(1, 2)) for shares in (_chosen(likely), sure)]
            found.append(np.stack(right, axis=1))
        return np.stack(found, axis=1)

    def clearest(self, guesser: int) -> tuple[int, float]:
        """The system that a guesser tells best, and the smaller of its recall and its precision."""
        shares = _chosen(self._guessers(self._systems[None])[guesser])[0]
        guessed = np.zeros((self._count, self._count))
        np.add.at(guessed, self._systems, shares)
        right = np.diag(guessed)
        told = np.minimum(right / guessed.sum(axis=1), right / np.maximum(guessed.sum(axis=0), 1e-12))
        return int(np.argmax(told)), float(told.max())

    def _guessers(self, systems: Codes) -> list[NDArray[np.float64]]:
        """Log-likelihoods of the systems that answered the question, shape (labellings, answers, systems), of each."""
        together = np.zeros((*systems.shape, self._count)) + self._barred
        found = []
        for views, is_heard in zip(self._views, self._heard, strict=True):
            alone = np.zeros_like(together)
            for codes in views:
                alone += self._likelihoods(codes, systems)
            found.append(alone + self._barred)
            if is_heard:
                together += alone
        return [*found, together]

    def _likelihoods(self, codes: Codes, systems: Codes) -> NDArray[np.float64]:
        """Log-likelihoods of each answer's bin under each system, as far as they are to be trusted.

        That is the share of the bins' dependence on the system (the G statistic) that is more than chance brings.
        """
        bins = int(codes.max()) + 1
        if bins == 1:
            return np.zeros((*systems.shape, self._count))
        shape = (len(systems), self._fold_count, bins, self._count)
        places = (self._folds * bins + codes) * self._count + systems
        places = places + np.arange(len(systems))[:, None] * (shape[1] * shape[2] * shape[3])
        counts = np.bincount(places.ravel(), minlength=int(np.prod(shape))).reshape(shape)
        learned = counts.sum(axis=1, keepdims=True) - counts + 0.0
        of_system = learned.sum(axis=2, keepdims=True)
        likely = np.log((learned + _PRIOR) / (of_system + _PRIOR * bins))
        of_bin = learned.sum(axis=3, keepdims=True)
        expected = of_bin * of_system / np.maximum(of_bin.sum(axis=2, keepdims=True), 1)
        surplus = np.log(np.where(learned > 0, learned, 1) / np.where(learned > 0, expected, 1))
        dependence = 2 * np.sum(learned * surplus, axis=(2, 3), keepdims=True)
        freedom = (bins - 1) * (self._count - 1)
        weight = np.clip(1 - freedom / np.maximum(dependence, 1e-12), 0.0, 1.0)
        return np.asarray((likely * weight)[:, self._folds, codes])


def _chosen(likely: NDArray[np.float64]) -> NDArray[np.float64]:
    """The share of a guess that goes to each system: all to the likeliest, or equal parts."""
    best = likely >= likely.max(axis=-1, keepdims=True) - _TIE
    return np.asarray(best / best.sum(axis=-1, keepdims=True))


def _exchanged(answered: Answered, rng: np.random.Generator) -> Codes:
    """The systems, exchanged among the answers to each question."""
    order = np.lexsort((rng.random(len(answered.items)), answered.items))
    places = np.argsort(answered.items, kind="stable")
    exchanged = np.empty_like(answered.systems)
    exchanged[places] = answered.systems[order]
    return exchanged
