"""The words of the owner's pages: one for one thing, and no two controls of one name."""

from __future__ import annotations

import re
import tomllib

import pytest
from PySide6.QtWidgets import QAbstractButton

from gui.strings import words
from tests.engine.test_strings import STRINGS


def sentences(language):
    return list(_leaves(tomllib.loads((STRINGS / language / "rate_owner.toml").read_text(encoding="utf-8"))))


def _leaves(table):
    for value in table.values():
        if isinstance(value, dict):
            yield from _leaves(value)
        else:
            yield value


@pytest.mark.parametrize("other", ["管理者", "方案", "揭盲", "(?<!评分)任务", "评审者"])
def test_chinese_has_one_word_for_one_thing(other):
    assert [said for said in sentences("zh") if re.search(other, said)] == []


@pytest.mark.parametrize("other", [r"\bstud(y|ies)\b", r"\bby twos\b", r"\breckoned\b", r"^Owner$"])
def test_english_has_one_word_for_one_thing(other):
    assert [said for said in sentences("en") if re.search(other, said)] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_two_controls_of_the_bar_are_of_one_name(owner, answered, study_of_all, open_here, language):
    study_of_all()
    open_here(answered.folder)
    owner.wait(lambda: owner.model.study is not None)
    owner.rest()
    words.use(language)
    names = [button.text() for button in owner.screen.bar.findChildren(QAbstractButton) if button.isVisible()]
    assert len(names) >= 6
    assert len(set(names)) == len(names)
