"""What the history of an answer tells of corrections, and the rates that each transcript gives."""

from __future__ import annotations

from engine.query.told import ResponseDetail, TranscriptTold
from engine.scoring.derive import floor_metric
from gui.audit.correction.wording import person_transcript, say, when
from gui.audit.detail.text_part import TextPart
from gui.strings import words


def corrections_told(detail: ResponseDetail) -> list[TextPart]:
    """What people heard, the newest first, what was taken back too."""
    parts = []
    holds = next((c for c in reversed(detail.corrections) if c.taken_back_at is None), None)
    person = person_transcript(detail)
    for correction in reversed(detail.corrections):
        lines = [correction.text or say("nothing")]
        if correction is holds and person is not None:
            lines += rates_told(detail, person)
        lines.append(when(correction.made_at))
        if correction.taken_back_at is not None:
            lines.append(say("history.taken_back", when=when(correction.taken_back_at)))
        note = "" if correction.is_own else say("history.elsewhere")
        parts.append(TextPart(say("history.heading"), "\n".join(lines), note))
    return parts


def rates_told(detail: ResponseDetail, transcript: TranscriptTold) -> list[str]:
    """The error rate that a transcript gives by today's rules and, where others came before, by theirs."""
    metric = floor_metric("en" if detail.asked.language == "en" else "zh")
    found = [m for m in detail.measurements if m.metric == metric and m.transcript_maker == transcript.maker.key]
    return [
        f"{words.text(f'audit.detail.metric.{metric}')} {m.value:.3f}"
        + (f" ({m.errors:g} / {m.reference_length:g})" if m.errors is not None and m.reference_length else "")
        + (f", v{m.maker.code_version}" if len(found) > 1 else "")
        for m in found
        if m.value is not None
    ]
