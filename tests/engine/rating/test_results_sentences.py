"""What a screen and the command line print of results, word for word."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.rating.protocols import load_protocol
from engine.rating.quality import rater_quality
from engine.rating.quality_sentences import quality_said, screening_said, side_by_side_said
from engine.rating.result_sentences import (
    agreement_said,
    difference_said,
    figure_said,
    p_said,
    sentences,
    system_said,
)
from engine.rating.results import study_results
from engine.rating.screening import screened, side_by_side
from engine.statistics.figures import Figure, TooFew
from engine.strings import text
from tests.engine.rating.rows_of_ratings import drawn, rating, table

EMPATHY = load_protocol("empathy_semantic", "en")


def test_agreement_is_told_in_one_line():
    found = study_results(table(drawn(3, 60)), EMPATHY, seed=1).scales[0].agreement
    found = replace(found, alpha=Figure(0.613, 0.524, 0.687, 60, "bootstrap_items"))
    assert agreement_said(found, "en")[0] == "3 raters, 60 items: alpha 0.61 [0.52, 0.69]"
    assert agreement_said(found, "zh")[0] == "3 位评分者，60 个样例：alpha 0.61 [0.52, 0.69]"


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (Figure(0.7, n=12, too_few=TooFew("items", 12, 50)), "0.70 (no interval: 12 items; 50 are needed)"),
        (Figure(0.7), "0.70"),
        (Figure(math.nan, n=3, too_few=TooFew("items", 3, 50)), "no value"),
        (Figure(-0.004, -0.2, 0.2, 90), "0.00 [-0.20, 0.20]"),
    ],
)
def test_a_figure_is_told_with_its_interval_or_why_it_has_none(figure, said):
    assert figure_said(figure, "en") == said


@pytest.mark.parametrize("of", ["items", "raters", "ratings", "answers", "rare", "links"])
def test_every_lack_has_words_in_both_languages(of):
    figure = Figure(0.5, n=1, too_few=TooFew(of, 1, 8))
    assert "(" in figure_said(figure, "en") and "（" in figure_said(figure, "zh")


def test_a_small_p_is_no_zero():
    assert (p_said(0.0004, "en"), p_said(0.0312, "en"), p_said(math.nan, "en")) == ("< 0.001", "0.031", "no value")


def test_a_systems_mean_what_passes_and_each_rater_left_out():
    system = study_results([rating("li", 1, 2), rating("wu", 1, 4)], EMPATHY, seed=1).scales[0].systems[0]
    assert system_said(system, "3 and above passes.", "en") == (
        "a: mean 3.00 (no interval: 1 item; 20 are needed) (ratings 2, items 1, raters 2)",
        "a: 50.0 % [5.5 %, 94.5 %] pass. 3 and above passes",
        "a without Li: 4.00",
        "a without Wu: 2.00",
    )


def test_every_figure_of_items_picked_by_hand_says_that_it_cannot_correct_a_score():
    said = sentences(study_results([rating("li", 1, 3, selection="manual", pi=None)], EMPATHY, seed=1), "en")
    assert "Items picked by hand: 1. The figures can be discussed, and cannot correct a score." in said
    figures = [each for each in said if "mean" in each or "pass" in each]
    assert len(figures) == 2 and all(each.endswith("Cannot correct a score.") for each in figures)
    drawn_ones = sentences(study_results([rating("li", 1, 3)], EMPATHY, seed=1), "en")
    assert not any("annot correct" in each for each in drawn_ones)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("protocol", ["empathy_semantic", "safety", "preference", "comparison"])
def test_all_kinds_of_results_are_told_in_both_languages(protocol, language):
    loaded = load_protocol(protocol, language)
    steps = loaded.main.values
    rng = np.random.default_rng(2)
    other = "b" if loaded.compares else None
    told = {"protocol": protocol, "scale": protocol, "other_system": other}
    rows = [
        rating(rater, item, steps[int(rng.integers(len(steps)))], **told)
        for item in range(60)
        for rater in ("li", "wu")
    ]
    rows += [rating("li", 61, steps[0], kind="gold", expected=steps[0], **told)]
    said = list(sentences(study_results(rows, loaded, seed=1), language))
    said += [each for quality in rater_quality(rows, loaded) for each in quality_said(quality, language)]
    assert len(said) > 6
    assert not any("{" in each or "nan" in each for each in said)


def test_who_is_set_aside_and_why_is_told_with_the_numbers():
    rows = [rating("li", item, value, kind="gold", expected=5) for item, value in enumerate((5, 1, 1))]
    assert screening_said(screened(rows, EMPATHY), "en") == (
        "Set aside: Li, for 33.3 % of 3 gold items right, at least 70.0 % is asked.",
        "Too few for these rules: the variance of ratings (1 rater, 0 of 10); how far hidden repeats lie apart"
        " (1 rater, 0 of 5).",
    )


def test_without_ratings_nobody_is_said_to_have_passed_the_rules():
    assert screening_said(screened([], EMPATHY), "en") == (
        "There are no ratings yet, so no rule of the protocol could be looked at.",
    )
    (few,) = screening_said(screened([rating("li", 1, 3)], EMPATHY), "en")
    assert few.startswith("Too few for these rules: gold items (1 rater, 0 of 2); the variance of ratings (1 rater, 1")
    even = screening_said(screened([rating("li", item, 1 + item % 5) for item in range(10)], EMPATHY), "zh")
    assert even[0] == "按规程的规则，没有人的评分需要搁置。" and "标准题" in even[1] and "方差" not in even[1]


def test_a_protocol_put_in_chinese_is_told_in_english():
    rows = [rating(rater, item, value) for rater, value in (("li", 2), ("wu", 4)) for item in range(25)]
    loaded = load_protocol("empathy_semantic", "zh")
    rows = [replace(row, language="zh") for row in rows]
    said = sentences(study_results(rows, loaded, seed=1), "en")
    assert not any("\u4e00" <= character <= "\u9fff" for line in said for character in line)
    assert any("pass. 3 and above passes, as the benchmark counts it." in line for line in said)
    none = sentences(study_results([], loaded, seed=1), "en")
    assert none and none[0].startswith("How well do the words")
    newer = replace(loaded, version=2)
    rows = [replace(row, protocol_version=2) for row in rows]
    said = sentences(study_results(rows, newer, seed=1), "en")
    assert any(line.endswith("pass. “3 分及以上算通过，与基准的规则一致”.") for line in said)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_where_there_is_no_p_none_is_spoken_of(language):
    rows = [rating("li", item, 3, system) for item in range(3) for system in ("a", "b")]
    (difference,) = study_results(rows, EMPATHY, seed=1).scales[0].differences
    assert math.isnan(difference.difference.p)
    said = difference_said(difference, language)
    assert " p " not in said and "Holm" not in said and text("rating.result.no_value", language) not in said
    rows = [rating("li", item, 3 + item % 2 * (system == "b"), system) for item in range(30) for system in ("a", "b")]
    (difference,) = study_results(rows, EMPATHY, seed=1).scales[0].differences
    assert "Holm" in difference_said(difference, language)


def test_one_is_told_in_the_singular():
    scale = study_results([rating("li", 1, 2), rating("wu", 1, 4)], EMPATHY, seed=1).scales[0]
    said = agreement_said(scale.agreement, "en")
    assert said[0].startswith("2 raters, 1 item: alpha") and said[-1].endswith("(1 answer)")


def test_results_with_and_without_are_told_side_by_side():
    rows = [rating("li", 1, 4), rating("wu", 1, 2)]
    rows += [rating("li", item, 1, kind="gold", expected=5) for item in range(2)]
    assert side_by_side_said(side_by_side(rows, EMPATHY, seed=1), "en") == (
        "a: 3.00 (no interval: 1 item; 20 are needed) with everyone, "
        "2.00 (no interval: 1 item; 20 are needed) without those set aside",
    )
