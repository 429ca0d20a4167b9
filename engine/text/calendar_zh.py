"""Says the telephones, dates, years, times and ratios of a Chinese text."""

from __future__ import annotations

import re

from engine.text.numerals_zh import cardinal, counted, decimal, digit_by_digit, settled
from engine.text.scan import NUMBER, RuleBook, after, before

DASH = r"[ ]?[-−–—~〜至到][ ]?"
RATIO_BEFORE = re.compile(r"(?:比[分例值率]?|以|大胜|战胜|击败)[为是约:：\s]{0,2}$")

_CALLED = re.compile(
    r"(?:电话|手机|号码|拨打|拨|致电|热线|尾号|固话|座机|传真|邮编|邮政编码|验证码|密码|学号|工号|卡号|账号|编号|代码|房间|房号|车牌|区号|群"
    r"|QQ|qq|ID|Tel|tel)(?:号码?)?[是为:：\s“\"(（]{0,3}$|(?:^|[^\w])打$|[请就快可]打$|[(（]0\d{2,3}[)）][ ]?$"
)
_COUNTS = re.compile(r"[ ]?[元次个人家台部张块分%米天年岁万亿条倍名]")
_EMERGENCY = re.compile(r"(?:急救|报警|火警|热线|客服|专线|电话)")
_QUANTITY_OF_YEARS = re.compile(r"(?:的?历史|之久|时间|的时间|寿命)")
_ROUND_YEARS = re.compile(r"(?:前(?!后)|来)")

BOOK = RuleBook()


@BOOK.rule("phone", r"(?<![\dA-Za-z.])(?:\+?86[- ]?)?1[3-9]\d(?:\d{8}|[- ]\d{4}[- ]\d{4})(?![\d.])")
def _mobile(match: re.Match[str]) -> str | None:
    if _COUNTS.match(after(match)):
        return None
    return ("加" if match[0].startswith("+") else "") + digit_by_digit(match[0])


@BOOK.rule("phone", r"(?<![\dA-Za-z.])(?:0\d{2,3}[- ]\d{7,8}|[48]00-?\d{3}-?\d{4}|[48]00\d{7})(?![\d.])")
def _landline(match: re.Match[str]) -> str | None:
    return None if _COUNTS.match(after(match)) else digit_by_digit(match[0])


@BOOK.rule("phone", r"(?<![\dA-Za-z.])\d{3,20}(?:[- ]\d{3,8}){0,3}(?![\d.,]\d)")
def _called(match: re.Match[str]) -> str | None:
    if re.fullmatch(r"1(?:1[0249]|2[0-2])", match[0]) and _EMERGENCY.match(after(match)):
        return digit_by_digit(match[0])
    follows = after(match)
    if _CALLED.search(before(match)) is None or _COUNTS.match(follows) or re.match(r"[ ]?[到至~—–]", follows):
        return None
    return digit_by_digit(match[0])


@BOOK.rule("date", r"(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.]\d|\d)")
def _date(match: re.Match[str]) -> str | None:
    year, _, month, day = match.groups()
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    return f"{digit_by_digit(year)}年{settled(cardinal(month))}月{settled(cardinal(day))}日"


@BOOK.rule("date", r"(?<![\d.])([12]\d{3})-(0[1-9]|1[0-2])(?![\d-])")
def _month(match: re.Match[str]) -> str:
    return f"{digit_by_digit(match[1])}年{settled(cardinal(match[2]))}月"


@BOOK.rule("date", r"0(\d)(?=[ ]?[月日号点时])")
def _short_date(match: re.Match[str]) -> str:
    return settled(cardinal(match[1])) if after(match, 2).strip()[:1] in "月日号" else counted(match[1], True)


@BOOK.rule("year", r"(?<!\d)((?:1[1-9]|20)\d0)'?s(?![A-Za-z])")
def _decade(match: re.Match[str]) -> str:
    return digit_by_digit(match[1]) + "年代"


@BOOK.rule("year", rf"(?<![\d.,])(\d{{4}})({DASH})(\d{{4}})(?=[ ]?年(?!级)|[)）\]】，。；、,;\n]|$)")
def _years(match: re.Match[str]) -> str:
    dash = match[2].strip()
    return digit_by_digit(match[1]) + (dash if dash in "至到" else "到") + digit_by_digit(match[3])


@BOOK.rule("year", r"(?<![\d.,])(\d{4})(?=[ ]?年(?!级))")
def _year(match: re.Match[str]) -> str | None:
    follows = after(match).lstrip()[1:]
    is_round = match[0].endswith("00")
    if _QUANTITY_OF_YEARS.match(follows) or (is_round and (_ROUND_YEARS.match(follows) or int(match[0]) > 2199)):
        return None
    return digit_by_digit(match[0])


@BOOK.rule(
    "time",
    rf"(?<![\d.])([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：])({DASH}(?=\d{{1,2}}[:：][0-5]\d))?",
)
def _time(match: re.Match[str]) -> str | None:
    if RATIO_BEFORE.search(before(match)):
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


@BOOK.rule("ratio", rf"({NUMBER})[ ]?[:：][ ]?({NUMBER})(?![:：]\d)")
def _ratio(match: re.Match[str]) -> str:
    return f"{settled(decimal(match[1]))}比{settled(decimal(match[2]))}"
