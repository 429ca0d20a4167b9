"""Says the numbers of a Chinese text: shares, money, units, names and quantities, after telephones and the calendar."""

from __future__ import annotations

import re

from engine.text import calendar_zh
from engine.text.calendar_zh import DASH, RATIO_BEFORE
from engine.text.draft import Draft
from engine.text.numerals_zh import cardinal, counted, decimal, digit_by_digit, settled
from engine.text.scan import NUMBER, RuleBook, after, before, read_numbers
from engine.text.units import ZH_CURRENCIES, ZH_UNITS, alternatives

_BEGINS = re.compile(rf"(?:{alternatives(dict(ZH_CURRENCIES))})?[-−–+~]?\.?\d|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞]")
_UNIT = f"(?:{alternatives(dict(ZH_UNITS))})(?![A-Za-z0-9²³])"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_VULGAR = dict(
    zip(
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞",
        ["12", "13", "23", "14", "34", "15", "25", "35", "45", "16", "18", "38", "58", "78"],
        strict=True,
    )
)

_NO_LIANG_BEFORE = re.compile(r"(?:[第初周零点负之]|星期|礼拜|大学|No\.|[A-Za-z][-_ ]?)$")
_NO_LIANG_AFTER = re.compile(r"[ ]?(?:月|日|号|楼|班|级|年级|等|线|型|比|分之|次方|进制|[A-Za-z])")
_MEASURES = re.compile(
    r"[ ]?(?:[点个位只条张本天年次种块元斤倍名家部台座间套件份句段遍杯瓶碗双对群艘架辆棵颗人岁米吨克升秒]"
    r"|小时|分钟|公[斤里分]|千[克米]|周|星期)"
)

_SCALES = {"K": "千", "thousand": "千", "M": "百万", "million": "百万", "B": "十亿", "billion": "十亿"}

BOOK = RuleBook()


def say_numbers(draft: Draft) -> None:
    """Every number of the draft as a Mandarin speaker says it; marks stand where 二 and 两 are equally right."""
    read_numbers(draft, _BEGINS, [*calendar_zh.BOOK.rules, *BOOK.rules])


@BOOK.rule("percent", rf"(?<![A-Za-z\d])([-−])?({NUMBER})[ ]?([%‰])?{DASH}({NUMBER})[ ]?([%‰])")
def _percents(match: re.Match[str]) -> str:
    minus, low, mark, high, sign = match.groups()
    whole = "百分之" if sign == "%" else "千分之"
    return f"{'负' if minus else ''}{whole}{_share(low)}到{whole if mark else ''}{_share(high)}"


@BOOK.rule("percent", rf"([-−+])?({NUMBER})[ ]?([%‰])")
def _percent(match: re.Match[str]) -> str | None:
    if match[1] and re.search(r"[A-Za-z0-9)]$", before(match, 1)):
        return None
    sign = {"-": "负", "−": "负", "+": "正"}.get(match[1] or "", "")
    return sign + ("百分之" if match[3] == "%" else "千分之") + _share(match[2])


def _share(number: str) -> str:
    said = decimal(number)
    return settled(said) if len(number) < 3 or "." in number else said


@BOOK.rule("scientific", rf"(?<![A-Za-z])([-−])?({NUMBER})[eE]([+-]?)(\d{{1,3}})(?![A-Za-z0-9])")
def _scientific(match: re.Match[str]) -> str:
    power = ("负" if match[3] == "-" else "") + settled(cardinal(match[4]))
    return f"{'负' if match[1] else ''}{settled(decimal(match[2]))}乘十的{power}次方"


@BOOK.rule("power", rf"({NUMBER})(?:\^[({{]?(-?\d{{1,3}})[)}}]?|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,4}}))")
def _power(match: re.Match[str]) -> str | None:
    exponent = match[2] or match[3].translate(_SUPERSCRIPTS)
    if not re.fullmatch(r"-?\d+", exponent):
        return None
    return settled(decimal(match[1])) + power_words(exponent)


def power_words(exponent: str) -> str:
    """``"2"`` as 的平方, ``"3"`` as 的立方, ``"-8"`` as 的负八次方."""
    if exponent in ("2", "3"):
        return "的平方" if exponent == "2" else "的立方"
    return f"的{'负' if exponent.startswith('-') else ''}{settled(cardinal(exponent.lstrip('-')))}次方"


@BOOK.rule(
    "money",
    rf"({alternatives(dict(ZH_CURRENCIES))})[ ]?({NUMBER})(?:{DASH}[$€£¥]?({NUMBER}))?[ ]?"
    r"([KMB](?![A-Za-z])|thousand|million|billion|[百千万亿]{1,2})?(?:[美欧]?元)?",
)
def _money(match: re.Match[str]) -> str:
    sign, amount, more, scale = match.groups()
    scale = _SCALES.get(scale or "", scale or "")
    said = counted(amount, True) + (f"到{counted(more, True)}" if more else "")
    return said + scale + ZH_CURRENCIES[sign]


@BOOK.rule("money", rf"({NUMBER})[ ]?([$€£¥])(?!\d)")
def _money_after(match: re.Match[str]) -> str:
    return counted(match[1], True) + ZH_CURRENCIES[match[2]]


@BOOK.rule("fraction", r"(?<![\dA-Za-z./])(?:(\d{1,3})[ ])?(\d{1,4})/([1-9]\d{0,3})(?![\d/A-Za-z])")
def _fraction(match: re.Match[str]) -> str:
    whole = f"{settled(cardinal(match[1]))}又" if match[1] else ""
    return f"{whole}{settled(cardinal(match[3]))}分之{settled(cardinal(match[2]))}"


@BOOK.rule("fraction", r"(\d{0,4})([½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞])")
def _vulgar(match: re.Match[str]) -> str:
    upper, lower = _VULGAR[match[2]][0], _VULGAR[match[2]][1:]
    whole = f"{settled(cardinal(match[1]))}又" if match[1] else ""
    return f"{whole}{digit_by_digit(lower)}分之{digit_by_digit(upper)}"


@BOOK.rule("version", r"\d{1,4}(?:\.\d{1,4}){2,30}(?![\d.]\d)")
def _version(match: re.Match[str]) -> str:
    return "点".join(map(digit_by_digit, match[0].split(".")))


@BOOK.rule("digits", r"(?<![A-Za-z])\d{1,16}(?:-\d{1,16}){2,20}(?!-?\d)")
def _groups(match: re.Match[str]) -> str:
    return digit_by_digit(match[0])


@BOOK.rule("minus", rf"({NUMBER})[ ]?[-−–][ ]?({NUMBER})(?=[ ]?=)")
def _minus(match: re.Match[str]) -> str:
    return f"{settled(decimal(match[1]))}减{settled(decimal(match[2]))}"


@BOOK.rule("range", rf"(?<![A-Za-z\d])(?<![A-Za-z]-)([-−])?({NUMBER})[ ]?({_UNIT})?{DASH}({NUMBER})[ ]?({_UNIT})?")
def _range(match: re.Match[str]) -> str:
    minus, low, low_unit, high, unit = match.groups()
    said_unit = ZH_UNITS.get(unit or "", "")
    said_low = ("负" if minus else "") + counted(low, bool(low_unit)) + ZH_UNITS.get(low_unit or "", "")
    said_high = _two(high, match) if not unit else counted(high, True)
    dash = "比" if RATIO_BEFORE.search(before(match)) else "到"
    return f"{said_low}{dash}{said_high}{said_unit}"


@BOOK.rule("unit", rf"(?<![A-Za-z])(?<![A-Za-z][- ])([-−])?({NUMBER})[ ]?({_UNIT})")
def _unit(match: re.Match[str]) -> str | None:
    minus, number, unit = match.groups()
    if minus and re.search(r"[\d)]$", before(match, 1)):
        return None
    sign = ("零下" if unit in ("°C", "℃") else "负") if minus else ""
    return f"{sign}{counted(number, True)}{ZH_UNITS[unit]}"


@BOOK.rule("negative", rf"(?<![A-Za-z0-9)\]])[-−]({NUMBER})")
def _negative(match: re.Match[str]) -> str:
    sign = "零下" if re.match(r"[ ]?(?:摄氏)?度", after(match)) and "角" not in before(match) else "负"
    return sign + _two(match[1], match)


@BOOK.rule("about", rf"(?<![\w)])~({NUMBER})")
def _about(match: re.Match[str]) -> str:
    return "约" + _two(match[1], match)


@BOOK.rule("name", rf"(?<=[A-Za-z])[-–]?({NUMBER})")
def _in_name(match: re.Match[str]) -> str:
    whole, point, decimals = match[1].partition(".")
    said = settled(cardinal(whole)) if len(whole) < 3 and not whole.startswith("0") else digit_by_digit(whole)
    return said + (f"点{digit_by_digit(decimals)}" if point else "")


@BOOK.rule("digits", r"\d{1,5}(?=[Pp](?![A-Za-z]))|0\d++(?!\.\d)")
def _digits(match: re.Match[str]) -> str:
    return digit_by_digit(match[0])


@BOOK.rule("ordinal", rf"(?<=第)({NUMBER})")
def _ordinal(match: re.Match[str]) -> str:
    return settled(decimal(match[1]))


@BOOK.rule("number", rf"({NUMBER})")
def _number(match: re.Match[str]) -> str:
    return _two(match[1], match)


@BOOK.rule("number", r"(?<!\d)\.(\d++)")
def _bare_decimal(match: re.Match[str]) -> str:
    return "零点" + digit_by_digit(match[1])


def _two(number: str, match: re.Match[str]) -> str:
    follows = after(match)
    if (
        number == "2"
        and (_NO_LIANG_BEFORE.search(before(match, 4)) or _NO_LIANG_AFTER.match(follows))
        and not re.match(r"[ ]?(?:年(?!级)|个|等于)", follows)
    ):
        return "二"
    return counted(number, prefer_liang=_MEASURES.match(follows) is not None)
