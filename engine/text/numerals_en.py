"""Numbers as English says them: cardinals, ordinals, years and digits one by one."""

from __future__ import annotations

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ("", " thousand", " million", " billion", " trillion", " quadrillion")
_LONGEST = 18  # digits; a longer number is said digit by digit
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}


def digit_by_digit(digits: str) -> str:
    """``"911"`` as nine one one; characters that are no digits are left out."""
    return " ".join(_ONES[int(character)] for character in digits if character.isdecimal())


def cardinal(digits: str) -> str:
    """A whole number as a quantity, without "and": ``"1,250"`` as one thousand two hundred fifty."""
    digits = digits.replace(",", "").replace("，", "")
    if len(digits) > _LONGEST:
        return digit_by_digit(digits)
    value = int(digits)
    if value == 0:
        return "zero"
    groups = []
    while value:
        value, group = divmod(value, 1000)
        groups.append(group)
    return " ".join(
        _below_thousand(group) + _SCALES[index] for index, group in reversed(list(enumerate(groups))) if group
    )


def decimal(number: str) -> str:
    """A number with or without decimals: ``"3.14"`` as three point one four."""
    whole, point, decimals = number.partition(".")
    return cardinal(whole or "0") + (f" point {digit_by_digit(decimals)}" if point else "")


def ordinal(digits: str) -> str:
    """``"21"`` as twenty first."""
    *first, last = cardinal(digits).split(" ")
    regular = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return " ".join([*first, _ORDINALS.get(last, regular)])


def year(digits: str) -> str:
    """Four digits as a year: nineteen ninety nine, nineteen oh five, nineteen hundred, two thousand five."""
    century, rest = int(digits[:2]), int(digits[2:])
    if century % 10 == 0 and rest < 10:
        return cardinal(digits)
    if rest == 0:
        return f"{cardinal(str(century))} hundred"
    return f"{cardinal(str(century))} {'oh ' if rest < 10 else ''}{cardinal(str(rest))}"


def plural(words: str) -> str:
    """The plural of a number word: twenty as twenties, hundred as hundreds."""
    return words[:-1] + "ies" if words.endswith("y") else words + ("es" if words.endswith("x") else "s")


def _below_thousand(value: int) -> str:
    hundreds, rest = divmod(value, 100)
    said = [f"{_ONES[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        said.append(_TENS[rest // 10] + (f" {_ONES[rest % 10]}" if rest % 10 else ""))
    elif rest:
        said.append(_ONES[rest])
    return " ".join(said)
