"""Reads the numbers of a text from left to right: at each place where one may begin, the first rule that knows it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.text.draft import Draft

NUMBER = r"(?:\d{1,3}(?:(?:,\d{3}|，000)(?!\d))++|\d++)(?:\.\d++)?+"  # with thousands separators and decimals


@dataclass(frozen=True, slots=True)
class NumberRule:
    """``pattern`` is matched where a number may begin; ``read`` says it, or answers None to leave it to later rules."""

    name: str
    pattern: re.Pattern[str]
    read: Callable[[re.Match[str]], str | None]


Read = Callable[[re.Match[str]], "str | None"]


class RuleBook:
    """Rules in the order in which they are tried, each a function with its name and pattern written above it."""

    def __init__(self) -> None:
        self.rules: list[NumberRule] = []

    def rule(self, name: str, pattern: str) -> Callable[[Read], Read]:
        """Enter the decorated function as the next rule."""

        def entered(read: Read) -> Read:
            self.rules.append(NumberRule(name, re.compile(pattern), read))
            return read

        return entered


def read_numbers(draft: Draft, begins: re.Pattern[str], rules: Sequence[NumberRule]) -> None:
    """Say every number of the draft; linear in its length, as each rule looks only at the number it stands on."""
    text, changes, position = draft.text, [], 0
    while (found := begins.search(text, position)) is not None:
        position = found.start()
        for rule in rules:
            match = rule.pattern.match(text, position)
            if match is not None and match.end() > position and (said := rule.read(match)) is not None:
                changes.append((position, match.end(), said, rule.name))
                position = match.end()
                break
        else:
            position += 1
    draft.apply(changes)


def before(match: re.Match[str], characters: int = 14) -> str:
    """The text just before a match, at most so many characters of it."""
    return match.string[max(0, match.start() - characters) : match.start()]


def after(match: re.Match[str], characters: int = 14) -> str:
    """The text just after a match, at most so many characters of it."""
    return match.string[match.end() : match.end() + characters]
