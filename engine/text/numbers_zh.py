"""Says the numbers of a Chinese text: years, dates, times, telephones, shares, money, units, names and quantities."""

from __future__ import annotations

import re
from collections.abc import Callable

from engine.text.draft import Draft
from engine.text.numerals_zh import cardinal, counted, decimal, digit_by_digit, settled
from engine.text.scan import NUMBER, NumberRule, after, before, read_numbers
from engine.text.units import ZH_CURRENCIES, ZH_UNITS, alternatives

_BEGINS = re.compile(rf"(?:{alternatives(dict(ZH_CURRENCIES))})?[-−–+~]?\.?\d|[½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞]")
_DASH = r"[ ]?[-−–—~〜至到][ ]?"
_UNIT = f"(?:{alternatives(dict(ZH_UNITS))})(?![A-Za-z0-9²³])"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_VULGAR = dict(
    zip(
        "½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞",
        ["12", "13", "23", "14", "34", "15", "25", "35", "45", "16", "18", "38", "58", "78"],
        strict=True,
    )
)

_CALLED = re.compile(
    r"(?:电话|手机|号码|拨打|拨|致电|热线|尾号|固话|座机|传真|邮编|邮政编码|验证码|密码|学号|工号|卡号|账号|编号|代码|房间|房号|车牌|区号|群"
    r"|QQ|qq|ID|Tel|tel)(?:号码?)?[是为:：\s“\"(（]{0,3}$|(?:^|[^\w])打$|[请就快可]打$|[(（]0\d{2,3}[)）][ ]?$"
)
_COUNTS = re.compile(r"[ ]?[元次个人家台部张块分%米天年岁万亿条倍名]")
_EMERGENCY = re.compile(r"(?:急救|报警|火警|热线|客服|专线|电话)")
_QUANTITY_OF_YEARS = re.compile(r"(?:的?历史|之久|时间|的时间|寿命)")
_ROUND_YEARS = re.compile(r"(?:多年)?(?:前(?!后)|来|以来|之?后|的)")
_NO_LIANG_BEFORE = re.compile(r"(?:[第初周零点负之]|星期|礼拜|大学|No\.|[A-Za-z][-_ ]?)$")
_NO_LIANG_AFTER = re.compile(r"[ ]?(?:月|日|号|楼|班|级|年级|等|线|型|比|分之|次方|进制|[A-Za-z])")
_MEASURES = re.compile(
    r"[ ]?(?:[点个位只条张本天年次种块元斤倍名家部台座间套件份句段遍杯瓶碗双对群艘架辆棵颗人岁米吨克升秒]"
    r"|小时|分钟|公[斤里分]|千[克米]|周|星期)"
)
_RATIO = re.compile(r"(?:比[分例值率]?|以|大胜|战胜|击败)[为是约:：\s]{0,2}$")

_SCALES = {"K": "千", "thousand": "千", "M": "百万", "million": "百万", "B": "十亿", "billion": "十亿"}

RULES: list[NumberRule] = []


def say_numbers(draft: Draft) -> None:
    """Every number of the draft as a Mandarin speaker says it; marks stand where 二 and 两 are equally right."""
    read_numbers(draft, _BEGINS, RULES)


def _rule(
    name: str, pattern: str
) -> Callable[[Callable[[re.Match[str]], str | None]], Callable[[re.Match[str]], str | None]]:
    def keep(read: Callable[[re.Match[str]], str | None]) -> Callable[[re.Match[str]], str | None]:
        RULES.append(NumberRule(name, re.compile(pattern), read))
        return read

    return keep


@_rule("phone", r"(?<![\dA-Za-z.])(?:\+?86[- ]?)?1[3-9]\d(?:\d{8}|[- ]\d{4}[- ]\d{4})(?![\d.])")
def _mobile(match: re.Match[str]) -> str | None:
    if _COUNTS.match(after(match)):
        return None
    return ("加" if match[0].startswith("+") else "") + digit_by_digit(match[0])


@_rule("phone", r"(?<![\dA-Za-z.])(?:0\d{2,3}[- ]\d{7,8}|[48]00-?\d{3}-?\d{4}|[48]00\d{7})(?![\d.])")
def _landline(match: re.Match[str]) -> str | None:
    return digit_by_digit(match[0])


@_rule("phone", r"(?<![\dA-Za-z.])\d{3,20}(?:[- ]\d{3,8}){0,3}(?![\d.,]\d)")
def _called(match: re.Match[str]) -> str | None:
    if re.fullmatch(r"1(?:1[0249]|2[0-2])", match[0]) and _EMERGENCY.match(after(match)):
        return digit_by_digit(match[0])
    if _CALLED.search(before(match)) is None or _COUNTS.match(after(match)):
        return None
    return digit_by_digit(match[0])


@_rule("date", r"(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.]\d|\d)")
def _date(match: re.Match[str]) -> str | None:
    year, _, month, day = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    return f"{digit_by_digit(year)}年{settled(cardinal(month))}月{settled(cardinal(day))}日"


@_rule("date", r"(?<![\d.])([12]\d{3})-(0[1-9]|1[0-2])(?![\d-])")
def _month(match: re.Match[str]) -> str:
    return f"{digit_by_digit(match[1])}年{settled(cardinal(match[2]))}月"


@_rule("date", r"0(\d)(?=[ ]?[月日号点时])")
def _short_date(match: re.Match[str]) -> str:
    return settled(cardinal(match[1])) if after(match, 2).strip()[:1] in "月日号" else counted(match[1], True)


@_rule("year", r"(?<!\d)((?:1[1-9]|20)\d0)'?s(?![A-Za-z])")
def _decade(match: re.Match[str]) -> str:
    return digit_by_digit(match[1]) + "年代"


@_rule("year", rf"(?<![\d.,])(\d{{4}})({_DASH})(\d{{4}})(?=[ ]?年(?!级)|[)）\]】，。；、,;\n]|$)")
def _years(match: re.Match[str]) -> str:
    dash = match[2].strip()
    return digit_by_digit(match[1]) + (dash if dash in "至到" else "到") + digit_by_digit(match[3])


@_rule("year", r"(?<![\d.,])(\d{4})(?=[ ]?年(?!级))")
def _year(match: re.Match[str]) -> str | None:
    follows = after(match).lstrip()[1:]
    is_round = match[0].endswith("00")
    if _QUANTITY_OF_YEARS.match(follows) or (is_round and (_ROUND_YEARS.match(follows) or int(match[0]) > 2199)):
        return None
    return digit_by_digit(match[0])


@_rule(
    "time",
    rf"(?<![\d.])([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：])({_DASH}(?=\d{{1,2}}[:：][0-5]\d))?",
)
def _time(match: re.Match[str]) -> str | None:
    if _RATIO.search(before(match)):
        return None
    hour, minute, second, dash = match.groups()
    said = counted(hour.lstrip("0") or "0", prefer_liang=True) + "点"
    if minute != "00" or second:
        said += _minute(minute) + ("分" if second else "")
    if second:
        said += _minute(second) + "秒"
    return said + ("到" if dash else "")


def _minute(digits: str) -> str:
    return "零" + settled(cardinal(digits[1])) if digits[0] == "0" and digits != "00" else settled(cardinal(digits))


@_rule("ratio", rf"({NUMBER})[ ]?[:：][ ]?({NUMBER})(?![:：]\d)")
def _ratio(match: re.Match[str]) -> str:
    return f"{settled(decimal(match[1]))}比{settled(decimal(match[2]))}"


@_rule("percent", rf"(?<![A-Za-z\d])([-−])?({NUMBER})[ ]?([%‰])?{_DASH}({NUMBER})[ ]?([%‰])")
def _percents(match: re.Match[str]) -> str:
    minus, low, mark, high, sign = match.groups()
    whole = "百分之" if sign == "%" else "千分之"
    return f"{'负' if minus else ''}{whole}{_share(low)}到{whole if mark else ''}{_share(high)}"


@_rule("percent", rf"([-−+])?({NUMBER})[ ]?([%‰])")
def _percent(match: re.Match[str]) -> str | None:
    if match[1] and re.search(r"[A-Za-z0-9)]$", before(match, 1)):
        return None
    sign = {"-": "负", "−": "负", "+": "正"}.get(match[1] or "", "")
    return sign + ("百分之" if match[3] == "%" else "千分之") + _share(match[2])


def _share(number: str) -> str:
    said = decimal(number)
    return settled(said) if len(number) < 3 or "." in number else said


@_rule("scientific", rf"(?<![A-Za-z])([-−])?({NUMBER})[eE]([+-]?)(\d{{1,3}})(?![A-Za-z0-9])")
def _scientific(match: re.Match[str]) -> str:
    power = ("负" if match[3] == "-" else "") + settled(cardinal(match[4]))
    return f"{'负' if match[1] else ''}{settled(decimal(match[2]))}乘十的{power}次方"


@_rule("power", rf"({NUMBER})(?:\^[({{]?(-?\d{{1,3}})[)}}]?|([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,4}}))")
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


@_rule(
    "money",
    rf"({alternatives(dict(ZH_CURRENCIES))})[ ]?({NUMBER})(?:{_DASH}[$€£¥]?({NUMBER}))?[ ]?"
    r"([KMB](?![A-Za-z])|thousand|million|billion|[百千万亿]{1,2})?(?:[美欧]?元)?",
)
def _money(match: re.Match[str]) -> str:
    sign, amount, more, scale = match.groups()
    scale = _SCALES.get(scale or "", scale or "")
    said = counted(amount, True) + (f"到{counted(more, True)}" if more else "")
    return said + scale + ZH_CURRENCIES[sign]


@_rule("money", rf"({NUMBER})[ ]?([$€£¥])(?!\d)")
def _money_after(match: re.Match[str]) -> str:
    return counted(match[1], True) + ZH_CURRENCIES[match[2]]


@_rule("fraction", r"(?<![\dA-Za-z./])(?:(\d{1,3})[ ])?(\d{1,4})/([1-9]\d{0,3})(?![\d/A-Za-z])")
def _fraction(match: re.Match[str]) -> str:
    whole = f"{settled(cardinal(match[1]))}又" if match[1] else ""
    return f"{whole}{settled(cardinal(match[3]))}分之{settled(cardinal(match[2]))}"


@_rule("fraction", r"(\d{0,4})([½⅓⅔¼¾⅕⅖⅗⅘⅙⅛⅜⅝⅞])")
def _vulgar(match: re.Match[str]) -> str:
    upper, lower = _VULGAR[match[2]][0], _VULGAR[match[2]][1:]
    whole = f"{settled(cardinal(match[1]))}又" if match[1] else ""
    return f"{whole}{digit_by_digit(lower)}分之{digit_by_digit(upper)}"


@_rule("version", r"\d{1,4}(?:\.\d{1,4}){2,30}(?![\d.]\d)")
def _version(match: re.Match[str]) -> str:
    return "点".join(map(digit_by_digit, match[0].split(".")))


@_rule("digits", r"(?<![A-Za-z])\d{1,16}(?:-\d{1,16}){2,20}(?!-?\d)")
def _groups(match: re.Match[str]) -> str:
    return digit_by_digit(match[0])


@_rule("minus", rf"({NUMBER})[ ]?[-−–][ ]?({NUMBER})(?=[ ]?=)")
def _minus(match: re.Match[str]) -> str:
    return f"{settled(decimal(match[1]))}减{settled(decimal(match[2]))}"


@_rule("range", rf"(?<![A-Za-z\d])(?<![A-Za-z]-)([-−])?({NUMBER})[ ]?({_UNIT})?{_DASH}({NUMBER})[ ]?({_UNIT})?")
def _range(match: re.Match[str]) -> str:
    minus, low, low_unit, high, unit = match.groups()
    said_unit = ZH_UNITS.get(unit or "", "")
    said_low = ("负" if minus else "") + counted(low, bool(low_unit)) + ZH_UNITS.get(low_unit or "", "")
    said_high = _two(high, match) if not unit else counted(high, True)
    dash = "比" if _RATIO.search(before(match)) else "到"
    return f"{said_low}{dash}{said_high}{said_unit}"


@_rule("unit", rf"(?<![A-Za-z])(?<![A-Za-z][- ])([-−])?({NUMBER})[ ]?({_UNIT})")
def _unit(match: re.Match[str]) -> str | None:
    minus, number, unit = match.groups()
    if minus and re.search(r"[\d)]$", before(match, 1)):
        return None
    sign = ("零下" if unit in ("°C", "℃") else "负") if minus else ""
    return f"{sign}{counted(number, True)}{ZH_UNITS[unit]}"


@_rule("negative", rf"(?<![A-Za-z0-9)\]])[-−]({NUMBER})")
def _negative(match: re.Match[str]) -> str:
    sign = "零下" if re.match(r"[ ]?(?:摄氏)?度", after(match)) and "角" not in before(match) else "负"
    return sign + _two(match[1], match)


@_rule("about", rf"(?<![\w)])~({NUMBER})")
def _about(match: re.Match[str]) -> str:
    return "约" + _two(match[1], match)


@_rule("name", rf"(?<=[A-Za-z])[-–]?({NUMBER})")
def _in_name(match: re.Match[str]) -> str:
    whole, point, decimals = match[1].partition(".")
    said = settled(cardinal(whole)) if len(whole) < 3 and not whole.startswith("0") else digit_by_digit(whole)
    return said + (f"点{digit_by_digit(decimals)}" if point else "")


@_rule("digits", r"\d{1,5}(?=[Pp](?![A-Za-z]))|0\d++(?!\.\d)")
def _digits(match: re.Match[str]) -> str:
    return digit_by_digit(match[0])


@_rule("ordinal", rf"(?<=第)({NUMBER})")
def _ordinal(match: re.Match[str]) -> str:
    return settled(decimal(match[1]))


@_rule("number", rf"({NUMBER})")
def _number(match: re.Match[str]) -> str:
    return _two(match[1], match)


@_rule("number", r"(?<!\d)\.(\d++)")
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
