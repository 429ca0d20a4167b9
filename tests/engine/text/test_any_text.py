"""No text is refused, and none takes more than linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.normalise import spoken_form
from engine.text.published import PublishedCrash, published_form
from engine.text.tokens import tokens_of

ALPHABET = (
    "0123456789，000０٣$€¥%‰.,:：;-–—~/\\^_{}[]()<>*#`|&+=×÷²½℃年月日第百千万亿两二幺个点号sthkmGPTeE'’\n\t\r\u202e\u200d😀"
    "\ufe0f臺灣\x00\x1f中国אב\ue000\ue001 "
)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(ALPHABET, max_size=40), st.text(max_size=40)), st.sampled_from(["zh", "en"]))
def test_any_text_has_a_spoken_form(text: str, language: str) -> None:
    form = spoken_form(text, language)
    assert all(form.text[index] in "二两" for index in form.either)
    assert all(0 <= rule.start <= len(text) for rule in form.rules)
    assert not set(form.text) & set("\ue000\ue001\x00")
    for unit in ("word", "character", "mixed", "syllable"):
        assert all(tokens_of(text, unit, language))


@settings(max_examples=200, deadline=None)
@given(st.text(ALPHABET, max_size=40))
def test_the_published_form_is_han_alone_or_a_crash(text: str) -> None:
    try:
        form = published_form(text)
    except PublishedCrash:
        assert any(character.isdecimal() and not character.isascii() for character in text)
    else:
        assert all("\u4e00" <= character <= "\u9fff" for character in form)


HARD = [
    "1",
    "1,234,",
    "1-",
    "1=",
    "$a",
    "*",
    "**",
    "[a](",
    "<a ",
    "\\frac{",
    "^{",
    "|-",
    "- \n",
    "e\u0301",
    "½",
    "a1",
    "'s",
    "臺",
]


@pytest.mark.parametrize("piece", HARD)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_long_text_is_read_in_linear_time(piece: str, language: str) -> None:
    short, long = (piece * (length // len(piece)) for length in (5_000, 50_000))
    started = time.process_time()
    spoken_form.__wrapped__(short, language)
    middle = time.process_time()
    spoken_form.__wrapped__(long, language)
    # Ten times the text may take ten times as long; quadratic work would take a hundred times.
    assert time.process_time() - middle < 40 * (middle - started) + 0.3
