"""All that is marked on a lane, mismatches and stretches alike: to name it, to list it, to go from one to the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gui.strings import words
from gui.waveform.spans import MismatchSpan, span_label, span_sign
from gui.waveform.stretches import Stretch, stretch_label, stretch_sign
from gui.waveform.ticks import time_text


class Marked(Protocol):
    """A row with marks."""

    @property
    def spans(self) -> tuple[MismatchSpan, ...]:
        """Where speech and text differ."""

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """What is silent or clipped."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark in words: its sign, the name of its kind, what is said of it, and how it is drawn."""

    start_s: float
    end_s: float
    sign: str
    kind: str
    label: str
    pattern: str

    def told(self) -> str:
        """Label, times and length: ``+ repeated ×2, 0:06.80–0:07.92 (1.12 s)``."""
        return words.text(
            "player.marks.told",
            label=self.label,
            start=time_text(self.start_s),
            end=time_text(self.end_s),
            length=f"{self.end_s - self.start_s:.2f}",
        )


def marks_of(row: Marked) -> tuple[Mark, ...]:
    """The marks of a row in the order of time."""
    found = [
        Mark(
            span.start_s, span.end_s, span_sign(span), words.text(f"player.mark.{span.kind}"), span_label(span), "hatch"
        )
        for span in row.spans
    ]
    found += [
        Mark(
            stretch.start_s,
            stretch.end_s,
            stretch_sign(stretch),
            words.text(f"player.stretch.{stretch.kind}_kind"),
            stretch_label(stretch),
            "dots" if stretch.kind == "silence" else "strokes",
        )
        for stretch in row.stretches
    ]
    return tuple(sorted(found, key=lambda mark: (mark.start_s, mark.end_s)))


def marks_at(row: Marked, second: float) -> list[Mark]:
    """The marks that last at a second."""
    return [mark for mark in marks_of(row) if mark.start_s <= second <= mark.end_s]


def next_mark(marks: Sequence[Mark], from_s: float, step: int) -> Mark | None:
    """The first mark that begins after ``from_s``, or with a ``step`` under 0 the last one before it."""
    aside_s = 0.005  # the playhead stands on the mark it was sent to, give or take a sample
    if step > 0:
        return next((mark for mark in marks if mark.start_s > from_s + aside_s), None)
    return next((mark for mark in reversed(marks) if mark.start_s < from_s - aside_s), None)


def legend_of(marks: Sequence[Mark]) -> list[str]:
    """A line for each kind that occurs: its sign, its name, how it is drawn and how often it occurs."""
    kinds = Counter((mark.pattern, mark.sign, mark.kind) for mark in marks)
    return [
        words.text(f"player.marks.{pattern}", sign=sign, kind=kind, count=count)
        for (pattern, sign, kind), count in kinds.items()
    ]
