"""Passages planted in known texts are found and named; a recogniser's slips are not."""

from __future__ import annotations

import json
import random

import pytest

from engine.metrics.mismatch import Mismatch, mismatches
from tests.shared import needs_shared, shared_file

ZH = [
    "少林寺位于河南省登封市嵩山少室山北麓，",
    "始建于北魏太和十九年，",
    "是汉传佛教禅宗的祖庭之一。",
    "因其与武术的深厚渊源，被誉为天下第一名刹。",
    "少林功夫融合了佛教禅修与武术技艺，",
    "通过习武来修心养性，达到身心合一的境界。",
]
EN = [
    "The old library stands on the corner of a quiet street. ",
    "It was built by a merchant who loved rare maps. ",
    "Every morning the keeper opens nine heavy wooden doors. ",
    "Visitors may read anything except the letters upstairs. ",
    "Those belong to a family that moved away long ago. ",
]
OTHER = {
    "zh": "明天早上记得带雨伞出门，超市里的西红柿又便宜又新鲜。",
    "en": "Please remember to buy seven ripe tomatoes before our train departs tomorrow. ",
}
TEXTS = {"zh": ZH, "en": EN}
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])


def found(reference: str, hypothesis: str, language: str) -> Mismatch:
    passages = mismatches(reference, hypothesis, language)
    assert len(passages) == 1, passages
    return passages[0]


@LANGUAGES
def test_a_text_that_is_said_as_written_has_none(language: str) -> None:
    whole = "".join(TEXTS[language])
    assert mismatches(whole, whole, language) == ()


@LANGUAGES
def test_a_sentence_left_out_is_an_omission(language: str) -> None:
    parts = TEXTS[language]
    passage = found("".join(parts), "".join(parts[:2] + parts[3:]), language)
    assert passage.kind == "omission"
    assert passage.text[:5].lower() == parts[2][:5].lower()


@LANGUAGES
def test_a_missing_end_is_a_truncation(language: str) -> None:
    parts = TEXTS[language]
    passage = found("".join(parts), "".join(parts[:3]), language)
    assert passage.kind == "truncation"
    assert passage.text[:5].lower() == parts[3][:5].lower()


@LANGUAGES
@pytest.mark.parametrize("times", [2, 3, 6])
def test_a_sentence_said_again_is_a_repetition_with_its_count(language: str, times: int) -> None:
    parts = TEXTS[language]
    passage = found("".join(parts), "".join(parts[:2] + parts[2:3] * times + parts[3:]), language)
    assert (passage.kind, passage.count) == ("repetition", times)


@LANGUAGES
def test_an_end_that_loops_is_a_repetition_not_an_insertion(language: str) -> None:
    parts = TEXTS[language]
    passage = found("".join(parts), "".join(parts + parts[-1:] * 4), language)
    assert (passage.kind, passage.count) == ("repetition", 5)


def test_one_syllable_that_sticks_is_a_repetition() -> None:
    passage = found("我觉得很好吃", "我我我我我我觉得很好吃", "zh")
    assert (passage.kind, passage.count, passage.text) == ("repetition", 6, "我")


def test_what_the_text_itself_repeats_is_none() -> None:
    assert mismatches("恭喜发财" * 4, "恭喜发财" * 4) == ()


@LANGUAGES
def test_a_passage_from_elsewhere_is_an_insertion(language: str) -> None:
    parts = TEXTS[language]
    passage = found("".join(parts), "".join([*parts[:3], OTHER[language], *parts[3:]]), language)
    assert passage.kind == "insertion"
    assert passage.text[:5].lower() == OTHER[language][:5].lower()


@LANGUAGES
def test_a_text_about_something_else_is_unrelated(language: str) -> None:
    parts = TEXTS[language]
    assert found("".join(parts[:2]), OTHER[language], language).kind == "unrelated"
    assert found(OTHER[language], "".join(parts[2:]), language).kind == "unrelated"


def test_a_passage_replaced_by_another_is_unrelated_at_its_place() -> None:
    passage = found("".join(ZH), "".join(ZH[:2]) + OTHER["zh"] + "".join(ZH[4:]), "zh")
    assert passage.kind == "unrelated"
    assert passage.start > 20


def test_an_omission_and_a_loop_in_one_text_are_both_found() -> None:
    heard = "".join([ZH[0], ZH[2], ZH[3], ZH[4], ZH[4], ZH[5]])
    assert [passage.kind for passage in mismatches("".join(ZH), heard)] == ["omission", "repetition"]


def test_silence_is_one_omission_and_words_for_no_text_are_an_insertion() -> None:
    assert found("好的", "", "zh") == Mismatch("omission", 0, 2, 1, "好的")
    assert found("", "感谢您的收看", "zh").kind == "insertion"
    assert mismatches("", "") == ()
    assert mismatches("……", "嗯") == ()


def test_homophones_and_digits_are_no_mismatch() -> None:
    assert mismatches("他在2024年买了12本书，价格50%的折扣", "她再二零二四年卖了十二本输，价格百分之五十的折扣") == ()


@LANGUAGES
@pytest.mark.parametrize("seed", range(40))
def test_scattered_slips_of_a_recogniser_are_no_mismatch(language: str, seed: int) -> None:
    chance = random.Random(seed)
    units = [*"".join(TEXTS[language])] if language == "zh" else "".join(TEXTS[language]).split()
    others = [*OTHER[language]] if language == "zh" else OTHER[language].split()
    heard = []
    for unit in units:
        slip = chance.random()
        heard += [chance.choice(others)] if slip < 0.12 else [] if slip < 0.15 else [unit]
        if slip > 0.97:
            heard.append(chance.choice(others))
    joiner = "" if language == "zh" else " "
    assert mismatches(joiner.join(units), joiner.join(heard), language) == ()


@needs_shared
def test_the_shipped_answers_hold_nothing_but_the_invented_thanks() -> None:
    path = shared_file("vocalbench-zh/model_output/qwen3-omni/json_asr/chinese_knowledge.json")
    answers = json.loads(path.read_text(encoding="utf-8"))
    passages = [p for answer in answers for p in mismatches(answer["Response"], answer["Response_hyp"])]
    assert [(passage.kind, passage.text) for passage in passages] == [("insertion", "谢谢大家")]
