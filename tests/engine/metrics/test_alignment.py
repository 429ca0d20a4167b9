"""The alignment against a plain table of distances and against jiwer."""

from __future__ import annotations

import math
import random

import jiwer
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.metrics.alignment import Edit, align, count_edits, distance
from tests.bench.bench_text import plain_counts

WORDS = st.lists(st.sampled_from("abcde"), max_size=12)


def test_each_kind_of_edit_is_placed() -> None:
    # abcdefg against axcefgh: b is replaced by x, d is left out, h is added
    found = align(list("abcdefg"), list("axcefgh"))
    assert found.edits == (
        Edit("substitution", 1, 2, 1, 2),
        Edit("deletion", 3, 4, 3, 3),
        Edit("insertion", 7, 7, 6, 7),
    )
    assert (found.substitutions, found.deletions, found.insertions) == (1, 1, 1)
    assert found.errors == 3
    assert found.rate == pytest.approx(3 / 7)


def test_an_empty_reference_counts_insertions_and_has_no_rate() -> None:
    found = align([], ["好", "的"])
    assert (found.insertions, found.errors, found.reference_length) == (2, 2, 0)
    assert math.isnan(found.rate)
    assert align([], []).edits == ()


@given(WORDS, WORDS)
def test_the_distance_is_that_of_the_plain_table(reference: list[str], hypothesis: list[str]) -> None:
    assert align(reference, hypothesis).errors == plain_counts(reference, hypothesis).errors
    assert distance(reference, hypothesis) == plain_counts(reference, hypothesis).errors


@given(st.lists(st.tuples(WORDS, WORDS), max_size=5))
def test_the_batch_counts_what_the_alignments_count(pairs: list[tuple[list[str], list[str]]]) -> None:
    assert count_edits(pairs) == [align(*pair).counts for pair in pairs]


@given(WORDS, WORDS)
def test_the_edits_rebuild_the_hypothesis(reference: list[str], hypothesis: list[str]) -> None:
    built, place = [], 0
    for edit in align(reference, hypothesis).edits:
        built += reference[place : edit.ref_start] + hypothesis[edit.hyp_start : edit.hyp_end]
        place = edit.ref_end
    assert built + reference[place:] == hypothesis


@given(WORDS, WORDS)
def test_swapping_the_sides_swaps_insertions_and_deletions_but_not_the_distance(one: list[str], two: list[str]) -> None:
    there, back = align(one, two), align(two, one)
    assert there.errors == back.errors
    assert there.insertions - there.deletions == back.deletions - back.insertions


@pytest.mark.parametrize("seed", range(5))
def test_the_word_error_rate_is_that_of_jiwer(seed: int) -> None:
    chance = random.Random(seed)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "small", "dog"]
    reference = chance.choices(words, k=40)
    hypothesis = [
        chance.choice(words) if chance.random() < 0.2 else word for word in reference if chance.random() > 0.1
    ]
    oracle = jiwer.process_words(" ".join(reference), " ".join(hypothesis))
    found = align(reference, hypothesis)
    assert found.rate == pytest.approx(oracle.wer)
    assert found.errors == oracle.substitutions + oracle.deletions + oracle.insertions
    assert count_edits([(reference, hypothesis)])[0].rate == found.rate
