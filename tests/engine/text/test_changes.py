"""Which rule changed what: every change stands where it says, and between them nothing is changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.strings import text as words
from engine.text.changes import reading_of
from engine.text.normalise import spoken_form
from engine.text.published import PublishedCrash, published_form

TEXTS = (
    "水的沸点是**100℃**，约合212°F。",
    "# 標題\n\n1. 電話 13812345678\n2. 比分 3:2，増长12.5%",
    "１２％的人在２０２４－０１－０２的10:30",
    "$x^2 + 3$ 等于 $\\frac{1}{2}$",
    "<b>粗体</b> &amp; [链接](https://example.org) 😀😀",
    "第10名得了200.5元，2个人2楼",
    "cafe\u0301 e\u0301\u0301\u0301 \u200b\u202e倒\ufeff",
    "",
    "   \n\n ",
)


def pairs(text, language="zh", method="corrected"):
    return [(change.written, change.spoken, change.rules) for change in reading_of(text, language, method).changes]


def test_a_number_with_its_unit_is_one_change_named_by_its_rule():
    assert pairs("沸点是100℃") == [("100℃", "一百摄氏度", ("unit",))]


def test_rules_that_work_on_one_another_are_one_change_with_all_their_names():
    assert pairs("约１２％") == [("１２％", "百分之十二", ("width", "percent"))]
    assert pairs("電話") == [("電", "电", ("script",)), ("話", "话", ("script",))]


def test_marks_that_are_not_said_have_an_empty_spoken_side():
    assert pairs("**热**") == [("**", "", ("emphasis",)), ("**", "", ("emphasis",))]


def test_english_is_read_by_its_own_rules():
    found = {written: spoken for written, spoken, _ in pairs("It's 5% off", "en")}
    assert found["5%"] == "five percent"


def test_the_published_reader_says_numbers_its_way_and_drops_what_is_not_han():
    assert pairs("10月10日ok", method="published") == [
        ("10", "一", ("number",)),
        ("10", "一", ("number",)),
        ("ok", "", ("han",)),
    ]
    with pytest.raises(PublishedCrash):
        reading_of("１０", method="published")


def check(text, language, method):
    found = reading_of(text, language, method)
    at_written = at_spoken = 0
    pieces = []
    for change in found.changes:
        assert at_written <= change.start <= change.end <= len(text)
        assert at_spoken <= change.spoken_start <= change.spoken_end <= len(found.spoken)
        assert text[change.start : change.end] == change.written
        assert found.spoken[change.spoken_start : change.spoken_end] == change.spoken
        assert change.rules
        pieces.append((text[at_written : change.start], found.spoken[at_spoken : change.spoken_start]))
        at_written, at_spoken = change.end, change.spoken_end
    pieces.append((text[at_written:], found.spoken[at_spoken:]))
    for written, spoken in pieces:
        assert written.strip() == spoken.strip()


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_between_changes_what_is_written_is_spoken(text, language):
    check(text, language, "corrected")
    assert reading_of(text, language).spoken == spoken_form(text, language).text


@given(st.text(max_size=60))
def test_any_text_is_accounted_for(text):
    for method in ("corrected", "published"):
        try:
            check(text, "zh", method)
        except PublishedCrash:
            continue


@given(st.text(alphabet="0123456789.,:%年月日℃*_`$ 約前後上下２３-/abkm\n", max_size=40))
def test_any_mixture_of_what_rules_look_for_is_accounted_for(text):
    for language in ("zh", "en"):
        check(text, language, "corrected")
    try:
        assert reading_of(text, method="published").spoken == published_form(text)
        check(text, "zh", "published")
    except PublishedCrash:
        return


def test_a_hundred_thousand_characters_are_no_trouble():
    text = "沸点是**100℃**，比1/2多。" * 5_000
    assert len(reading_of(text).changes) == 4 * 5_000


def test_every_rule_has_its_words_in_both_languages():
    names = set()
    for path in (Path(__file__).parents[3] / "engine" / "text").glob("*.py"):
        source = path.read_text(encoding="utf-8")
        names |= set(re.findall(r'(?:\.rule|rewrite)\(\s*"([a-z-]+)"', source))
        names |= set(re.findall(r'\(\s*"([a-z-]+)",\s*re\.compile', source))
    names |= {"script", "minus"}
    assert len(names) > 50
    for name in sorted(names):
        for language in ("en", "zh"):
            assert words(f"text.rule.{name}", language)
