"""Tokens stand where they were written, and are the tokens that error rates count."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.text.normalise import spoken_form
from engine.text.places import placed
from engine.text.published import PublishedCrash
from engine.text.tokens import tokens_of

TEXTS = st.text(
    st.sampled_from(list("夏至之後國の是２200-4.5%:=^ **，。！?\n\u200bABcd'é$\\()🙂²½两二ㄅ한")) | st.characters(),
    max_size=40,
)


@given(TEXTS, st.sampled_from(["zh", "en", "mixed"]))
@settings(max_examples=300, deadline=None)
def test_the_tokens_are_those_of_the_error_rates_and_stand_in_the_text_in_order(text, language):
    places = placed(text, language)
    assert [place.token for place in places if not place.is_mark] == tokens_of(text, "mixed", language)
    assert all(0 <= place.start <= place.end <= len(text) for place in places)
    assert [place.start for place in places] == sorted(place.start for place in places)
    assert len(spoken_form(text, language).origin) == len(spoken_form(text, language).text)


@given(TEXTS)
@settings(max_examples=300, deadline=None)
def test_the_published_tokens_are_the_characters_its_reader_leaves(text):
    try:
        wanted = tokens_of(text, "mixed", method="published")
    except PublishedCrash:
        with pytest.raises(PublishedCrash):
            placed(text, method="published")
        return
    places = placed(text, method="published")
    assert [place.token for place in places if not place.is_mark] == wanted
    assert all(0 <= place.start <= place.end <= len(text) for place in places)


def test_letters_are_shown_as_written_and_numbers_as_read():
    text = "會議之後，**Friday** 200元"
    places = placed(text)
    assert [place.shown for place in places] == ["會", "議", "之", "後", "，", "Friday", "二", "百", "元"]
    assert [text[place.start : place.end] for place in places][-3:] == ["200", "200", "元"]
