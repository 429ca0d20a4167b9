"""Why a verdict is what it is, in the words of the window: what to do names a place here, not a command."""

from __future__ import annotations

from gui.strings import Words


def why_said(code: str, words: Words) -> str:
    """The sentence of a code; the code itself where it has none, being a judge's own."""
    for room in ("audit.why", "scoring.why"):
        try:
            return words.text(f"{room}.{code}")
        except KeyError:
            continue
    return code
