"""Says the numbers, signs and contractions of an English text."""

from __future__ import annotations

import re

from engine.text.draft import Draft
from engine.text.numerals_en import cardinal, decimal, digit_by_digit, ordinal, plural, year
from engine.text.scan import NUMBER, RuleBook, after, before, read_numbers
from engine.text.units import EN_CURRENCIES, EN_UNITS, alternatives
from engine.text.words_en import open_words, say_signs

_BEGINS = re.compile(rf"(?:{alternatives(dict(EN_CURRENCIES))})?[-−–+~]?\.?\d")
_DASH = r"[ ]?[-−–—~][ ]?"
_UNIT = f"(?:{alternatives(dict(EN_UNITS))})(?![A-Za-z0-9²³])"
_YEAR = r"(?:1[1-9]|20)\d\d"
_SCALE = r"thousand|million|billion|trillion|[KMB](?![A-Za-z])"
_SCALES = {"K": "thousand", "M": "million", "B": "billion"}
_YEAR_BEFORE = re.compile(
    r"(?:\b(?:in|since|until|till|by|of|year|the|this|during|before|after|from|around|circa|early|late|mid|summer|winter|spring|fall"
    r"|jan\w*|feb\w*|mar\w*|apr\w*|may|june?|july?|aug\w*|sep\w*|oct\w*|nov\w*|dec\w*)(?: \d\d?(?:st|nd|rd|th)?)?,? )$",
    re.I,
)
_COUNTED = re.compile(
    r"[ ]?(?:people|men|women|dollars|percent|times|years|days|hours|miles|students|items|units|of\b)", re.I
)

BOOK = RuleBook()


def say_english(draft: Draft) -> None:
    """Contractions opened, titles and signs said, every number read in words; letters become small."""
    open_words(draft)
    read_numbers(draft, _BEGINS, BOOK.rules)
    say_signs(draft)
    lowered = draft.text.lower()
    if len(lowered) == len(draft.text):  # a few capitals grow when lowered, and would move every later place
        draft.text = lowered


@BOOK.rule("phone", r"(?<![\w.])(?:\+?1[- ])?(?:\(?\d{3}\)?[- ])?\d{3}-\d{4}(?![\w-])|(?<![\w.])(?:911|411)(?![\w.,-])")
def _phone(match: re.Match[str]) -> str:
    return digit_by_digit(match[0])


@BOOK.rule("date", r"(?<![\d.])(\d{4})-(\d{2})-(\d{2})(?!\d)")
def _date(match: re.Match[str]) -> str | None:
    if not (1 <= int(match[2]) <= 12 and 1 <= int(match[3]) <= 31):
        return None
    return f"{_MONTHS[int(match[2]) - 1]} {ordinal(match[3])} {year(match[1])}"


_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]


@BOOK.rule("time", r"(?<![\d.])([01]?\d|2[0-4]):([0-5]\d)(?![\d:])")
def _time(match: re.Match[str]) -> str:
    hour, minute = match.groups()
    if minute == "00":
        return cardinal(hour) if re.match(r" ?[ap]\.?m", after(match), re.I) else f"{cardinal(hour)} o'clock"
    return f"{cardinal(hour)} {'oh ' if minute[0] == '0' else ''}{cardinal(minute)}"


@BOOK.rule("ratio", r"(\d{1,4}):(\d{1,4})(?![\d:])")
def _ratio(match: re.Match[str]) -> str:
    return f"{cardinal(match[1])} to {cardinal(match[2])}"


@BOOK.rule("percent", rf"({NUMBER})%?{_DASH}({NUMBER})[ ]?%")
def _percents(match: re.Match[str]) -> str:
    return f"{decimal(match[1])} to {decimal(match[2])} percent"


@BOOK.rule("percent", rf"({NUMBER})[ ]?%")
def _percent(match: re.Match[str]) -> str:
    return f"{decimal(match[1])} percent"


@BOOK.rule("money", rf"({alternatives(dict(EN_CURRENCIES))})[ ]?({NUMBER})(?:[ ]?({_SCALE}))?")
def _money(match: re.Match[str]) -> str:
    one, many, small = EN_CURRENCIES[match[1]]
    whole, point, rest = match[2].partition(".")
    if match[3]:
        return f"{decimal(match[2])} {_SCALES.get(match[3], match[3])} {many}"
    unit = one if whole == "1" and not rest.strip("0") else many
    if not point or len(rest) != 2:
        return f"{decimal(match[2])} {unit}"
    hundredths = f" and {cardinal(rest)} {small}" if int(rest) else ""
    return f"{cardinal(whole)} {one if whole == '1' else many}{hundredths}"


@BOOK.rule("ordinal", r"(\d{1,3}(?:,\d{3}){0,5}|\d{1,18})(?:st|nd|rd|th)(?![a-z0-9])")
def _ordinal(match: re.Match[str]) -> str:
    return ordinal(match[1])


@BOOK.rule("decade", r"(?<!\d)((?:1[1-9]|20)?\d0)'?s(?![a-z0-9])")
def _decade(match: re.Match[str]) -> str:
    digits = match[1]
    said = year(digits) if len(digits) == 4 else cardinal(digits)
    return plural(said)


@BOOK.rule("year", rf"(?<![\d.,])({_YEAR}){_DASH}({_YEAR})(?![\d.,]\d|\d|%)")
def _years(match: re.Match[str]) -> str:
    return f"{year(match[1])} to {year(match[2])}"


@BOOK.rule("year", rf"(?<![\d.,$])({_YEAR})(?![\d%]|[.,]\d)")
def _year(match: re.Match[str]) -> str | None:
    follows = after(match)
    dated = _YEAR_BEFORE.search(before(match, 24)) is not None or re.match(r" (?:AD|BC|CE|BCE)\b", follows)
    return year(match[1]) if dated and not _COUNTED.match(follows) else None


@BOOK.rule("fraction", r"(?<![\d/.])(?:(\d{1,3})[ ])?(\d{1,3})/([2-9]|1[0-9]|20|100)(?![\d/A-Za-z])")
def _fraction(match: re.Match[str]) -> str:
    one = match[2] == "1"
    part = {"2": "half" if one else "halves", "4": "quarter" if one else "quarters"}.get(match[3])
    part = part or ordinal(match[3]) + ("" if one else "s")
    return (f"{cardinal(match[1])} and " if match[1] else "") + f"{cardinal(match[2])} {part}"


@BOOK.rule("version", r"\d{1,4}(?:\.\d{1,4}){2,30}(?![\d.]\d)")
def _version(match: re.Match[str]) -> str:
    return " point ".join(map(digit_by_digit, match[0].split(".")))


@BOOK.rule("scientific", rf"({NUMBER})[eE]([+-]?)(\d{{1,3}})(?!\w)")
def _scientific(match: re.Match[str]) -> str:
    return f"{decimal(match[1])} times ten to the power of {'minus ' if match[2] == '-' else ''}{cardinal(match[3])}"


@BOOK.rule("range", rf"(?<![\w-])({NUMBER}){_DASH}({NUMBER})(?![-\d])")
def _range(match: re.Match[str]) -> str:
    return f"{decimal(match[1])} to {decimal(match[2])}"


@BOOK.rule("unit", rf"(?<![A-Za-z-])([-−])?({NUMBER})[ ]?({_UNIT})")
def _unit(match: re.Match[str]) -> str:
    said = EN_UNITS[match[3]]
    if match[2] == "1":
        first, _, rest = said.partition(" ")
        said = " ".join(filter(None, (first.removesuffix("s") if first not in ("hertz", "celsius") else first, rest)))
    return f"{'minus ' if match[1] else ''}{decimal(match[2])} {said}"


@BOOK.rule("negative", rf"(?<![\w)\]])[-−]({NUMBER})")
def _negative(match: re.Match[str]) -> str:
    return f"minus {decimal(match[1])}"


@BOOK.rule("name", rf"(?<=[A-Za-z])-?({NUMBER})(?=[A-Za-z]?)")
def _in_name(match: re.Match[str]) -> str:
    return f" {_plain(match[1])}" + (" " if after(match, 1).isalpha() else "")


@BOOK.rule("digits", r"0\d++(?!\.\d)")
def _digits(match: re.Match[str]) -> str:
    return digit_by_digit(match[0])


@BOOK.rule("number", rf"({NUMBER})(?:[ ]?([KMB])(?![A-Za-z]))?")
def _number(match: re.Match[str]) -> str:
    said = _plain(match[1]) + (f" {_SCALES[match[2]]}" if match[2] else "")
    return said + (" " if after(match, 1).isalpha() else "")


@BOOK.rule("number", r"(?<!\d)\.(\d++)")
def _bare_decimal(match: re.Match[str]) -> str:
    return f"point {digit_by_digit(match[1])}"


def _plain(number: str) -> str:
    return decimal(number)
