"""Tells an answer in which a system got stuck: the same words over and over to its end."""

from __future__ import annotations

_TIMES = 8
_SHARE = 0.4
_SHORTEST = 60  # characters; "哈哈哈哈哈哈哈哈" is laughter
_LONGEST_UNIT = 400


def is_repetition_loop(text: str) -> bool:
    """Whether ``text`` ends in one unit said at least ``8`` times that makes up 40 % of it.

    >>> is_repetition_loop("少林寺。" + "它很有名。" * 40)
    True
    >>> is_repetition_loop("少林寺是中国的寺院。" * 3)
    False
    """
    told = text.strip()
    if len(told) < _SHORTEST:
        return False
    for unit in range(1, min(_LONGEST_UNIT, len(told) // _TIMES) + 1):
        if told[-unit:] != told[-2 * unit : -unit]:
            continue
        repeated = _matching_tail(told, unit)
        if repeated >= unit * _TIMES and repeated >= max(_SHORTEST, _SHARE * len(told)):
            return True
    return False


def _matching_tail(text: str, unit: int) -> int:
    """How many characters at the end of ``text`` repeat with a period of ``unit``."""
    count = unit
    while count < len(text) and text[-count - 1] == text[-count - 1 + unit]:
        count += 1
    return count
