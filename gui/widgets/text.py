"""Any text as one line that cannot break what stands around it."""

from __future__ import annotations

import html
import re

from engine.text.controls import HOSTILE, sign_of

LONGEST = 500
"""Characters kept of a line; more never fits, and measuring more costs."""
LONGEST_TIP = 2_000

_NEWLINE = "⏎"
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
_STACKED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3})[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)


def shown_text(text: str, longest: int = LONGEST) -> str:
    """``text`` as one line of at most ``longest`` characters: what cannot be seen is shown by a sign.

    Control characters become their pictures, line ends ⏎, direction marks their names in brackets; text that runs
    from right to left is isolated, so that it leaves the order of what stands beside it alone. Of marks stacked on a
    letter three are kept.

    >>> shown_text("one\\r\\ntwo\\tthree\\x00")
    'one⏎two three␀'
    """
    cut = text if len(text) <= longest else text[:longest] + "…"
    if cut.isascii() and cut.isprintable():
        return cut
    if HOSTILE.search(cut):
        cut = HOSTILE.sub(_sign, cut.replace("\r\n", "\n"))
    cut = _STACKED.sub(r"\1", cut)
    return f"{_ISOLATE}{cut}{_ISOLATE_END}" if _RIGHT_TO_LEFT.search(cut) else cut


def tip_text(text: str) -> str:
    """``text`` for a tool tip, which would otherwise read what looks like HTML as such."""
    kept = text if len(text) <= LONGEST_TIP else text[:LONGEST_TIP] + "…"
    kept = "\n".join(shown_text(part, LONGEST_TIP) for part in kept.splitlines())
    if "<" not in kept:
        return kept
    return "<qt>" + html.escape(kept, quote=False).replace("\n", "<br>") + "</qt>"


def _sign(found: re.Match[str]) -> str:
    character = found.group()
    if character in "\n\r\u2028\u2029\x85":
        return _NEWLINE
    if character == "\t":
        return " "
    return sign_of(character)
