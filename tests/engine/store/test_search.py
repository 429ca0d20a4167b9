"""Search finds one and two characters, words in any case, and either script."""

from __future__ import annotations

import pytest

from engine.store.search import bigrams, find_responses, match_query, replace_in_index

TEXTS = {
    1: ("以武术闻名的佛教寺院是哪个？", "少林寺。", "少林寺"),
    2: ("Who plays?", "The Shaolin Monks", None),
    3: ("问题", "前\x00后", None),
    4: ("问题", "臺灣的ＡＩ研究", None),
    5: ("问题", "`code` $x^2$ <b>粗</b> 少年", None),
}


@pytest.fixture
def db(workspace):
    db = workspace.connect()
    replace_in_index(db, [], list(TEXTS.items()))
    return db


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("少林", [1]),
        ("少林寺", [1]),
        ("林少", []),
        ("少", [1, 5]),
        ("后", [3]),
        ("寺", [1]),
        ("粗", [5]),
        ("shaolin", [2]),
        ("SHAOLIN monks", [2]),
        ("台湾", [4]),
        ("臺灣", [4]),
        ("ai", [4]),
        ("武术 少林", [1]),
        ("", []),
        ("！？", []),
        ('"; DROP', []),
    ],
)
def test_words_are_found(db, words, found):
    assert find_responses(db, words) == found


def test_a_replaced_text_is_no_longer_found_by_its_old_words(db):
    replace_in_index(db, [(1, TEXTS[1])], [(1, ("问题", "武当", "武当"))])
    assert find_responses(db, "少林") == []
    assert find_responses(db, "武当") == [1]


def test_bigrams_overlap_and_the_last_character_stands_alone():
    assert bigrams("少林寺") == "少林 林寺 寺"
    assert bigrams(None) == ""


def test_a_query_is_quoted_so_that_nothing_in_it_is_an_operator():
    assert match_query('NOT "a" OR *') == '"not" AND "a" AND "or"'
