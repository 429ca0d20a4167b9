"""A piece of text at full length, as popovers show it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TextPart:
    """A heading and its text; ``note`` is small and stands beside the heading, ``flip`` is a warning below it."""

    heading: str
    text: str
    note: str = ""
    flip: str = ""
