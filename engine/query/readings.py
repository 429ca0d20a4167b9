"""How the text of an answer and what was heard of it are read before they are compared, by either method's reader."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from engine.query.told import ResponseDetail
from engine.text.changes import Reading, reading_of
from engine.text.published import PublishedCrash

Side = Literal["written", "heard"]


@dataclass(frozen=True, slots=True)
class SideRead:
    """One side as one method reads it; ``reading`` is None where the published evaluator crashes on it."""

    side: Side
    method: str
    text: str
    reading: Reading | None


def readings_of(detail: ResponseDetail, method: str) -> tuple[SideRead, ...]:
    """The answer's text and the transcript that ``method`` reads, each by ``method`` first and then by the other."""
    transcript = detail.transcript(method)
    sides: tuple[tuple[Side, str | None], ...] = (
        ("written", detail.answered.text),
        ("heard", transcript.text if transcript is not None else None),
    )
    other = "published" if method == "corrected" else "corrected"
    return tuple(
        read
        for side, text in sides
        if text is not None
        for read in _read(side, text, detail.asked.language, (method, other))
    )


def _read(side: Side, text: str, language: str, methods: tuple[str, ...]) -> Iterator[SideRead]:
    for method in methods:
        try:
            yield SideRead(side, method, text, reading_of(text, language, method))
        except PublishedCrash:
            yield SideRead(side, method, text, None)
