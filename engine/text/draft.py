"""A text on its way to the spoken form: each rewriting is recorded with its place in the input."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """One rule at work: ``before`` became ``after``; [``start``, ``end``) is where it stood in the input text.

    What an earlier rule had said there counts as its first character: that rule tells how far it reaches.
    """

    name: str
    before: str
    after: str
    start: int
    end: int


class Draft:
    """A text under way; ``origin[i]`` is where character ``i`` stood in the input, None while all stand in place."""

    __slots__ = ("origin", "rules", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.origin: list[int] | None = None
        self.rules: list[AppliedRule] = []

    def rewrite(self, name: str, pattern: re.Pattern[str], after: str | Callable[[re.Match[str]], str | None]) -> None:
        """Rewrite every match of ``pattern``; a function may answer None to leave one as it is."""
        changes = []
        for match in pattern.finditer(self.text):
            said = match.expand(after) if isinstance(after, str) else after(match)
            if said is not None and said != match[0]:
                changes.append((match.start(), match.end(), said, name))
        self.apply(changes)

    def apply(self, changes: list[tuple[int, int, str, str]]) -> None:
        """Put ``(start, end, after, name)`` changes into the text; they are in order and do not overlap."""
        if not changes:
            return
        old = self.origin if self.origin is not None else list(range(len(self.text)))
        pieces: list[str] = []
        origin: list[int] = []
        done = 0
        for start, end, after, name in changes:
            place = old[start] if start < len(old) else (old[-1] + 1 if old else 0)
            after_it = old[end - 1] + 1 if end > start else place
            self.rules.append(AppliedRule(name, self.text[start:end], after, place, after_it))
            pieces += (self.text[done:start], after)
            origin += old[done:start]
            origin += [place] * len(after)
            done = end
        pieces.append(self.text[done:])
        origin += old[done:]
        self.text, self.origin = "".join(pieces), origin
