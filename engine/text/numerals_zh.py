"""Numbers as Mandarin says them, with the places marked where 二 and 两 are equally right."""

from __future__ import annotations

TWO_ER, TWO_LIANG = "\ue000", "\ue001"  # either reading of a 2 is right; written as 二, written as 两
EITHER = TWO_ER + TWO_LIANG
_DIGITS = "零一二三四五六七八九"
_GROUPS = ("", "万", "亿", "万亿")
_LONGEST = 16  # digits; a longer number is said digit by digit


def digit_by_digit(digits: str) -> str:
    """``"138"`` as 一三八; characters that are no digits are left out."""
    return "".join(_DIGITS[int(character)] for character in digits if character.isdecimal())


def cardinal(digits: str) -> str:
    """A whole number as a quantity: ``"110"`` as 一百一十, ``"20000"`` as 两万 (with the mark of the free choice).

    Thousands separators are passed over. A bare 2 is 二; see ``counted`` for one before a measure word.
    """
    digits = digits.replace(",", "").replace("，", "")
    if len(digits) > _LONGEST:
        return digit_by_digit(digits)
    value = int(digits)
    if value == 0:
        return "零"
    groups = []
    while value:
        value, group = divmod(value, 10000)
        groups.append(group)
    said = "".join(_group(groups, index) for index in range(len(groups) - 1, -1, -1))
    return said[1:] if said.startswith("一十") else said


def decimal(number: str) -> str:
    """A number with or without decimals: ``"12.5"`` as 十二点五, the whole part as ``cardinal`` says it."""
    whole, point, decimals = number.partition(".")
    return cardinal(whole or "0") + (f"点{digit_by_digit(decimals)}" if point else "")


def counted(number: str, prefer_liang: bool = False) -> str:
    """``decimal``, for a number that counts something: a whole part of 2 may be 二 or 两."""
    said = decimal(number)
    if said == "二" or said.startswith("二点"):
        return (TWO_LIANG if prefer_liang and said == "二" else TWO_ER) + said[1:]
    return said


def settled(said: str) -> str:
    """``said`` with 二 at every free choice, for places where 两 is never said (ordinals, percentages)."""
    return said.replace(TWO_ER, "二").replace(TWO_LIANG, "二")


def _group(groups: list[int], index: int) -> str:
    value, first = groups[index], index == len(groups) - 1
    if value == 0:
        return ""
    said = _below_ten_thousand(value, first)
    if index and value == 2:
        said = TWO_LIANG if first else TWO_ER
    name = "万" if index == 3 and groups[2] else _GROUPS[index]
    gap = not first and (value < 1000 or groups[index + 1] == 0)
    return ("零" if gap else "") + said + name


def _below_ten_thousand(value: int, first: bool) -> str:
    said, gap = "", False
    for place, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // place % 10
        if digit == 0:
            gap = bool(said)
            continue
        word = _DIGITS[digit]
        if digit == 2 and place >= 100:
            word = TWO_LIANG if place == 1000 and first and not said else TWO_ER
        said += ("零" if gap else "") + word + name
        gap = False
    return said
