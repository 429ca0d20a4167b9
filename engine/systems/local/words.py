"""Tokens to text as they come: only whole characters, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_BROKEN = "\ufffd"  # what a decoder writes for half a character
_MOST_BROKEN = 3  # bytes of a character that may still be completed; those before them never will be


class Words:
    """The text of tokens that come one after another; ``decode`` turns a list of tokens into text."""

    def __init__(self, decode: Callable[[list[int]], str]) -> None:
        self._decode = decode
        self._open: list[int] = []
        self._told = ""
        self.text = ""

    def add(self, tokens: Sequence[int]) -> str:
        """What these tokens add to the text; "" while a character is not complete."""
        self._open += tokens
        made = self._decode(self._open)
        broken = min(_MOST_BROKEN, len(made) - len(made.rstrip(_BROKEN)))
        return self._take(made[: len(made) - broken])

    def rest(self) -> str:
        """What is left, a broken character included."""
        return self._take(self._decode(self._open)) if self._open else ""

    def _take(self, made: str) -> str:
        new = made[len(self._told) :]
        self.text += new
        self._told += new
        if made.endswith("\n"):  # a line never changes any more: what is decoded again stays short
            self._open, self._told = [], ""
        return new
