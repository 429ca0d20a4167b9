"""The bins that a cue's figures and words fall into, cut without looking at whose they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.rating.leaks.cues import Column

Codes = NDArray[np.int64]

_MOST_BINS, _MOST_WORDS, _FEWEST_OF_A_WORD = 12, 40, 3


def views_of(column: Column, items: Codes) -> list[Codes]:
    """The bins of a cue as it is, and of figures also beside those of the other answers to the same question."""
    if column.figures is None:
        return [_word_bins(words) for words in column.words]
    scaled = (np.log2(column.figures) if column.kind.is_ratio else column.figures) / column.kind.step
    count = int(items.max()) + 1
    middles = np.array([_middle(scaled[items == item]) for item in range(count)])
    most = int(np.clip(2 * np.sqrt(count), 4, _MOST_BINS))
    return [_figure_bins(scaled, most), _figure_bins(scaled - middles[items], most)]


def _figure_bins(scaled: NDArray[np.float64], most: int) -> Codes:
    """Bins with about equal numbers of answers; no bin is narrower than a step, a missing figure has its own."""
    known = ~np.isnan(scaled)
    steps = np.rint(scaled[known] - _middle(scaled))
    edges = np.unique(steps)
    if len(edges) > most:
        edges = np.unique(np.quantile(steps, np.arange(most) / most, method="lower"))
    codes = np.zeros(len(scaled), np.int64)
    codes[known] = np.searchsorted(edges, steps, side="right")
    return _dense(codes)


def _word_bins(words: Sequence[str]) -> Codes:
    """A bin for each of the commonest words, one for all that few answers have."""
    common = [word for word, count in Counter(words).most_common(_MOST_WORDS) if count >= _FEWEST_OF_A_WORD]
    places = {word: place for place, word in enumerate(common, start=1)}
    return _dense(np.array([places.get(word, 0) for word in words], np.int64))


def _middle(values: NDArray[np.float64]) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else 0.0


def _dense(codes: Codes) -> Codes:
    return np.unique(codes, return_inverse=True)[1].astype(np.int64)
