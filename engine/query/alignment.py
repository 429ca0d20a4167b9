"""The alignment of one response as a screen draws it: cells, counts, times and mismatches, from what is stored."""

from __future__ import annotations

from dataclasses import dataclass

from engine.metrics.drawn import DrawnAlignment, drawn_alignment
from engine.metrics.located import CellTimes, MismatchSpan, mismatch_spans, times_by_estimate, times_by_words
from engine.query.told import ResponseDetail, TranscriptTold
from engine.text.published import PublishedCrash


@dataclass(frozen=True, slots=True)
class ShownAlignment:
    """The text of an answer against what one recogniser heard of its speech, by the rules of ``method``."""

    drawn: DrawnAlignment
    times: CellTimes
    mismatches: tuple[MismatchSpan, ...]
    transcript: TranscriptTold
    method: str


@dataclass(frozen=True, slots=True)
class NotShown:
    """Why there is no alignment: ``no_text``, ``not_recognised``, ``recognition_failed``, ``too_long``, ``crashes``."""

    why: str


def shown_alignment(detail: ResponseDetail, method: str = "corrected") -> ShownAlignment | NotShown:
    """The alignment that gives the stored rates of ``method``; mismatches stand in the corrected one alone.

    The counts of the cells are those of the stored measurement that rests on the same transcript.
    """
    transcript = detail.transcript(method)
    if transcript is None or transcript.text is None:
        is_failed = any(entry.state == "failed" for entry in detail.transcripts)
        return NotShown("recognition_failed" if is_failed else "not_recognised")
    if detail.answered.text is None:
        return NotShown("no_text")
    language = detail.asked.language
    try:
        drawn = drawn_alignment(detail.answered.text, transcript.text, language, method)
    except PublishedCrash:
        return NotShown("crashes")
    if drawn is None:
        return NotShown("too_long")
    times = _times(drawn, transcript, detail)
    found = detail.mismatches if method == "corrected" else ()
    return ShownAlignment(drawn, times, mismatch_spans(found, drawn.cells, times), transcript, method)


def _times(drawn: DrawnAlignment, transcript: TranscriptTold, detail: ResponseDetail) -> CellTimes:
    """By the recogniser's words where it was asked for their times, else an estimate over the sounding part."""
    if transcript.words:
        return times_by_words(drawn.cells, transcript.text or "", transcript.words)
    clip = detail.answered.clip
    facts = (clip.facts if clip else None) or {}
    start_s = facts.get("sound_start_s") or 0.0
    return times_by_estimate(drawn.cells, start_s, facts.get("sound_end_s") or facts.get("duration_s") or 0.0)
