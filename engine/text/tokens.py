"""The tokens that error rates count: words, characters, a mix of both, toned syllables, phonemes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from engine.errors import EngineError
from engine.text.normalise import spoken_form
from engine.text.pinyin import syllables_by_character, toned_syllables
from engine.text.published import published_form

UNITS = ("word", "character", "mixed", "syllable", "phoneme")
METHODS = ("published", "corrected")

_CJK = "\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_MARKS = (
    "\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e00-\u0eff\u1000-\u109f"  # signs that belong to letters
)
RUN = re.compile(rf"([{_CJK}]+)|((?:[^\W_{_CJK}]|[{_MARKS}])+(?:'(?:[^\W_{_CJK}])+)*)")
_NOT_HAN = re.compile("[\u3040-\u30ff\uac00-\ud7af]")  # of the first: a run of them is one syllable


@dataclass(frozen=True, slots=True)
class Tokens:
    """``items`` in order; at the indices in ``either`` a 2 was read from digits, and 二 and 两 are equally right."""

    items: tuple[str, ...]
    either: frozenset[int] = frozenset()


def supports(unit: str, language: str) -> bool:
    """Whether a unit means something in a language: phonemes are known for Mandarin alone."""
    return unit in UNITS and not (unit == "phoneme" and language == "en")


def tokens_of(text: str, unit: str, language: str = "zh", method: str = "corrected") -> list[str]:
    """The tokens of ``text`` in one ``unit``; empty when nothing of it is spoken.

    ``word`` and ``mixed``: one token per Han character (Chinese writes no word boundaries), one per other word, small
    letters, split at hyphens. ``character``: one per letter or Han character. ``syllable``: toned pinyin, other words
    whole. ``phoneme``: initials and toned finals, other words whole; Mandarin only.

    Raises EngineError for an unknown unit or method, or for phonemes of English; PublishedCrash where the published
    evaluator crashes.

    >>> tokens_of("用GPT-4o答2题", "mixed")
    ['用', 'gpt', '四', 'o', '答', '二', '题']
    >>> tokens_of("第10名", "syllable")
    ['di4', 'shi2', 'ming2']
    """
    items = token_sequence(text, unit, language, method).items
    return phonemes_of(items) if unit == "phoneme" else list(items)


def token_sequence(text: str, unit: str, language: str = "zh", method: str = "corrected") -> Tokens:
    """As ``tokens_of``, with the places where 二 and 两 are equally right; for ``phoneme`` still syllables."""
    if unit not in UNITS or method not in METHODS:
        raise EngineError("text.unknown_unit", unit=unit, method=method)
    if not supports(unit, language):
        raise EngineError("text.unit_without_language", unit=unit, spoken=language)
    if method == "published":
        form = published_form(text)
        return Tokens(tuple(toned_syllables(form) if unit in ("syllable", "phoneme") else form))
    return _corrected(text, unit, language)


def comparable_form(text: str) -> str:
    """``text`` without blanks and punctuation, letters as they are: what of a spoken form is compared."""
    return "".join(match[0] for match in RUN.finditer(text))


def phonemes_of(syllables: list[str] | tuple[str, ...]) -> list[str]:
    """Initials and toned finals of toned syllables: ``["zhong1", "ai4"]`` as zh ong1 ai4; other tokens stay whole."""
    return [phoneme for syllable in syllables for phoneme in _split(syllable)]


@lru_cache(maxsize=256)
def _corrected(text: str, unit: str, language: str) -> Tokens:
    form = spoken_form(text, language)
    choices = frozenset(form.either)
    items: list[str] = []
    either: set[int] = set()
    is_sounded = unit in ("syllable", "phoneme")
    whole = syllables_by_character(form.text) if is_sounded else form.text
    has_kana = is_sounded and _NOT_HAN.search(form.text) is not None
    for match in RUN.finditer(form.text):
        han, word = match.groups()
        if word is not None:
            word = word.lower().replace("'", "")
            items += word if unit == "character" else [word]
            continue
        said = toned_syllables(han) if has_kana else whole[match.start() : match.end()]
        if choices and len(said) == len(han):
            places = range(match.start(), match.end())
            either.update(len(items) + place - match.start() for place in places if place in choices)
        items += said
    return Tokens(tuple(items), frozenset(either))


@lru_cache(maxsize=4096)
def _split(syllable: str) -> tuple[str, ...]:
    from pypinyin.contrib.tone_convert import to_finals_tone3, to_initials

    if not re.fullmatch(r"[a-zêü]{1,6}[1-4]?", syllable) or not (final := to_finals_tone3(syllable)):
        return (syllable,)
    initial = to_initials(syllable)
    return (initial, final) if initial else (final,)
