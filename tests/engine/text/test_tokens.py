"""Tokens of every unit."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from engine.strings import LANGUAGES
from engine.text.tokens import METHODS, UNITS, phonemes_of, tokens_of


def test_a_mixed_text_has_one_token_per_han_character_and_per_word() -> None:
    tokens = tokens_of("请解释Transformer中的self-attention机制", "mixed")
    assert tokens == ["请", "解", "释", "transformer", "中", "的", "self", "attention", "机", "制"]


def test_characters_are_letters_and_han_without_blanks_and_punctuation() -> None:
    assert tokens_of("好， A b。", "character") == ["好", "a", "b"]


def test_english_words_are_small_and_keep_a_genitive_as_one_word() -> None:
    assert tokens_of("John's well-known CAT", "word", "en") == ["johns", "well", "known", "cat"]


def test_syllables_keep_latin_words_whole() -> None:
    assert tokens_of("用GPU跑10次", "syllable") == ["yong4", "gpu", "pao3", "shi2", "ci4"]


def test_phonemes_are_initials_and_toned_finals() -> None:
    assert tokens_of("中爱GPU", "phoneme") == ["zh", "ong1", "ai4", "gpu"]
    assert phonemes_of(["yu2", "wo3", "nv3", "er4"]) == ["v2", "uo3", "n", "v3", "er4"]


def test_the_published_method_reads_with_the_published_reader() -> None:
    assert tokens_of("共10页A", "syllable", method="published") == ["gong4", "yi1", "ye4"]
    assert tokens_of("共10页A", "character", method="published") == ["共", "一", "页"]


@pytest.mark.parametrize("text", ["", " \n", "……！", "😀"])
def test_nothing_spoken_has_no_tokens(text: str) -> None:
    assert all(tokens_of(text, unit) == [] for unit in UNITS)


def test_phonemes_of_english_are_refused_with_a_reason() -> None:
    with pytest.raises(EngineError) as refusal:
        tokens_of("hello", "phoneme", "en")
    assert refusal.value.code == "text.unit_without_language"
    assert all("phoneme" in refusal.value.sentence(language) for language in LANGUAGES)


@pytest.mark.parametrize(("unit", "method"), [("letters", METHODS[0]), ("word", "best")])
def test_an_unknown_unit_or_method_is_named(unit: str, method: str) -> None:
    with pytest.raises(EngineError) as refusal:
        tokens_of("好", unit, method=method)
    assert refusal.value.code == "text.unknown_unit"
    assert all(unit in refusal.value.sentence(language) for language in LANGUAGES)


def test_other_scripts_are_words_too() -> None:
    assert tokens_of("שלום мир ไทย 안녕", "mixed") == ["שלום", "мир", "ไทย", "안", "녕"]
