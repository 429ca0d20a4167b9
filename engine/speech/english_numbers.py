"""English numbers in words, for the synthesiser's reading of digits."""

from __future__ import annotations

# fmt: off
_ONES = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
         "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on
_SCALES = ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"))


def number_words(digits: str) -> str:
    """``"1,204"`` or ``"3.05"`` in words; four digits from 1100 to 1999 are read as a year.

    Numbers of more than twelve digits, or with a leading zero, are read digit by digit.

    >>> number_words("1969"), number_words("3.05"), number_words("2,000")
    ('nineteen sixty nine', 'three point zero five', 'two thousand')
    """
    whole, _, decimals = digits.partition(".")
    if len(whole) == 4 and whole[:2] in {str(century) for century in range(11, 20)} and not decimals:
        return _year(int(whole))
    whole = whole.replace(",", "")
    one_by_one = len(whole) > 12 or (len(whole) > 1 and whole[0] == "0")
    words = _each(whole) if one_by_one else _cardinal(int(whole))
    return f"{words} point {_each(decimals)}" if decimals else words


def _year(year: int) -> str:
    century, rest = divmod(year, 100)
    if rest == 0:
        return f"{_cardinal(century)} hundred"
    return f"{_cardinal(century)} {'oh ' if rest < 10 else ''}{_cardinal(rest)}"


def _each(digits: str) -> str:
    return " ".join(_ONES[int(digit)] for digit in digits)


def _cardinal(number: int) -> str:
    for size, name in _SCALES:
        if number >= size:
            count, rest = divmod(number, size)
            return f"{_cardinal(count)} {name}" + (f" {_cardinal(rest)}" if rest else "")
    if number < 20:
        return _ONES[number]
    tens, ones = divmod(number, 10)
    return _TENS[tens] + (f" {_ONES[ones]}" if ones else "")
