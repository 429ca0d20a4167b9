"""Text to the phonemes that Kokoro speaks: Mandarin by pinyin, English by misaki's dictionary, mixed text by script."""

from __future__ import annotations

import importlib
import logging
import re
import warnings
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

from engine.errors import EngineError
from engine.speech.english_numbers import number_words
from engine.speech.english_words import VOWELS, english_word
from engine.speech.packages import install_misaki

_RUNS = re.compile(r"([一-鿿㐀-䶿]+)|([A-Za-z]+(?:['’][A-Za-z]+)?)|(\d+(?:,\d{3})*(?:\.\d+)?)|(\s+)|(.)", re.DOTALL)
_MARKS = {"，": ", ", "、": ", ", "。": ". ", "！": "! ", "？": "? ", "：": ": ", "；": "; ", "—": "—", "…": "…",
          "（": " (", "）": ") ", "《": " “", "》": "” ", "「": " “", "」": "” ", "“": " “", "”": "” "}  # fmt: skip
_PLAIN_MARKS = frozenset(';:,.!?"()')


def phonemes(text: str, language: str) -> str:
    """``text`` as Kokoro's phonemes; "" when nothing in it can be said.

    Han characters become pinyin with tone sandhi and Latin words their dictionary form in either language;
    ``language`` (``"zh"`` or ``"en"``) decides how digits are read. An English word that no dictionary has is spelled
    out. Raises EngineError ``speech_synthesis.package_missing``.
    """
    pieces = [*_pieces(_digits_in_chinese(text) if language == "zh" else text), ""]
    said = "".join(_linked(piece, following) for piece, following in pairwise(pieces))
    return re.sub(r"\s+(?=[,.!?;:])", "", re.sub(r"\s+", " ", said)).strip()


def _pieces(text: str) -> Iterator[str]:
    for han, word, number, space, mark in _RUNS.findall(text):
        if han:
            yield _mandarin(han)
        elif word or number:
            for each in [word] if word else number_words(number).split():
                yield f" {english_word(each)} "
        elif not space:
            yield _MARKS.get(mark, mark if mark in _PLAIN_MARKS else " ")


def _linked(piece: str, following: str) -> str:
    """The article "the" and the word "to" sound by what follows; every other piece stays."""
    before_vowel = following.strip(" ˈˌ")[:1] in VOWELS if following.strip() else False
    weak = {" the ": (" ðə ", " ði "), " to ": (" tə ", " tʊ ")}.get(piece)
    return weak[before_vowel] if weak else piece


def _mandarin(text: str) -> str:
    jieba, lazy_pinyin, style, to_ipa = _mandarin_tools()
    words = jieba.lcut(text, cut_all=False)
    read = (lazy_pinyin(word, style=style, neutral_tone_with_five=True, tone_sandhi=True) for word in words)
    said = " ".join("".join(to_ipa(syllable) for syllable in syllables) for syllables in read)
    return said.replace("\u032f", "")  # a combining mark that Kokoro's phoneme table lacks


def _digits_in_chinese(text: str) -> str:
    if not re.search(r"\d", text):
        return text
    _mandarin_tools()
    import cn2an

    return str(cn2an.transform(text, "an2cn"))


@cache
def _mandarin_tools() -> tuple[Any, Any, Any, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # jieba 0.42.1 has invalid escapes in its source
            import cn2an  # noqa: F401
            from misaki.zh import ZHG2P
            from pypinyin import Style, lazy_pinyin

            jieba: Any = importlib.import_module("jieba")
    except ImportError as error:
        raise EngineError("speech_synthesis.package_missing", package=error.name, command=install_misaki()) from error
    jieba.setLogLevel(logging.WARNING)
    return jieba, lazy_pinyin, Style.TONE3, ZHG2P.py2ipa
