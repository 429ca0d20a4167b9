"""Any text becomes one line that breaks nothing."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gui.widgets import shown_text, tip_text
from gui.widgets.text import LONGEST


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("plain", "plain"),
        ("听到的，“六月”", "听到的，“六月”"),
        ("one\ntwo\r\nthree\u2028four", "one⏎two⏎three⏎four"),
        ("a\tb", "a b"),
        ("a\x00b\x1b[31m\x7f", "a␀b␛[31m␡"),
        ("exe.\u202etxt", "exe.[RLO]txt"),
        ("\ud800", "\ufffd"),
        ("شكرا", "\u2068شكرا\u2069"),
        ("👩\u200d👧", "👩\u200d👧"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_a_sign(text, shown):
    assert shown_text(text) == shown


def test_a_very_long_text_is_cut_before_it_is_measured():
    assert shown_text("x" * 100_000) == "x" * LONGEST + "…"


def test_of_stacked_marks_three_are_kept():
    assert shown_text("Z" + "\u0336" * 40) == "Z" + "\u0336" * 3


@given(st.text(max_size=700))
def test_a_shown_text_is_one_line_without_open_direction_marks(text):
    shown = shown_text(text)
    assert len(shown.splitlines()) <= 1
    inside = shown[1:-1] if shown.startswith("\u2068") else shown
    assert not any(
        unicodedata.bidirectional(c) in {"RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI"} for c in inside
    )
    shown.encode("utf-8")


def test_a_tool_tip_shows_markup_as_it_stands():
    assert tip_text("a < b & c\nd") == "<qt>a &lt; b &amp; c<br>d</qt>"
    assert tip_text("a & b") == "a & b"
