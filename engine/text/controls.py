"""Characters that cannot be seen, shown by a sign: they would turn round or hide what stands beside them."""

from __future__ import annotations

import re

HOSTILE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_KEPT_IN_PAGES = "\t\n\r\u2028\u2029\x85"
_CONTROL_PICTURES = 0x2400
_DELETE_PICTURE = "␡"
_DIRECTIONS = {
    "\u200e": "[LRM]", "\u200f": "[RLM]", "\u061c": "[ALM]",
    "\u202a": "[LRE]", "\u202b": "[RLE]", "\u202c": "[PDF]", "\u202d": "[LRO]", "\u202e": "[RLO]",
    "\u2066": "[LRI]", "\u2067": "[RLI]", "\u2068": "[FSI]", "\u2069": "[PDI]",
}  # fmt: skip


def sign_of(character: str) -> str:
    """The sign of a character that ``HOSTILE`` finds: a control's picture, a direction mark's name, else U+FFFD.

    >>> sign_of("\\x1b"), sign_of("\\u202e")
    ('␛', '[RLO]')
    """
    if character == "\x7f":
        return _DELETE_PICTURE
    if ord(character) < 0x20:
        return chr(_CONTROL_PICTURES + ord(character))
    return _DIRECTIONS.get(character, "\ufffd")


def with_signs(text: str) -> str:
    """``text`` with its controls shown by signs; its lines and tabs stay."""
    return HOSTILE.sub(lambda found: found[0] if found[0] in _KEPT_IN_PAGES else sign_of(found[0]), text)
