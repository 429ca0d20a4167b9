"""Clauses of made answers, their times, and where one answer goes on in another."""

from __future__ import annotations

import pytest

from engine.metrics.clauses import MODES, Clause, Voice, landing, likeness, matching, voice_of_cells, voice_of_text
from engine.metrics.drawn import drawn_alignment
from engine.metrics.located import HeardWord, times_by_words

DATES = "白天最长的节气是夏至，在六月二十一日前后。这一天太阳直射北回归线。"
TURNED = "好的，我来说。太阳直射北回归线的那天就是夏至。在六月二十一日前后，白天最长。"


def heard(text, step_s=0.25, start_s=0.0):
    """Every character of what was said, one after another."""
    letters = [letter for letter in text if letter not in "，。"]
    return [HeardWord(letter, start_s + n * step_s, start_s + (n + 1) * step_s) for n, letter in enumerate(letters)]


def spoken(text, heard_text=None, **how):
    transcript = "".join(letter for letter in (heard_text or text) if letter not in "，。")
    cells = drawn_alignment(text, transcript).cells
    words = heard(transcript, **how)
    return voice_of_cells(text, cells, times_by_words(cells, transcript, words), words[-1].end_s)


def said(text, voice):
    return [text[slice(*clause.span)] for clause in voice.clauses]


def test_clauses_end_at_marks_and_one_word_goes_with_what_follows():
    assert said("嗯，好的。我来。", spoken("嗯，好的。我来。")) == ["嗯，好的", "我来"]


def test_clauses_end_at_the_ends_of_lines():
    assert said("第一步\n第二步", voice_of_text("第一步\n第二步", "zh", 2.0)) == ["第一步", "第二步"]


def test_a_text_without_marks_ends_its_clauses_by_length():
    voice = voice_of_text("天地玄黄" * 20, "zh", 20.0)
    assert [len(clause.tokens) for clause in voice.clauses] == [24, 24, 24, 8]


def test_a_long_clause_ends_at_a_pause_that_was_heard():
    words = [*heard("天地玄黄宇宙洪荒日月盈昃", 0.2), *heard("寒来暑往秋收冬藏", 0.2, start_s=4.0)]
    text = "天地玄黄宇宙洪荒日月盈昃寒来暑往秋收冬藏"
    assert said(text, voice_of_text(text, "zh", 6.0, words=words)) == [text[:12], text[12:]]


def test_times_are_the_recognisers_where_it_gave_them():
    voice = spoken("你好吗，我很好。", step_s=0.5)
    assert voice.source == "words"
    assert [(clause.start_s, clause.end_s) for clause in voice.clauses] == [(0.0, 1.5), (1.5, 3.0)]


def test_times_are_an_estimate_over_what_sounds_where_there_are_none():
    voice = voice_of_text("你好吗我很好", "zh", 8.0, (1.0, 7.0))
    assert voice.source == "estimate"
    assert (voice.clauses[0].start_s, voice.clauses[0].end_s) == (1.0, 7.0)


def test_a_clause_that_was_left_out_has_no_time_and_nobody_goes_there():
    voice = spoken("太阳直射北回归线，白天最长。", "白天最长")
    assert [clause.start_s for clause in voice.clauses] == [None, 0.0]
    assert matching(spoken("太阳直射北回归线。"), 0, voice) is None


def test_english_is_matched_by_words():
    one = voice_of_text("The summer solstice is the longest day. It falls in June.", "en", 6.0)
    other = voice_of_text("In June it falls, sure. The longest day is the summer solstice.", "en", 6.0)
    assert matching(one, 0, other) == 1


@pytest.mark.parametrize(("second", "said_there"), [(0.3, "就是夏至"), (3.2, "六月二十一日"), (6.0, "太阳直射")])
def test_the_matching_clause_says_the_same_wherever_it_stands(second, said_there):
    here, there = spoken("夏至白天最长，在六月二十一日前后。这一天太阳直射北回归线。"), spoken(TURNED)
    found = landing("clause", here, second, there)
    if said_there == "就是夏至":  # here it is the clause with the longest day
        assert TURNED[slice(*there.clauses[found.clause].span)] == "白天最长"
    else:
        assert said_there in TURNED[slice(*there.clauses[found.clause].span)]
    assert found.how == "clause" and not found.is_estimated
    assert found.at_s == there.clauses[found.clause].start_s


def test_homophones_count_as_said():
    assert likeness(spoken("夏至到了").clauses[0].tokens, spoken("下至到了").clauses[0].tokens) == 1.0


def test_an_estimate_on_either_side_is_said():
    here, there = spoken(DATES), voice_of_text(TURNED, "zh", 9.0)
    assert landing("clause", here, 3.0, there).is_estimated
    assert landing("clause", there, 5.0, here).is_estimated


def test_where_no_clause_says_the_same_it_is_the_same_share_and_says_so():
    found = landing("clause", spoken("今天天气很好"), 0.75, voice_of_text("苹果香蕉葡萄", "zh", 6.0))
    assert (found.how, found.at_s, found.is_estimated, found.clause) == ("share", 3.0, True, None)


def test_the_same_second_is_kept_and_begins_again_where_the_other_is_over():
    here, short = Voice((), 10.0), Voice((), 4.0)
    assert landing("second", here, 3.0, short) == landing("second", short, 3.0, here)
    over = landing("second", here, 5.0, short)
    assert (over.how, over.at_s) == ("over", 0.0)


def test_before_the_first_clause_it_is_the_start():
    here = Voice((Clause(("a", "b"), (0, 1), 1.0, 2.0),), 3.0, "words")
    assert landing("clause", here, 0.4, here) == landing("restart", here, 2.0, here)


@pytest.mark.parametrize("mode", MODES)
def test_answers_without_sound_or_text_are_gone_to_without_a_stumble(mode):
    nothing, there = Voice((), 0.0), spoken(DATES)
    assert landing(mode, nothing, 0.0, there).at_s == 0.0
    assert landing(mode, there, 2.0, nothing).at_s in (0.0, 2.0)


def test_likeness_is_the_same_both_ways_and_one_word_in_common_is_none():
    one, other = ("一", "二", "三", "四"), ("九", "二", "八")
    assert likeness(one, other) == likeness(other, one) == 0.0
    assert likeness((), one) == 0.0
    assert likeness(("好",), ("好", "的")) == pytest.approx(2**-0.5)
