from __future__ import annotations

import json

import pytest

from engine.judges.folding import folded, with_digits
from engine.judges.match import corrected_match, published_code_switch_match, published_match
from tests.shared import needs_shared, shared_file


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        ("绝对不是少林，而是武当", "少林"),
        ("155个，共15", "5"),
        ("The pigeon", "pig"),
        ("piglet pigment", "pig"),
        ("I am tired", "red"),
        ("a combat plane", "bat"),
        ("我不知道许润三是谁", "三"),
    ],
)
def test_the_published_rule_takes_any_substring_and_the_corrected_one_does_not(response: str, reference: str):
    assert published_match(response, reference).verdict == "correct"
    assert not corrected_match(response, reference).decided


@pytest.mark.parametrize(("response", "answer"), [("T恤衫", "拉塞尔·T·戴维斯"), ("在范围之内", "迪克·范·戴克")])
def test_the_published_code_switch_rule_takes_any_part_of_a_name(response: str, answer: str):
    assert published_code_switch_match(response, answer, "nobody").verdict == "correct"
    assert not corrected_match(response, answer).decided


def test_the_published_code_switch_rule_takes_the_english_answer_in_any_case():
    assert published_code_switch_match("it is SALT LAKE CITY", "盐湖城", "Salt Lake City").decided
    assert not published_code_switch_match("it is Denver", "盐湖城", "Salt Lake City").decided


def test_the_published_rule_minds_case_and_decides_nothing_when_the_answer_is_absent():
    assert not published_match("The pig", "Pig").decided
    assert published_match("武当", "少林").verdict is None


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        ("是少林寺。", "少林"),
        ("少林", "少林"),
        ("不是武当，而是少林。", "少林"),
        ("这个问题很好。答案是少林。", "少林"),
        ("答案是12个。", "十二"),
        ("答案是十二。", "12"),
        ("共5个。", "5"),
        ("是一九四九年。", "1949年"),
        ("有两千人。", "2000"),
        ("有1,234人。", "1234"),
        ("它出自紅樓夢。", "《红楼梦》"),
        ("是Ｓｈａｋｅｓｐｅａｒｅ。", "shakespeare"),
        ("It is a **pig**.", "Pig"),
        ("是拉塞尔戴维斯", "拉塞尔·戴维斯"),
    ],
)
def test_a_plainly_stated_answer_needs_no_judge(response: str, reference: str):
    assert corrected_match(response, reference).verdict == "correct"


@pytest.mark.parametrize(
    ("response", "reference", "rule"),
    [
        ("绝对不是少林，而是武当", "少林", "doubtful"),
        ("少林不对，应该是武当", "少林", "doubtful"),
        ("少林。不对，是武当。", "少林", "doubtful"),
        ("有人说是少林，但这是错的", "少林", "doubtful"),
        ("可能是少林吧", "少林", "doubtful"),
        ("少林、武当都算", "少林", "doubtful"),
        ("是少林？", "少林", "doubtful"),
        ("It isn't a pig.", "Pig", "doubtful"),
        ("武当派。少林是另一座寺。", "少林", "in_passing"),
        ("我不知道，少林寺我没去过", "少林", "unknowing"),
        ("是王三。", "三", "single_character"),
        ("有5个或6个", "5", "other_numbers"),
        ("5万", "5", "absent"),
        ("5.3", "5", "absent"),
        ("十三体", "三体", "absent"),
        ("第三体育馆", "三体", "absent"),
        ("", "少林", "empty"),
        ("少林", "", "empty"),
    ],
)
def test_what_is_doubtful_goes_to_the_judge(response: str, reference: str, rule: str):
    match = corrected_match(response, reference)
    assert (match.decided, match.verdict, match.rule) == (False, None, rule)


def test_an_answer_that_the_question_holds_goes_to_the_judge():
    match = corrected_match("许润三是国医大师。", "许润三", "许润三是谁？")
    assert (match.decided, match.rule) == (False, "in_question")


def test_chinese_numerals_read_by_value_and_digit_by_digit():
    said = ["十", "十二", "二十", "一百零五", "两千", "三万五千", "一亿", "一九九八", "二〇二四", "5万"]
    assert [with_digits(text) for text in said] == [
        "10", "12", "20", "105", "2000", "35000", "100000000", "1998", "2024", "5万",
    ]  # fmt: skip


def test_folding_takes_off_marks_widths_script_and_case():
    assert folded("《紅樓夢》 “ＡＢＣ” **Bold** 1,234") == "红楼梦 abc bold 1234"


@needs_shared
def test_nine_of_the_ten_shipped_answers_are_matched_by_the_published_rule_and_none_wrongly_by_the_corrected():
    folder = shared_file("vocalbench-zh")
    records = json.loads((folder / "json/chinese_knowledge.json").read_text(encoding="utf-8"))
    asked = {record["Qid"]: record for record in records}
    results = json.loads((folder / "model_output/qwen3-omni/result/chinese_knowledge.json").read_text(encoding="utf-8"))
    published = [published_match(row["Response"], asked[row["Qid"]]["Answer"]).decided for row in results]
    corrected = [
        corrected_match(row["Response"], asked[row["Qid"]]["Answer"], asked[row["Qid"]]["Question"]).decided
        for row in results
    ]
    assert sum(published) == 9
    assert all(row["Correct"] for row, decided in zip(results, published, strict=True) if decided)
    assert sum(corrected) >= 5
    assert all(row["Correct"] for row, decided in zip(results, corrected, strict=True) if decided)


@needs_shared
def test_the_thirty_answers_that_their_question_holds_are_never_decided():
    undecided = 0
    for name in ("chinese_knowledge", "foreign_knowledge", "general_knowledge"):
        path = shared_file(f"vocalbench-zh/json/{name}.json")
        for record in json.loads(path.read_text(encoding="utf-8")):
            if record["Answer"] in record["Question"]:
                undecided += 1
                echo = f"我想想，{record['Question']}"
                assert not corrected_match(echo, record["Answer"], record["Question"]).decided
    assert undecided == 30
