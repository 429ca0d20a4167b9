"""Words with times out of tokens and attention."""

from __future__ import annotations

import numpy as np
import pytest

from engine.speech.values import Word
from engine.speech.words import pieces_of, smoothed_attention, tidy_words, token_times


def test_han_tokens_stand_alone_and_latin_ones_join_until_a_blank():
    tokens = ["今天", "说", " hel", "lo", " world", "好"]
    pieces = pieces_of(tokens, [0.0, 0.4, 0.6, 0.8, 1.0, 1.4, 1.6], [0.9, 0.8, 0.7, 0.5, 0.9, 1.0])
    assert [(piece.text, piece.start_s, piece.end_s) for piece in pieces] == [
        ("今天", 0.0, 0.4), ("说", 0.4, 0.6), (" hello", 0.6, 1.0), (" world", 1.0, 1.4), ("好", 1.4, 1.6),
    ]  # fmt: skip
    assert pieces[2].probability == 0.5  # a word is as sure as its weakest part


def test_marks_join_the_word_before_and_times_stay_in_the_clip():
    pieces = [
        Word(" 你好", -0.1, 0.5, 0.9),
        Word("。", 0.5, 0.6, 0.4),
        Word(" ", 0.6, 0.6, 0.1),
        Word("再", 0.9, 3.0, 1.0),
    ]
    assert tidy_words(pieces, 2.0) == (Word("你好。", 0.0, 0.5, 0.9), Word("再", 0.9, 2.0, 1.0))


def test_tokens_begin_where_their_attention_does():
    attention = np.full((3, 30), 0.01)  # rows: two tokens and the end; 20 ms a frame
    attention[0, :10] = attention[1, 10:25] = attention[2, 25:] = 1.0
    # a path gains by each cell it passes, so that it steps down a frame before the border
    assert token_times(attention) == pytest.approx([0.0, 0.2, 0.5], abs=0.021)


def test_attention_of_several_heads_is_made_comparable_before_it_is_averaged():
    one = np.zeros((2, 20)) + 0.01
    one[0, :10] = one[1, 10:] = 1.0
    loud_and_soft = smoothed_attention(np.stack([one, 1000 * one]))
    np.testing.assert_allclose(loud_and_soft, smoothed_attention(one[None]))
    assert token_times(loud_and_soft) == pytest.approx([0.0, 0.2])
