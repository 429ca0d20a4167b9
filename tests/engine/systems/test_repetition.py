"""An answer that got stuck is told from one that repeats itself on purpose."""

import pytest

from engine.systems.repetition import is_repetition_loop


@pytest.mark.parametrize(
    "text",
    [
        "它很有名。" * 40,
        "寺院在嵩山。" + "是的，" * 50,
        "a" * 200,
        "The temple " + "is the temple that " * 20,
        "第一，" + "好" * 100,
    ],
)
def test_the_same_words_to_the_end_are_a_loop(text):
    assert is_repetition_loop(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "少林寺。",
        "哈哈哈哈哈哈哈哈",
        "一二三四五六七八九十" * 3,
        "它很有名。" * 40 + "所以我去了少林寺，在那里住了很久，学会了很多。" * 1 + "再见。",
    ],
)
def test_other_answers_are_none(text):
    assert not is_repetition_loop(text)
