"""Folds what looks different and sounds alike: widths, odd digits, invisible characters, Traditional script."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from engine.text.draft import Draft
from engine.text.script import opencc_table

# Everything but printable ASCII, line ends, unified Han and the punctuation that is kept as it is.
_UNUSUAL = re.compile("[^\n\x20-\x7e\u4e00-\u9fff，。！？、；：“”‘’（）《》【】…—·]+")
_ACCENTED = re.compile("[^\u0300-\u036f][\u0300-\u036f]{1,8}")  # bounded: NFC sorts long runs in quadratic time
_KEPT = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞²³⁰¹⁴⁵⁶⁷⁸⁹⁻㎡㎥℃℉，。！？、；：（）…"  # said by later rules, or punctuation
_DROPPED = {"Cf", "Co", "Cs", "Cn", "Me"}  # format characters, private use, surrogates, unassigned, keycap frames
_SELECTORS = range(0xFE00, 0xFE10)


def fold(draft: Draft) -> None:
    """Full width and digits of every script to ASCII, Traditional to Simplified; no control or format characters."""
    draft.rewrite("accent", _ACCENTED, lambda match: unicodedata.normalize("NFC", match[0]))
    draft.rewrite("width", _UNUSUAL, lambda match: "".join(map(_folded, match[0])))
    _fold_script(draft)


@lru_cache(maxsize=4096)
def _folded(character: str) -> str:
    category = unicodedata.category(character)
    if character in _KEPT or character == "\n":
        return character
    if category in _DROPPED or ord(character) in _SELECTORS:
        return ""
    if category == "Cc" or category.startswith("Z"):
        return "\n" if character in "\r\x0b\x0c\x85\u2028\u2029" else " "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    return unicodedata.normalize("NFKC", character)


def _fold_script(draft: Draft) -> None:
    """Traditional to Simplified by OpenCC's own tables, the longest phrase first."""
    if not _traditional_characters().intersection(draft.text):
        return
    draft.apply(list(_script_changes(draft.text)))


def _script_changes(text: str) -> list[tuple[int, int, str, str]]:
    characters, phrases, lengths = _script_tables()
    changes = []
    position = 0
    while position < len(text):
        for length in lengths.get(text[position : position + 2], ()):
            after = phrases.get(text[position : position + length])
            if after is not None:
                break
        else:
            length, after = 1, characters.get(text[position], text[position])
        if after != text[position : position + length]:
            changes.append((position, position + length, after, "script"))
        position += length
    return changes


@cache
def _traditional_characters() -> frozenset[str]:
    return frozenset(_script_tables()[0])


@cache
def _script_tables() -> tuple[dict[str, str], dict[str, str], dict[str, tuple[int, ...]]]:
    characters = {key: value for key, value in opencc_table("TSCharacters").items() if key != value}
    phrases = opencc_table("TSPhrases")
    lengths: dict[str, set[int]] = {}
    for phrase in phrases:
        lengths.setdefault(phrase[:2], set()).add(len(phrase))
    return characters, phrases, {start: tuple(sorted(found, reverse=True)) for start, found in lengths.items()}
