"""Names of systems and vendors are found however they are written or heard, and common words are left alone."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from engine.rating.leaks.names import load_names, toneless
from engine.rating.leaks.said import names_said
from engine.shipped import shipped
from engine.store.blind_answers import BlindAnswer
from engine.systems.declaration import TRIAL_KINDS, load_systems
from tests.shared import SHARED, needs_shared


def said(text, *, asked="", transcript=None, words=(), systems=()):
    answer = BlindAnswer(1, "uid", 1, 1, "zh", asked, text, transcript, tuple(words), None, "")
    return names_said(answer, systems)


def names(text, **more):
    return [found.name for found in said(text, **more)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我是通义千问，由阿里云开发的大语言模型。", ["通义千问", "阿里云"]),
        ("我是Qwen，我是阿里雲開發的。", ["Qwen", "阿里云"]),  # Traditional
        ("我是ＱＷＥＮ２．５", ["Qwen"]),  # full width
        ("我 是 通 义 千 问", ["通义千问"]),  # as some recognisers write
        ("Wo shi tong yi qian wen.", ["通义千问"]),
        ("My name is Tongyi-Qianwen.", ["Tongyi Qianwen"]),
        ("wǒ shì qiānwèn", ["千问"]),
        ("I'm q w e n, created by alibaba cloud.", ["Qwen", "Alibaba Cloud"]),
        ("我是智谱清言，是智谱AI训练的助手。", ["智谱清言", "智谱"]),
        ("我是阶跃星辰的跃问。", ["阶跃星辰", "跃问"]),
        ("我是面壁智能开发的 MiniCPM-o", ["面壁智能", "Mini CPM o"]),
        ("我叫Kimi，是月之暗面科技有限公司训练的。", ["Kimi", "月之暗面"]),
        ("我是小米公司开发的MiMo。", ["小米", "MiMo"]),
        ("我是百川智能训练的大模型。", ["百川智能"]),
        ("我是由 OpenAI 训练的 ChatGPT。", ["Open AI", "Chat GPT"]),
        ("I am Step-Audio, made by StepFun.", ["Step Audio", "Step Fun"]),
        ("I am a large language model, trained by Google.", ["Google"]),
        ("你好，我是你的语音助手，小爱同学！", ["小爱同学"]),
    ],
)
def test_a_name_is_found_as_it_is_written(text, found):
    assert names(text) == found


@pytest.mark.parametrize(
    ("heard", "stands_for"),
    [
        ("我是统一千问，很高兴认识你", "通义千问"),
        ("同意千问是一个模型", "通义千问"),  # four syllables: nothing else sounds so
        ("我是前问", "千问"),
        ("大家好我叫起米", "Kimi"),
        ("我是质朴清言", "GLM 4"),
        ("I'm Quen, how can I help?", "Qwen"),
        ("我是迷你CPM", "Mini CPM"),
    ],
)
def test_what_only_sounds_like_a_name_is_found_where_an_answer_speaks_of_itself(heard, stands_for):
    (found,) = said(None, transcript=heard)
    assert found.name == stands_for
    assert found.by_sound
    assert found.where == "transcript"


@pytest.mark.parametrize(
    "text",
    [
        "前文提到，这条河流经三个省。",  # 千问
        "小米粥养胃，可以早上喝。",
        "海纳百川，有容乃大。",
        "《文心雕龙》的作者是刘勰。",
        "他面壁思过了三天。",
        "吃一个豆包就够了。",
        "阿里巴巴与四十大盗是个民间故事。",
        "谷歌和微软都是美国公司。",
        "一千问一万问也问不完。",
        "我是中国人，喜欢小米。",
        "我是说，小米比大米耐放。",
        "作为一个人工智能助手，我无法提供家庭地址。",
        "Kimi Räikkönen won in Spa.",
        "Take it step by step, whisper, and hold the llama.",
        "I'm sorry, Google is closed today.",
        "Phi is a Greek letter, and gamma is another.",
        "Eat some salmon and granite is a stone.",
        "",
    ],
)
def test_common_words_raise_no_alarm(text):
    assert names(text) == []


@needs_shared
def test_no_name_is_seen_in_the_questions_and_references_of_the_benchmark():
    folder = SHARED / "vocalbench-zh" / "json"
    lines = [
        entry[key]
        for path in sorted(folder.glob("*.json"))
        if path.stem not in ("robust", "multi_round")
        for entry in json.loads(path.read_text(encoding="utf-8"))
        for key in ("Question", "Answer")
        if isinstance(entry.get(key), str)
    ]
    assert len(lines) > 5000
    alarms = [(line, names(line)) for line in lines if names(line)]
    assert [found for _, found in alarms] == [["GPT 4"]]  # an answer that gives it as an example


def test_a_name_that_the_question_has_counts_only_where_the_answer_speaks_of_itself():
    asked = "通义千问是谁开发的？"
    assert names("通义千问是一家杭州公司开发的。", asked=asked) == []
    assert names("我是通义千问，是在杭州开发的。", asked=asked) == ["通义千问"]


def test_the_place_is_that_of_the_text_as_it_was_written():
    text = "您好！我是 Ｑｗｅｎ。"
    (found,) = said(text)
    assert text[found.start : found.end] == found.said == "Ｑｗｅｎ"
    assert (found.start_s, found.end_s) == (None, None)


def test_where_word_times_exist_the_name_has_its_seconds():
    words = [("你好，", 0.0, 0.4), ("我是", 0.5, 0.8), ("通义", 0.9, 1.2), ("千问", 1.2, 1.6), ("啊。", 1.6, 1.8)]
    (found,) = said(None, transcript="你好， 我是通义千问啊。", words=words)
    assert (found.said, found.start_s, found.end_s) == ("通义千问", 0.9, 1.6)


def test_times_of_other_words_are_not_made_up():
    (found,) = said(None, transcript="我是通义千问", words=[("我是谁", 0.0, 0.4)])
    assert found.start_s is None


def test_the_longer_of_two_names_that_overlap_is_told_once():
    assert names("我是面壁智能开发的模型") == ["面壁智能"]  # not also 面壁


def test_a_system_that_only_the_store_knows_is_looked_for_by_its_name_there():
    systems = ("my-model-7b", "s", "careful")
    assert names("This is My Model 7B speaking.", systems=systems) == ["my-model-7b"]
    assert names("Be careful with s.", systems=systems) == []
    assert names("I am Careful.", systems=systems) == ["careful"]


def test_every_system_that_is_declared_has_its_names():
    served = {system for file in load_names().values() for system in file.systems}
    declared = {key for key, system in load_systems().items() if system.kind not in TRIAL_KINDS}
    assert declared <= served
    assert served <= declared


def test_declared_pinyin_is_that_of_the_characters():
    for path in shipped("names").glob("*.toml"):
        for name in tomllib.loads(path.read_text(encoding="utf-8")).get("name", []):
            for written, pinyin in zip(name.get("zh", []), name.get("pinyin", []), strict=True):
                assert " ".join(toneless(written)) == pinyin, path.name
                assert re.fullmatch("[a-zü ]+", pinyin)
