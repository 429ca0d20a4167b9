"""Cuts text into sentences while it is still being written, and makes written words fit to be spoken."""

from __future__ import annotations

import re

#: An end of a sentence: a Chinese mark, a Latin one that a blank follows, a line break.
_END = re.compile(r"[。！？；…]+[”’」』）)\"']*\s*|[.!?;]+[”’\"')\]]*\s+|\n+\s*")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|e\.g|i\.e|No|Fig)|\b[A-Z]|^\s*\d{1,3})\.\s*$")
_LONG = 240  # characters: a sentence without an end is cut at its last comma or blank
_SOFT_END = re.compile(r"[，、,：:]\s*|\s+")


class Sentences:
    """Takes pieces of text and gives whole sentences; all of them joined are the text, blanks and all.

    How the text came in pieces does not matter: a sentence is given when something stands behind it.
    """

    def __init__(self) -> None:
        self._open = ""

    def add(self, text: str) -> list[str]:
        """The sentences that are complete now."""
        self._open += text
        found = []
        while (end := _first_end(self._open)) is not None:
            found.append(self._open[:end])
            self._open = self._open[end:]
        return found

    def rest(self) -> str:
        """What is left when nothing more comes; "" where nothing is."""
        left, self._open = self._open, ""
        return left


def sayable(text: str) -> str:
    """``text`` without the signs of Markdown, which a voice would read aloud or stumble over."""
    text = re.sub(r"```\w*|`|\*\*|__|~~", "", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"(?m)^\s*(?:#{1,6}|[-*+•]|>)\s+", "", text)
    text = re.sub(r"(?<!\w)[*_](\S[^*_]*)[*_](?!\w)", r"\1", text)
    return re.sub(r"\s+", " ", re.sub(r"[*#|]+", " ", text)).strip()


def _first_end(text: str) -> int | None:
    for match in _END.finditer(text):
        end = match.end()
        if end == len(text) or end > _LONG:
            break  # a closing mark or more blanks may follow
        if text[:end].strip() and not _ABBREVIATION.search(text[:end]):
            return end
    if len(text) <= _LONG:
        return None
    soft = [match.end() for match in _SOFT_END.finditer(text, 0, _LONG)]
    return soft[-1] if soft else _LONG
