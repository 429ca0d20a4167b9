"""The corrected normaliser: what a speaker would say for a written text, with every rule that was applied."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.text.draft import AppliedRule, Draft
from engine.text.fold import fold
from engine.text.latex import say_formulas
from engine.text.markdown import strip_markdown, strip_tags
from engine.text.numbers_en import say_english
from engine.text.numbers_zh import power_words, say_numbers
from engine.text.numerals_zh import EITHER, TWO_ER, TWO_LIANG

_SAID = "零一二三四五六七八九十百千万亿" + EITHER
_BLANKS = re.compile(r"[ ]{2,}|[ ]?\n[ \n]*")
_CHOICE = re.compile(f"[{EITHER}]")
_ZERO = re.compile("〇")
_YAO = re.compile("(?<![零一二三四五六七八九幺])[零一二三四五六七八九幺]{2,}")
_POWER = re.compile(r"(?<=[A-Za-z)）])\^[({]?(-?\d{1,3})[)}]?")
_SQUARE = re.compile("(?<=[A-Za-z)）])[²³]")
_SIGNS = (  # only between operands, where they are said
    ("plus", re.compile(rf"(?<=[{_SAID}A-Za-z)）方])[ ]?\+[ ]?(?=[{_SAID}A-Za-z(（根])"), "加"),
    (
        "minus",
        re.compile(rf"(?<=[{_SAID})）方])[ ]?[-−][ ]?(?=[{_SAID}a-z(（根])|(?<=[A-Za-z])[ ][-−][ ](?=[{_SAID}A-Za-z])"),
        "减",
    ),
    ("times", re.compile(rf"(?<=[{_SAID}A-Za-z)）方])[ ]?[×*·⋅][ ]?(?=[{_SAID}A-Za-z(（根派])"), "乘"),
    ("divided", re.compile(r"[ ]?÷[ ]?"), "除以"),
    ("equals", re.compile(r"(?<=[\w)）%°\ue000\ue001])[ ]?={1,2}[ ]?(?=[\w(（√∞\ue000\ue001-])"), "等于"),
    ("compare", re.compile(r"[ ]?(?:≤|<=)[ ]?"), "小于等于"),
    ("compare", re.compile(r"[ ]?(?:≥|>=)[ ]?"), "大于等于"),
    ("compare", re.compile(r"[ ]?≠[ ]?"), "不等于"),
    ("compare", re.compile(r"[ ]?≈[ ]?"), "约等于"),
    ("compare", re.compile(rf"(?<=[{_SAID}A-Za-z)])[ ]?<[ ]?(?=[{_SAID}A-Za-z(])"), "小于"),
    ("compare", re.compile(rf"(?<=[{_SAID}A-Za-z)])[ ]?>[ ]?(?=[{_SAID}A-Za-z(])"), "大于"),
    ("sign", re.compile("±"), "正负"),
    ("sign", re.compile("√"), "根号"),
    ("sign", re.compile("∞"), "无穷大"),
    ("sign", re.compile("π"), "派"),
    ("sign", re.compile("°"), "度"),
)
_HAS_SIGN = re.compile(r"[+\-−×*·⋅÷=≤≥≠≈<>±√∞π°]")


@dataclass(frozen=True, slots=True)
class SpokenForm:
    """What a speaker would say. ``either`` holds the indices of ``text`` where a 2 may be said 二 or 两.

    ``origin`` says for each character of ``text`` where what it comes from began in the input.
    """

    text: str
    rules: tuple[AppliedRule, ...]
    either: tuple[int, ...] = ()
    origin: Sequence[int] = ()


@lru_cache(maxsize=512)
def spoken_form(text: str, language: str = "zh") -> SpokenForm:
    """What a speaker would say for ``text``, punctuation kept; empty for an empty text, and no text is refused.

    Widths and scripts are folded, Markdown, tags and formulas are said or dropped, numbers are read by what stands
    around them. The time is linear in the length. ``language`` is ``"en"`` for English; all else is read as Chinese.

    >>> spoken_form("**12.5%** 的人在10:30到").text
    '百分之十二点五 的人在十点三十到'
    >>> spoken_form("It's 5%", "en").text
    'it is five percent'
    """
    draft = Draft(text)
    fold(draft)
    say_formulas(draft, language)
    strip_tags(draft)
    strip_markdown(draft)
    if language == "en":
        say_english(draft)
    else:
        _say_chinese(draft)
    draft.rewrite("blank", _BLANKS, lambda match: "\n" if "\n" in match[0] else " ")
    either = tuple(match.start() for match in _CHOICE.finditer(draft.text))
    said = draft.text.replace(TWO_ER, "二").replace(TWO_LIANG, "两")
    lead = len(said) - len(said.lstrip())
    kept = said.strip()
    places = range(lead, lead + len(kept))
    origin = places if draft.origin is None else tuple(draft.origin[lead : lead + len(kept)])
    rules = tuple(map(_readable, draft.rules))
    return SpokenForm(kept, rules, tuple(index - lead for index in either), origin)


def _say_chinese(draft: Draft) -> None:
    draft.rewrite("power", _POWER, lambda match: power_words(match[1]))
    say_numbers(draft)
    draft.rewrite("power", _SQUARE, lambda match: power_words({"²": "2", "³": "3"}[match[0]]))
    if _HAS_SIGN.search(draft.text) is not None:
        for name, pattern, said in _SIGNS:
            draft.rewrite(name, pattern, said)
    draft.rewrite("zero", _ZERO, "零")
    if "幺" in draft.text:
        draft.rewrite("yao", _YAO, lambda match: match[0].replace("幺", "一"))


def _readable(rule: AppliedRule) -> AppliedRule:
    if not _CHOICE.search(rule.after) and not _CHOICE.search(rule.before):
        return rule
    words = str.maketrans({TWO_ER: "二", TWO_LIANG: "两"})
    return AppliedRule(rule.name, rule.before.translate(words), rule.after.translate(words), rule.start, rule.end)
