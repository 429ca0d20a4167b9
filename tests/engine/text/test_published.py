"""The published reader, mistake for mistake."""

from __future__ import annotations

import json

import pytest

from engine.metrics.error_rates import error_rate
from engine.text.published import PublishedCrash, published_form, published_syllables
from tests.shared import needs_shared, shared_file

TABLE = {
    "10": "一",
    "11": "一一",
    "12": "一二",
    "15": "一五",
    "19": "一九",
    "10月10日": "一月一日",
    "万历10年": "万历一年",
    "10:30": "一三十",
    "12.5%": "一二点五",
    "50%": "五十",
    "110": "一百一十",
    "101": "一百零一",
    "1010": "一千零一十",
    "10000": "一万",
    "20000": "二万",
    "100000": "一零",
    "100005": "一零五",
    "200000": "二十零",
    "110000": "一一万",
    "1000000": "一百零",
    "10000000": "一千零",
    "100000000": "一亿零",
    "1000000000": "一零",
    "13800138000": "一百三十八亿零一十三万八千",
    "00": "",
    "007": "零七",
    "1.5.2": "一点五二",
    "192.168.1.1": "一百九十二点一六八一点一",
    "-0": "负零",
    "1998-2003": "一千九百九十八负二千零三",
    "2024-05-01": "二千零二十四负零五负零一",
    "GPT-4o": "负四",
    "COVID-19": "负一九",
    "2024年": "二千零二十四年",
    "1,000": "一",
    "12,345,678": "一二三百四十五六百七十八",
    "3/4": "三四",
    "1e5": "一五",
    ".5": "五",
    "$100": "一百",
    "二〇二四": "二二四",
    "𠮷": "",
    "㐀": "",
    "ABC, hello world": "",
    "": "",
}


@pytest.mark.parametrize(("written", "read"), TABLE.items())
def test_a_text_is_read_as_the_published_evaluator_reads_it(written: str, read: str) -> None:
    assert published_form(written) == read


def test_thirteen_digits_lose_the_unit_of_the_first() -> None:
    assert published_form("1234567890123").startswith("一二千三百")


def test_fourteen_digits_read_as_in_the_record() -> None:
    read = published_form("12345678901234")
    assert read.startswith("一二三千四百")
    assert "九十零一千" in read


@pytest.mark.parametrize("text", ["１０", "２", "共٣个", "1.５"])
def test_digits_outside_ascii_crash_as_in_the_original(text: str) -> None:
    with pytest.raises(PublishedCrash) as crash:
        published_syllables(text)
    assert crash.value.code == "text.published_crash"
    assert crash.value.values["character"] in text
    assert crash.value.values["character"] in crash.value.sentence("zh")


def test_an_empty_reference_has_a_published_rate_of_zero() -> None:
    assert error_rate("syllable", "Hello, how are you?", "Goodbye my friend", method="published").rate == 0.0


def test_the_published_rate_may_exceed_one() -> None:
    assert error_rate("syllable", "好", "你不好吗", method="published").rate == 3.0


@needs_shared
def test_the_ten_published_rates_come_out_to_the_last_digit() -> None:
    folder = shared_file("vocalbench-zh/model_output/qwen3-omni")
    answers = json.loads((folder / "json_asr/chinese_knowledge.json").read_text(encoding="utf-8"))
    results = json.loads((folder / "result/chinese_knowledge.json").read_text(encoding="utf-8"))
    rates = [
        error_rate("syllable", answer["Response"], answer["Response_hyp"], method="published").rate
        for answer in answers
    ]
    assert len(rates) == 10
    assert rates == pytest.approx([result["PER"] for result in results], abs=1e-12)
