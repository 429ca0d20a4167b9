"""Word, character, mixed, syllable and phoneme error rates, of one pair and of many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.metrics.alignment import Alignment, align
from engine.text.tokens import Tokens, phonemes_of, supports, token_sequence

_EITHER = {"syllable": ("er4", "liang3"), "phoneme": ("er4", "liang3")}
_WRITTEN = ("二", "两")
_CLASS = "\ue000"  # stands for 二, 两 and the free choice while the choice is made; no token holds it


@dataclass(frozen=True, slots=True)
class ErrorRate:
    """The error rate of one pair, lower is better; ``alignment`` is None where the unit does not fit the language."""

    metric: str
    errors: int
    reference_length: int
    rate: float
    alignment: Alignment | None

    @property
    def is_right(self) -> bool:
        """Whether nothing is wrong, also where the reference is empty and no rate can be formed."""
        return self.alignment is not None and self.errors == 0


@dataclass(frozen=True, slots=True)
class Pooled:
    """A figure over ``n`` items, with ``missing`` more that had no value for it."""

    value: float
    n: int
    missing: int


def error_rate(
    unit: str, reference: str, hypothesis: str, language: str = "zh", method: str = "corrected"
) -> ErrorRate:
    """Errors over reference length in tokens of ``unit``, lower is better, may exceed 1.

    An empty reference has no rate (NaN) and its insertions are still counted; by the published method its rate is 0.0.
    Digits read as 2 match 二 and 两; written words are compared as they stand. For phonemes of English: NaN, alignment
    None. Raises PublishedCrash where the published evaluator crashes on one of the texts.

    >>> error_rate("syllable", "一共200元", "一共两百元").errors
    0
    >>> error_rate("mixed", "有3个bug", "有3个bag").rate
    0.25
    """
    metric = f"{unit}_error_rate"
    if not supports(unit, language):
        return ErrorRate(metric, 0, 0, math.nan, None)
    found = align(*comparable_tokens(unit, reference, hypothesis, language, method))
    rate = 0.0 if method == "published" and not found.reference else found.rate
    return ErrorRate(metric, found.errors, found.reference_length, rate, found)


def comparable_tokens(
    unit: str, reference: str, hypothesis: str, language: str = "zh", method: str = "corrected"
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tokens of both sides, each 2 that was read from digits said as the other side says it."""
    first, second = (token_sequence(side, unit, language, method) for side in (reference, hypothesis))
    said, heard = first.items, second.items
    if first.either or second.either:
        said, heard = _agreed(first, second, _EITHER.get(unit, _WRITTEN))
    return (tuple(phonemes_of(said)), tuple(phonemes_of(heard))) if unit == "phoneme" else (said, heard)


def pooled(rates: Sequence[ErrorRate]) -> Pooled:
    """All errors over all reference tokens; NaN when there are none. ``missing`` counts the items not alignable."""
    known = [rate for rate in rates if rate.alignment is not None]
    length = sum(rate.reference_length for rate in known)
    value = sum(rate.errors for rate in known) / length if length else math.nan
    return Pooled(value, len(known), len(rates) - len(known))


def mean_of_items(rates: Sequence[ErrorRate]) -> Pooled:
    """The mean of the rates that exist; ``missing`` counts the items without one. NaN when no item has a rate."""
    values = [rate.rate for rate in rates if not math.isnan(rate.rate)]
    return Pooled(math.fsum(values) / len(values) if values else math.nan, len(values), len(rates) - len(values))


def _agreed(reference: Tokens, hypothesis: Tokens, two: tuple[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Both sequences with their free choices made: each takes the word it stands against in a first alignment."""
    sides = [list(reference.items), list(hypothesis.items)]
    blurred = [
        [_CLASS if index in side.either or item in two else item for index, item in enumerate(side.items)]
        for side in (reference, hypothesis)
    ]
    for ref, hyp in _matches(align(*blurred)):
        if ref in reference.either and sides[1][hyp] in two:
            sides[0][ref] = sides[1][hyp]
        elif hyp in hypothesis.either and sides[0][ref] in two:
            sides[1][hyp] = sides[0][ref]
    return tuple(sides[0]), tuple(sides[1])


def _matches(alignment: Alignment) -> list[tuple[int, int]]:
    """The index pairs of equal tokens."""
    pairs: list[tuple[int, int]] = []
    ref = hyp = 0
    for edit in alignment.edits:
        pairs += zip(range(ref, edit.ref_start), range(hyp, edit.hyp_start))
        ref, hyp = edit.ref_end, edit.hyp_end
    return [*pairs, *zip(range(ref, len(alignment.reference)), range(hyp, len(alignment.hypothesis)))]
