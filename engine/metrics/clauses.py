"""Where in one spoken answer another one says the same: clauses with their times, matched by the words they share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import LCSseq

from engine.metrics.drawn import Cell, drawn_alignment
from engine.metrics.located import CellTimes, HeardWord, TimesFrom, times_by_estimate, times_by_words
from engine.text.published import PublishedCrash

Mode = Literal["second", "restart", "clause"]
How = Literal["second", "over", "restart", "clause", "share"]
MODES: tuple[Mode, ...] = ("second", "restart", "clause")

LEAST_ALIKE = 0.4
_ENDS = frozenset("，。！？；：,.!?;:…")
_LONGEST = 24  # tokens of a clause that no mark ends
_PAUSE_S = 0.3  # ends a clause that has become long
_FAR = 0.05  # what the whole length of an answer counts for against likeness


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of an answer that ends at a mark, a line's end or a pause.

    Attributes:
        tokens: toned syllables and words, in order; what was heard beside the text is not among them.
        span: from which character to which it stands in the text.
        start_s, end_s: when it is said; None where no part of it was heard.
    """

    tokens: tuple[str, ...]
    span: tuple[int, int]
    start_s: float | None
    end_s: float | None


@dataclass(frozen=True, slots=True)
class Voice:
    """A spoken answer in clauses; ``source`` says where their times come from."""

    clauses: tuple[Clause, ...]
    duration_s: float
    source: TimesFrom = "nothing"

    def at(self, second: float) -> int | None:
        """The clause that is said at ``second``, else the last before it; None before the first."""
        found = None
        for place, clause in enumerate(self.clauses):
            if clause.start_s is not None and clause.start_s <= second:
                found = place
        return found


@dataclass(frozen=True, slots=True)
class Landing:
    """Where to go on in another answer.

    Attributes:
        how: the mode, where it could be kept; ``over``: the other has ended by that second, so it begins again;
            ``share``: no clause says the same, so it is the same share of the length.
        is_estimated: it rests on times that the recogniser did not give.
        clause: the place of the clause gone to, where it is one.
    """

    at_s: float
    how: How
    is_estimated: bool = False
    clause: int | None = None


def landing(mode: Mode, here: Voice, second: float, there: Voice) -> Landing:
    """Where to go on in ``there`` when ``here`` is heard at ``second``.

    >>> here = Voice((Clause(("a", "b"), (0, 3), 0.0, 1.0), Clause(("c", "d"), (4, 7), 1.0, 2.0)), 2.0, "words")
    >>> there = Voice((Clause(("c", "d", "e"), (0, 5), 0.5, 2.5), Clause(("a", "b"), (6, 9), 2.5, 4.0)), 4.0, "words")
    >>> [landing(mode, here, 1.5, there).at_s for mode in MODES]
    [1.5, 0.0, 0.5]
    """
    if mode == "restart":
        return Landing(0.0, "restart")
    if mode == "second":
        is_over = 0 < there.duration_s <= second
        return Landing(0.0 if is_over else max(second, 0.0), "over" if is_over else "second")
    place = here.at(second)
    if place is None and here.clauses and here.source != "nothing":
        return Landing(0.0, "restart")
    found = None if place is None else matching(here, place, there)
    if found is not None and (start_s := there.clauses[found].start_s) is not None:
        return Landing(start_s, "clause", "estimate" in (here.source, there.source), found)
    return same_share(here, second, there)


def same_share(here: Voice, second: float, there: Voice) -> Landing:
    """As far into ``there`` as ``second`` is into ``here``, of their lengths; the start where one is not known."""
    share = min(max(second / here.duration_s, 0.0), 1.0) if here.duration_s > 0 else 0.0
    return Landing(share * there.duration_s, "share", True)


def matching(here: Voice, place: int, there: Voice) -> int | None:
    """The clause of ``there`` most like clause ``place`` of ``here``; None where none is like it, or none was heard.

    Of two equally like ones it is the one at the nearer share of the answer.
    """
    best, found = 0.0, None
    for other, clause in enumerate(there.clauses):
        if clause.start_s is None:
            continue
        alike = likeness(here.clauses[place].tokens, clause.tokens)
        if alike < LEAST_ALIKE:
            continue
        alike -= _FAR * abs(place / len(here.clauses) - other / len(there.clauses))
        if alike > best:
            best, found = alike, other
    return found


def likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Tokens that both have in the same order, over the geometric mean of the lengths; 1 for equal, 0 for none.

    A single token in common is none, unless a side has no more.

    >>> round(likeness("夏 至 白 天 最 长".split(), "白 天 最 长 的 是 夏 至".split()), 2)
    0.58
    """
    if not one or not other:
        return 0.0
    common = LCSseq.similarity(one, other)
    if common < min(2, len(one), len(other)):
        return 0.0
    return float(common / math.sqrt(len(one) * len(other)))


def voice_of_cells(text: str, cells: Sequence[Cell], times: CellTimes, duration_s: float) -> Voice:
    """The clauses of ``text``, whose tokens stand on the upper side of an alignment with what was heard."""
    parts = _joined(_parts(text, cells, times))
    return Voice(tuple(_clause(cells, times, part) for part in parts), duration_s, times.source)


def voice_of_text(
    text: str,
    language: str,
    duration_s: float,
    sound: tuple[float, float] | None = None,
    words: Sequence[HeardWord] = (),
) -> Voice:
    """The clauses of a text that has nothing to be aligned with.

    Args:
        sound: from when to when something sounds; by default all of it. Times are spread over it.
        words: the text's own words with their times, where it is what a recogniser heard.
    """
    try:
        drawn = drawn_alignment(text, text, language)
    except PublishedCrash:
        drawn = None
    if drawn is None:
        return Voice((), duration_s)
    times = (
        times_by_words(drawn.cells, text, words)
        if words
        else times_by_estimate(drawn.cells, *(sound or (0.0, duration_s)))
    )
    return voice_of_cells(text, drawn.cells, times, duration_s)


def _parts(text: str, cells: Sequence[Cell], times: CellTimes) -> Iterator[list[int]]:
    """The cells of each clause, marks left out."""
    part: list[int] = []
    tokens, read, heard_until = 0, 0, 0.0
    for place, cell in enumerate(cells):
        span, begun = times.spans[place], cell.reference_span
        if begun is not None and "\n" in text[read : begun[0]] and part:
            yield part
            part, tokens = [], 0
        read = begun[1] if begun is not None else read
        if cell.kind == "mark":
            if cell.reference in _ENDS and part:
                yield part
                part, tokens = [], 0
            continue
        pauses = times.source == "words" and span is not None and span[0] - heard_until >= _PAUSE_S
        if tokens >= _LONGEST or (tokens >= _LONGEST // 2 and pauses):
            yield part
            part, tokens = [], 0
        heard_until = span[1] if span is not None else heard_until
        part.append(place)
        tokens += cell.reference_place is not None
    if part:
        yield part


def _joined(parts: Iterator[list[int]]) -> Iterator[list[int]]:
    """A clause of one word goes with the next."""
    held: list[int] = []
    for part in parts:
        held = [*held, *part]
        if len(held) > 1:
            yield held
            held = []
    if held:
        yield held


def _clause(cells: Sequence[Cell], times: CellTimes, part: Sequence[int]) -> Clause:
    written = [cells[place] for place in part if cells[place].reference_place is not None]
    spans = [cell.reference_span for cell in written if cell.reference_span is not None]
    heard = [
        span
        for place in part
        if cells[place].reference_place is not None
        and cells[place].hypothesis_place is not None
        and (span := times.spans[place]) is not None
    ]
    return Clause(
        tuple(cell.reference_syllable or cell.reference.casefold() for cell in written),
        (min((start for start, _ in spans), default=0), max((end for _, end in spans), default=0)),
        min((start for start, _ in heard), default=None),
        max((end for _, end in heard), default=None),
    )
