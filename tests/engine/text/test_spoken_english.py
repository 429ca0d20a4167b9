"""What an English speaker would say."""

from __future__ import annotations

import pytest

from engine.metrics.error_rates import error_rate
from engine.text.normalise import spoken_form


@pytest.mark.parametrize(
    ("written", "right"),
    {
        "200 people": "two hundred people",
        "1,250": "one thousand two hundred fifty",
        "1,000,000": "one million",
        "0": "zero",
        "3.14": "three point one four",
        "-5": "minus five",
        "5%": "five percent",
        "10-20%": "ten to twenty percent",
        "$5.50": "five dollars and fifty cents",
        "$1": "one dollar",
        "$1.5 million": "one point five million dollars",
        "€20": "twenty euros",
        "21st": "twenty first",
        "the 3rd": "the third",
        "20th": "twentieth",
        "in 1999": "in nineteen ninety nine",
        "in 2005": "in two thousand five",
        "in 1905": "in nineteen oh five",
        "in 1900": "in nineteen hundred",
        "from 1998-2003": "from nineteen ninety eight to two thousand three",
        "the 2010 film": "the twenty ten film",
        "one hundred and five": "one hundred five",
        "40，000 men": "forty thousand men",
        "the 1990s": "the nineteen nineties",
        "the 80s": "the eighties",
        "1500 people": "one thousand five hundred people",
        "10:30 a.m.": "ten thirty am",
        "at 10:05": "at ten oh five",
        "3:00": "three o'clock",
        "3/4": "three quarters",
        "1/2": "one half",
        "5 km": "five kilometers",
        "1 km": "one kilometer",
        "60 mph": "sixty miles per hour",
        "25°C": "twenty five degrees celsius",
        "call 555-1234": "call five five five one two three four",
        "call 911": "call nine one one",
        "2024-05-01": "may first twenty twenty four",
        "3-5 days": "three to five days",
        "GPT-4o": "gpt four o",
        "007": "zero zero seven",
        "don't": "do not",
        "I'm": "i am",
        "we’ve": "we have",
        "can't": "can not",
        "it's": "it is",
        "won't": "will not",
        "Dr. Smith & Mr. Lee": "doctor smith and mister lee",
        "2+2=4": "two plus two equals four",
        "**Bold** and `code`": "bold and code",
        "# Title": "title",
        r"$\frac{1}{2}$": "one over two",
        "$x^2$": "x squared",
    }.items(),
)
def test_a_text_is_said_in_words(written: str, right: str) -> None:
    assert spoken_form(written, "en").text == right


@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ("I can't, it's 5%.", "i cannot it is five percent"),
        ("The twenty-first of May", "the 21st of May"),
        ("**It’s** 1,000 dollars!", "It's $1,000"),
        ("Café", "Cafe\u0301"),
    ],
)
def test_what_sounds_the_same_has_no_word_errors(reference: str, hypothesis: str) -> None:
    assert error_rate("word", reference, hypothesis, "en").errors == 0
