"""When each cell of a drawn alignment is heard, and from when to when a mismatch lasts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from engine.metrics.alignment import align
from engine.metrics.drawn import Cell
from engine.metrics.mismatch import Mismatch, MismatchKind

Span = tuple[float, float]
TimesFrom = Literal["words", "estimate", "nothing"]

_MARK_WEIGHT = 0.6  # of a character: how long an estimate takes a pause to be


@dataclass(frozen=True, slots=True)
class HeardWord:
    """A word or character with when it was heard, in seconds from the start of the clip."""

    text: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class CellTimes:
    """From when to when each cell is heard, None for marks and where nothing is known.

    A cell of which nothing was heard has the time between its neighbours. ``source`` says whether the times are the
    recogniser's (``words``) or spread evenly over the sound (``estimate``).
    """

    spans: tuple[Span | None, ...]
    source: TimesFrom


@dataclass(frozen=True, slots=True)
class MismatchSpan:
    """One passage where speech and text part, in the sound and in the cells (``first_cell`` up to ``end_cell``).

    ``count`` is how often a repeated passage is said in all. The times are None where the cells have none.
    """

    kind: MismatchKind
    start_s: float | None
    end_s: float | None
    text: str
    count: int
    first_cell: int
    end_cell: int


def times_by_words(cells: Sequence[Cell], transcript: str, words: Sequence[HeardWord]) -> CellTimes:
    """The times of the cells from the recogniser's word times; those of a word are shared out among its characters."""
    by_character = _character_times(transcript, words)
    spans: list[Span | None] = []
    for cell in cells:
        heard = (
            () if cell.hypothesis_span is None or cell.kind == "mark" else by_character[slice(*cell.hypothesis_span)]
        )
        known = [span for span in heard if span is not None]
        spans.append((min(s for s, _ in known), max(e for _, e in known)) if known else None)
    return CellTimes(_gaps_filled(cells, spans), "words" if any(spans) else "nothing")


def carried_words(heard: str, words: Sequence[HeardWord], text: str) -> list[HeardWord]:
    """The characters of ``text`` with the times of what a recogniser heard of the same sound, as far as both agree.

    What the recogniser missed shares the time of its neighbour; without any word times there are none.
    """
    known = _character_times(heard, words)
    if not any(known):
        return []
    times: list[Span | None] = [None] * len(text)
    at_heard = at_text = 0
    for edit in (*align(heard, text).edits, None):
        end = len(heard) if edit is None else edit.ref_start
        for step in range(end - at_heard):
            times[at_text + step] = known[at_heard + step]
        if edit is not None:
            for step in range(min(edit.ref_end - edit.ref_start, edit.hyp_end - edit.hyp_start)):
                times[edit.hyp_start + step] = known[edit.ref_start + step]
            at_heard, at_text = edit.ref_end, edit.hyp_end
    spoken = [place for place, character in enumerate(text) if not character.isspace()]
    return [
        HeardWord(text[place], *span) for place, span in zip(spoken, _shared_out([times[place] for place in spoken]))
    ]


def times_by_estimate(cells: Sequence[Cell], sound_start_s: float, sound_end_s: float) -> CellTimes:
    """Times spread over the sounding part of a clip by how long the words heard are; pauses where marks stand."""
    weights = [_weight(cell) for cell in cells]
    total = sum(weights)
    if not total or sound_end_s <= sound_start_s:
        return CellTimes((None,) * len(cells), "nothing")
    spans: list[Span | None] = []
    at = 0.0
    for cell, weight in zip(cells, weights):
        start, at = at, at + weight
        is_heard = cell.kind != "mark" and cell.hypothesis_place is not None
        length = sound_end_s - sound_start_s
        spans.append(
            (sound_start_s + start / total * length, sound_start_s + at / total * length) if is_heard else None
        )
    return CellTimes(_gaps_filled(cells, spans), "estimate")


def mismatch_spans(found: Sequence[Mismatch], cells: Sequence[Cell], times: CellTimes) -> tuple[MismatchSpan, ...]:
    """Where each mismatch lies among the cells, and when; one that no cell belongs to is left out.

    The indices of a mismatch count tokens of the corrected alignment.
    """
    spans = []
    for mismatch in found:
        in_speech = mismatch.kind in ("insertion", "repetition")
        places = [
            index
            for index, cell in enumerate(cells)
            if (place := cell.hypothesis_place if in_speech else cell.reference_place) is not None
            and mismatch.start <= place < mismatch.end
        ]
        if not places:
            continue
        first, end = places[0], places[-1] + 1
        known = [span for span in times.spans[first:end] if span is not None]
        start_s = min(s for s, _ in known) if known else None
        end_s = max(e for _, e in known) if known else None
        spans.append(MismatchSpan(mismatch.kind, start_s, end_s, mismatch.text, mismatch.count, first, end))
    return tuple(spans)


def cell_at(times: CellTimes, at_s: float) -> int | None:
    """The cell that is heard at a time: the one that lasts then, else the last that ended; None before the first."""
    last = None
    for index, span in enumerate(times.spans):
        if span is None or span[0] > at_s:
            continue
        last = index
        if span[0] <= at_s < span[1]:
            return index
    return last


def _character_times(transcript: str, words: Sequence[HeardWord]) -> list[Span | None]:
    times: list[Span | None] = [None] * len(transcript)
    cursor = 0
    for word in words:
        said = word.text.strip()
        at = transcript.find(said, cursor) if said else -1
        if at < 0:
            continue
        step = (word.end_s - word.start_s) / len(said)
        for index in range(len(said)):
            times[at + index] = (word.start_s + index * step, word.start_s + (index + 1) * step)
        cursor = at + len(said)
    return times


def _shared_out(spans: Sequence[Span | None]) -> list[Span]:
    """Each None gets a part of the known span before it, at the beginning of the one after it; [] where none is."""
    groups: list[tuple[Span, int]] = []
    waiting = 0
    for span in spans:
        if span is not None:
            groups.append((span, 1 + waiting))
            waiting = 0
        elif groups:
            groups[-1] = (groups[-1][0], groups[-1][1] + 1)
        else:
            waiting += 1
    found = []
    for (start, end), count in groups:
        step = (end - start) / count
        found += [(start + n * step, start + (n + 1) * step) for n in range(count)]
    return found


def _weight(cell: Cell) -> float:
    if cell.kind == "mark":
        return _MARK_WEIGHT
    if cell.hypothesis_place is None:
        return 0.0
    return 1.0 if not cell.hypothesis.isascii() else 0.8 + 0.25 * len(cell.hypothesis)


def _gaps_filled(cells: Sequence[Cell], spans: Sequence[Span | None]) -> tuple[Span | None, ...]:
    """Deletions get the time from the end of what was heard before to the start of what was heard next."""
    filled = list(spans)
    following: list[float | None] = []
    later: float | None = None
    for span in reversed(spans):
        following.append(later)
        later = span[0] if span is not None else later
    following.reverse()
    before: float | None = None
    for index, (cell, span) in enumerate(zip(cells, spans)):
        if span is not None:
            before = span[1]
        elif cell.kind != "mark":
            start = before if before is not None else following[index]
            end = following[index] if following[index] is not None else before
            if start is not None and end is not None:
                filled[index] = (min(start, end), max(start, end))
    return tuple(filled)
