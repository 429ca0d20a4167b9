"""The drawn alignment gives the stored rates, names how sounds part, and knows when each cell is heard."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.metrics.drawn import LONGEST, drawn_alignment
from engine.metrics.error_rates import error_rate
from engine.metrics.located import HeardWord, cell_at, mismatch_spans, times_by_estimate, times_by_words
from engine.metrics.mismatch import mismatches
from engine.text.published import PublishedCrash

TEXTS = st.text(st.sampled_from(list("夏下至之之是时市长常场二两200，。の bug天甜田")), max_size=40)
LATIN = st.text(st.sampled_from(list("abc 'it5%.-,")), max_size=40)


def lines(found):
    return (
        "".join(cell.reference or "_" for cell in found.cells),
        "".join(cell.hypothesis or "_" for cell in found.cells),
    )


def drawn_errors(found, metric):
    """What the cells add up to, by the definition a reader of the picture has."""
    edits = [cell for cell in found.cells if cell.is_edit]
    if metric == "mixed_error_rate":
        return sum(cell.sound != "reading" for cell in edits)
    return sum(cell.sound != "homophone" for cell in edits)


@given(TEXTS, TEXTS, st.sampled_from(["zh", "mixed"]))
@settings(max_examples=300, deadline=None)
def test_the_picture_gives_the_syllable_and_the_mixed_error_rate(reference, hypothesis, language):
    found = drawn_alignment(reference, hypothesis, language)
    for counted in found.counts:
        wanted = error_rate(counted.metric.removesuffix("_error_rate"), reference, hypothesis, language)
        assert (counted.errors, counted.reference_length) == (wanted.errors, wanted.reference_length)
        if counted.is_drawn:
            assert drawn_errors(found, counted.metric) == wanted.errors
    assert [cell.reference_place for cell in found.cells if cell.reference_place is not None] == list(
        range(found.count("mixed_error_rate").reference_length)
    )


@given(LATIN, LATIN)
@settings(max_examples=200, deadline=None)
def test_english_is_drawn_by_words(reference, hypothesis):
    found = drawn_alignment(reference, hypothesis, "en")
    wanted = error_rate("word", reference, hypothesis, "en")
    assert [(c.metric, c.errors, c.reference_length) for c in found.counts] == [
        ("word_error_rate", wanted.errors, wanted.reference_length)
    ]
    assert sum(cell.is_edit for cell in found.cells) == wanted.errors


@given(TEXTS, TEXTS)
@settings(max_examples=200, deadline=None)
def test_the_published_picture_gives_the_published_rate(reference, hypothesis):
    found = drawn_alignment(reference, hypothesis, method="published")
    wanted = error_rate("syllable", reference, hypothesis, method="published")
    [counted] = found.counts
    assert (counted.errors, counted.reference_length) == (wanted.errors, wanted.reference_length)
    assert drawn_errors(found, counted.metric) == wanted.errors


def test_one_skipped_one_misheard_and_two_added_are_told_apart_and_marks_are_not_counted():
    found = drawn_alignment("节气是夏至，六月二十一日前后，太阳", "节气是下至六月十一日前后前后太阳")
    assert lines(found) == ("节气是夏至，六月二十一日前后__，太阳", "节气是下至_六月_十一日前后前后_太阳")
    assert [(c.metric, c.errors, c.reference_length) for c in found.counts] == [
        ("syllable_error_rate", 3, 15),  # 二 skipped, 前后 added; 下 for 夏 sounds the same
        ("mixed_error_rate", 4, 15),
    ]
    assert [cell.kind for cell in found.cells].count("mark") == 2


@pytest.mark.parametrize(
    ("said", "heard", "sound"),
    [("夏", "下", "homophone"), ("妈", "马", "tone"), ("夏", "冬", "other"), ("bug", "bag", "other")],
)
def test_a_substitution_is_a_homophone_a_tone_or_something_else(said, heard, sound):
    [cell] = drawn_alignment(said, heard).cells
    assert (cell.kind, cell.sound) == ("substitution", sound)


def test_a_text_on_which_the_published_evaluator_crashes_cannot_be_drawn_by_its_rules():
    with pytest.raises(PublishedCrash):
        drawn_alignment("共１人", "共一人", method="published")


def test_what_is_too_long_is_not_drawn():
    assert drawn_alignment("好" * (LONGEST + 1), "好") is None


def test_word_times_are_shared_out_among_characters_and_what_was_skipped_lies_between_its_neighbours():
    found = drawn_alignment("你好，世界", "你好界")
    words = [HeardWord("你好", 1.0, 2.0), HeardWord("界", 2.5, 3.0)]
    times = times_by_words(found.cells, "你好界", words)
    assert times.spans == ((1.0, 1.5), (1.5, 2.0), None, (2.0, 2.5), (2.5, 3.0))
    assert times.source == "words"
    assert [cell_at(times, at) for at in (0.5, 1.2, 2.2, 9.0)] == [None, 0, 3, 4]


def test_without_word_times_the_sound_is_shared_out_and_said_to_be_an_estimate():
    times = times_by_estimate(drawn_alignment("你好世界", "你好世界").cells, 1.0, 3.0)
    assert times.spans == ((1.0, 1.5), (1.5, 2.0), (2.0, 2.5), (2.5, 3.0))
    assert times.source == "estimate"
    assert times_by_estimate((), 0.0, 3.0).source == "nothing"


@pytest.mark.parametrize(
    ("text", "speech", "kind", "from_s", "to_s"),
    [
        ("一年中白天最长的节气叫夏至在六月", "一年中白天最长在六月", "omission", 7.0, 7.0),
        ("一年中白天最长的节气叫夏至在六月", "一年中白天最长的节气", "truncation", 10.0, 10.0),
        ("今天天气很好", "今天天气很好今天天气很好", "repetition", 6.0, 12.0),
    ],
)
def test_a_mismatch_is_located_in_cells_and_seconds(text, speech, kind, from_s, to_s):
    found = drawn_alignment(text, speech)
    words = [HeardWord(character, float(n), n + 1.0) for n, character in enumerate(speech)]
    [span] = mismatch_spans(mismatches(text, speech), found.cells, times_by_words(found.cells, speech, words))
    assert (span.kind, span.start_s, span.end_s) == (kind, from_s, to_s)
    assert found.cells[span.first_cell].is_edit
