"""Texts made comparable: case, width, script and marks folded, Chinese numerals as digits."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Any

_MARKS = re.compile("[《》〈〉「」『』“”‘’\"'`*_#~\u200b-\u200f\u2060\ufeff·・•‧∙]")
_DIGITS = {**{character: digit for digit, character in enumerate("零一二三四五六七八九")}, "〇": 0, "○": 0, "两": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "亿": 10**8}
_NUMERAL = re.compile(f"[{''.join((*_DIGITS, *_UNITS, *_LARGE))}]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def folded(text: str) -> str:
    """``text`` in lower case, half width and simplified characters, without quotes, book marks, emphasis and ·.

    An apostrophe goes with the quotes; white space becomes one space, sentence marks stay.
    """
    text = _MARKS.sub("", unicodedata.normalize("NFKC", text)).casefold()
    text = _THOUSANDS.sub("", text)
    return re.sub(r"[^\S\n]+", " ", _simplified(text)).strip()


def with_digits(text: str) -> str:
    """``text`` with every Chinese numeral in digits, 一九九八 read digit by digit; a unit without digits stays."""
    return _NUMERAL.sub(lambda match: _value(match[0]), text)


def _value(numeral: str) -> str:
    if all(character in _DIGITS for character in numeral):
        return "".join(str(_DIGITS[character]) for character in numeral)
    if numeral[0] in _LARGE or numeral[0] in "百千":
        return numeral  # the unit of digits before it (5万), or a word
    total = section = digit = 0
    for character in numeral:
        if character in _DIGITS:
            digit = _DIGITS[character]
        elif character in _UNITS:
            section += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            total = (total + section + digit) * _LARGE[character]
            section = digit = 0
    return str(total + section + digit)


def _simplified(text: str) -> str:
    return str(_converter().convert(text)) if re.search("[\u3400-\u9fff]", text) else text


@cache
def _converter() -> Any:
    from opencc import OpenCC

    return OpenCC("t2s")
