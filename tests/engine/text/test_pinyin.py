"""Toned syllables equal pypinyin's."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from engine.text.pinyin import syllables_by_character, toned_syllables
from tests.shared import needs_shared, shared_file


def oracle(text: str) -> list[str]:
    from pypinyin import Style, lazy_pinyin

    return list(lazy_pinyin(text, style=Style.TONE3))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "中国人民银行行长",
        "了解了",
        "重庆的重量",
        "Hello，世界 123！",
        "㐀〇𠮷",
        "呣",
        "绿女略",
        "朝阳朝",
        "一不小心",
        "中华",
        "乘风破",
        "一不做，二不休",
        "他一不做",
    ],
)
def test_syllables_are_those_of_pypinyin(text: str) -> None:
    assert toned_syllables(text) == oracle(text)


def test_each_character_has_its_syllable_and_what_is_not_han_stands_for_itself() -> None:
    assert syllables_by_character("重庆, OK") == ["chong2", "qing4", ",", " ", "O", "K"]


def test_a_text_that_ends_inside_a_phrase_is_read_as_pypinyin_reads_it() -> None:
    from pypinyin.constants import PHRASES_DICT

    beginnings = sorted({phrase[:-1] for phrase in PHRASES_DICT if len(phrase) > 3})[::40]
    assert beginnings
    assert [toned_syllables(text) for text in beginnings] == [oracle(text) for text in beginnings]


@needs_shared
def test_syllables_of_the_real_questions_and_answers_are_those_of_pypinyin() -> None:
    texts = list(real_texts())[::23]
    assert len(texts) > 300
    assert [text for text in texts if toned_syllables(text) != oracle(text)] == []


def test_the_dictionaries_are_not_loaded_on_import() -> None:
    code = "import sys, engine.metrics, engine.text.tokens; print('pypinyin' in sys.modules, 'opencc' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == ["False", "False"]


def real_texts() -> list[str]:
    folder = shared_file("vocalbench-zh")
    files = [*sorted((folder / "json").glob("*.json")), *sorted(folder.glob("model_output/*/json_asr/*.json"))]
    records = [record for path in files for record in json.loads(path.read_text(encoding="utf-8"))]
    keys = ("Response", "Response_hyp", "Reference", "Answer", "Question")
    return [text for record in records for key in keys if isinstance(text := record.get(key), str)]
