"""Error rates of texts, alone and together."""

from __future__ import annotations

import json
import math

import jiwer
import pytest

from engine.metrics.error_rates import error_rate, mean_of_items, pooled
from engine.text.normalise import spoken_form
from engine.text.published import PublishedCrash
from engine.text.tokens import comparable_form
from tests.shared import case, needs_shared, shared_file


@needs_shared
def test_a_two_from_digits_may_be_said_either_way_and_a_written_two_may_not() -> None:
    for pair in case("rate-two-and-two")["expect"]["pairs"]:
        found = error_rate("syllable", pair["reference"], pair["hypothesis"])
        assert found.errors == pair["syllable_errors"], pair
        if "syllable_rate" in pair:
            assert found.rate == pytest.approx(pair["syllable_rate"])


@needs_shared
def test_an_empty_reference_is_a_valid_case() -> None:
    expected = case("rate-empty-reference")["expect"]
    rates = [error_rate("character", pair["reference"], pair["hypothesis"]) for pair in expected["pairs"]]
    for pair, found in zip(expected["pairs"], rates, strict=True):
        assert found.errors == pair["errors"]
        assert found.alignment is not None
        assert found.alignment.insertions == pair.get("insertions", 0)
        assert found.alignment.deletions == pair.get("deletions", 0)
        if "cer" in pair:
            assert found.rate == pair["cer"]
        else:
            assert math.isnan(found.rate)
            assert found.is_right == (pair["errors"] == 0)
    together = pooled(rates)
    assert (together.value, together.n, together.missing) == (expected["set_rate"]["cer"], 5, 0)
    assert sum(rate.errors for rate in rates) == expected["set_rate"]["errors"]
    assert sum(rate.reference_length for rate in rates) == expected["set_rate"]["reference_length"]
    mean = mean_of_items(rates)
    assert (mean.value, mean.n, mean.missing) == (0.5, 2, 3)


@needs_shared
def test_code_switched_speech_is_counted_in_han_characters_and_words() -> None:
    expected = case("rate-code-switch")["expect"]
    for pair in expected["pairs"]:
        found = error_rate("mixed", pair["reference"], pair["hypothesis"])
        assert (found.errors, found.reference_length) == (pair["mer_errors"], expected["reference_tokens"])
        assert found.rate == pytest.approx(pair["mer"])


@pytest.mark.parametrize(
    ("reference", "hypothesis", "errors"),
    [
        ("两百", "200", 0),
        ("200", "200", 0),
        ("22000元", "两万二千元", 0),
        ("22000元", "二万两千元", 0),
        ("2.5倍", "两点五倍", 0),
        ("两百", "二百", 1),
        ("12", "十两", 1),
        ("第2名", "第两名", 1),
        ("百分之2", "百分之两", 1),
        ("2024年", "两千零二十四年", 3),
        ("两会有2个议题", "两会有两个议题", 0),
        ("二会有2个议题", "两会有两个议题", 1),
        ("拨打119", "拨打幺幺九", 0),
        ("臺灣", "台湾", 0),
    ],
)
def test_numbers_are_compared_as_they_may_be_said(reference: str, hypothesis: str, errors: int) -> None:
    for unit in ("syllable", "character", "mixed"):
        assert error_rate(unit, reference, hypothesis).errors == errors


def test_the_drawn_alignment_shows_the_reading_that_was_heard() -> None:
    found = error_rate("syllable", "一共200元", "一共两百元").alignment
    assert found is not None
    assert found.reference == found.hypothesis == ("yi1", "gong4", "liang3", "bai3", "yuan2")


def test_phonemes_of_english_have_no_value_and_are_counted_as_missing() -> None:
    found = error_rate("phoneme", "hello", "hallo", "en")
    assert math.isnan(found.rate)
    assert found.alignment is None
    assert not found.is_right
    assert pooled([found, error_rate("phoneme", "好", "好")]).missing == 1


def test_phoneme_errors_are_fewer_where_half_a_syllable_is_right() -> None:
    # 山 sh an1 against 三 s an1: one of two phonemes
    assert error_rate("phoneme", "山", "三").rate == 0.5
    assert error_rate("phoneme", "200", "两百").errors == 0


def test_a_published_crash_is_passed_on() -> None:
    with pytest.raises(PublishedCrash):
        error_rate("syllable", "１０", "十", method="published")
    assert error_rate("syllable", "１０", "十").errors == 0


def test_nothing_at_all_has_no_pooled_rate_and_no_mean() -> None:
    assert math.isnan(pooled([]).value)
    assert math.isnan(mean_of_items([]).value)


@needs_shared
def test_rates_of_the_shipped_answers_are_those_of_jiwer() -> None:
    path = shared_file("vocalbench-zh/model_output/qwen3-omni/json_asr/chinese_knowledge.json")
    for answer in json.loads(path.read_text(encoding="utf-8")):
        sides = [comparable_form(spoken_form(answer[key]).text).lower() for key in ("Response", "Response_hyp")]
        found = error_rate("character", answer["Response"], answer["Response_hyp"])
        assert found.rate == pytest.approx(jiwer.cer(sides[0], sides[1]))
