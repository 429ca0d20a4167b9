"""The number reader and syllables of the published VocalBench-zh evaluator, its mistakes included."""

from __future__ import annotations

import re
from functools import lru_cache

from engine.errors import EngineError
from engine.text.pinyin import toned_syllables

_DIGITS = dict(zip("0123456789", "零一二三四五六七八九", strict=True))
_PLACES = ("", "十", "百", "千", "万", "十", "百", "千", "亿", "十", "百", "千")
NUMBER = re.compile(r"(-?)(\d++)(?:\.(\d++))?")  # \d takes digits of any script, as the original does
NOT_HAN = re.compile("[^\u4e00-\u9fff]+")  # the extensions and 〇 (U+3007) fall away


class PublishedCrash(EngineError):  # noqa: N818 - it stands for the crash of another program
    """The original evaluator stops with a KeyError on this text: a digit that is not ASCII."""


def published_form(text: str) -> str:
    """``text`` as the published evaluator compares it: numbers read by its rules, then Han characters alone.

    Empty when nothing of it is Han or a digit. Raises PublishedCrash for digits outside ASCII (``１``, ``٣``).

    >>> published_form("10月10日"), published_form("110"), published_form("100005"), published_form("Hello")
    ('一月一日', '一百一十', '一零五', '')
    """
    return NOT_HAN.sub("", NUMBER.sub(read_number, text))


def published_syllables(text: str) -> list[str]:
    """The toned syllables (pypinyin's TONE3) of ``published_form(text)``, which the published "PER" compares."""
    return toned_syllables(published_form(text))


def read_number(match: re.Match[str]) -> str:
    """A match of ``NUMBER`` as the published reader says it; raises PublishedCrash for a digit outside ASCII."""
    minus, whole, decimals = match.groups()
    said = "负" if minus else ""
    said += _read_whole(whole)
    if decimals is not None:
        said += "点" + "".join(map(_digit, decimals))
    return said


def _digit(character: str) -> str:
    if character not in _DIGITS:
        raise PublishedCrash("text.published_crash", character=character)
    return _DIGITS[character]


@lru_cache(maxsize=4096)
def _read_whole(digits: str) -> str:
    """Place by place: a run of zeros is one 零, at the end only when it reaches the place of 万; a first 一十 is 一.

    A place above 千亿 has no word and stays bare.
    """
    if digits == "0":
        return "零"
    said: list[str] = []
    for position, character in enumerate(digits):
        place = len(digits) - 1 - position
        digit = _digit(character)
        if character != "0":
            said.append(digit + (_PLACES[place] if place < len(_PLACES) else ""))
        elif (place >= 4 or digits[position + 1 : position + 2] not in ("", "0")) and said[-1:] != ["零"]:
            said.append("零")
    if said and said[0] == "一十":
        said[0] = "一"
    return "".join(said)
