"""Tokens to text as they come: only whole characters, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence

_BROKEN = "\ufffd"  # what a decoder writes for half a character


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
        if made.endswith(_BROKEN):
            return ""
        return self._take(made)

    def rest(self) -> str:
        """What is left, a broken character included."""
        return self._take(self._decode(self._open)) if self._open else ""

    def _take(self, made: str) -> str:
        new = made[len(self._told) :]
        self.text += new
        self._told = made
        if made.endswith("\n"):  # a line never changes any more: what is decoded again stays short
            self._open, self._told = [], ""
        return new
