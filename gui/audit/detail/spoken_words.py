"""A text as written and as spoken in pieces, changed or not, and the rules that fired, a line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from engine.query.readings import SideRead
from engine.text.changes import Change, Reading
from gui.strings import words
from gui.widgets.text import shown_text

Kind = Literal["same", "changed", "dropped"]
LONGEST = 6_000  # characters of a side that are shown; the full texts have all of it
MOST_RULES = 200
_LONGEST_SIDE = 60  # characters of one side of a change in the list


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text: the same on both sides, spoken otherwise, or not spoken at all."""

    text: str
    kind: Kind = "same"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the pieces below it."""

    heading: str
    pieces: tuple[Piece, ...]


def sections_of(reads: Sequence[SideRead]) -> list[Section]:
    """All that is shown: each side as written, then each reader's version of it with its rules."""
    found: list[Section] = []
    side = ""
    for read in reads:
        if read.side != side:
            side = read.side
            found.append(Section(words.text(f"audit.detail.spoken.{side}"), tuple(_written(read))))
        heading = words.text("audit.detail.spoken.read_by", method=words.text(f"audit.detail.method.{read.method}"))
        if read.reading is None:
            found.append(Section(heading, (Piece(words.text("audit.detail.alignment.crashes")),)))
        elif read.reading.spoken == read.text:
            found.append(Section(heading, (Piece(words.text("audit.detail.spoken.same")),)))
        else:
            found.append(Section(heading, tuple(_spoken(read.reading))))
            found.append(Section(_rules_heading(read.reading), tuple(_rule_lines(read.reading.changes))))
    return found


def _written(read: SideRead) -> Iterator[Piece]:
    if read.reading is None:
        yield from _cut([Piece(read.text)])
        return
    pieces, at = [], 0
    for change in read.reading.changes:
        pieces.append(Piece(read.text[at : change.start]))
        pieces.append(Piece(change.written, "changed" if change.spoken.strip() else "dropped"))
        at = change.end
    yield from _cut([*pieces, Piece(read.text[at:])])


def _spoken(reading: Reading) -> Iterator[Piece]:
    pieces, at = [], 0
    for change in reading.changes:
        pieces.append(Piece(reading.spoken[at : change.spoken_start]))
        pieces.append(Piece(change.spoken, "changed"))
        at = change.spoken_end
    yield from _cut([*pieces, Piece(reading.spoken[at:])])


def _cut(pieces: Sequence[Piece]) -> Iterator[Piece]:
    room = LONGEST
    for piece in pieces:
        if not piece.text:
            continue
        if len(piece.text) > room:
            yield Piece(piece.text[:room], piece.kind)
            left = sum(len(other.text) for other in pieces) - LONGEST
            yield Piece(" " + words.text("audit.detail.spoken.cut", more=left))
            return
        room -= len(piece.text)
        yield piece


def _rules_heading(reading: Reading) -> str:
    return words.text("audit.detail.spoken.rules", count=len(reading.changes))


def _rule_lines(changes: Sequence[Change]) -> Iterator[Piece]:
    """``100℃ → 一百摄氏度  number with unit``; the same change is told once, with how often it was made."""
    counted = Counter((change.written, change.spoken, change.rules) for change in changes)
    for place, ((written, spoken, rules), count) in enumerate(counted.items()):
        if place == MOST_RULES:
            yield Piece("\n" + words.text("audit.detail.spoken.more_rules", more=len(counted) - MOST_RULES))
            return
        times = f" ×{count}" if count > 1 else ""
        said = words.text("query.word.comma").join(words.text(f"text.rule.{rule}") for rule in rules)
        yield Piece("\n" if place else "")
        yield Piece(shown_text(written, _LONGEST_SIDE), "changed" if spoken.strip() else "dropped")
        arrow = shown_text(spoken, _LONGEST_SIDE) if spoken.strip() else words.text("audit.detail.spoken.not_said")
        yield Piece(f" → {arrow}    {said}{times}")
