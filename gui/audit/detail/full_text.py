"""Texts at full length: question, answer, raw reply and history as parts with a heading each."""

from __future__ import annotations

import json

from engine.query.told import JudgementTold, ResponseDetail
from engine.store.evidence import ToldChange
from gui.audit.correction.history import corrections_told, rates_told
from gui.audit.detail.history_words import judgements_told
from gui.audit.detail.judgement_words import maker_line
from gui.audit.detail.measurement_lines import fault_words, maker_told, maker_words
from gui.audit.detail.people_words import people_told
from gui.audit.detail.text_part import TextPart
from gui.strings import words

_MINUTE = 16  # characters of a time up to its minute


def texts_of(detail: ResponseDetail) -> list[TextPart]:
    """What was asked and answered, whole."""
    asked = detail.asked
    parts = []
    if asked.context:
        turns = "\n".join(f"{turn.role}: {turn.text}" for turn in asked.context)
        parts.append(TextPart(_heading("context"), turns))
    parts.append(TextPart(_heading("question"), asked.question))
    if asked.reference is not None:
        parts.append(TextPart(_heading("reference"), asked.reference))
    parts.append(TextPart(_heading("answer"), detail.answered.text or "—", detail.system.name))
    parts += [
        TextPart(_heading("heard"), transcript.text or "—", maker_words(transcript.maker))
        for transcript in detail.transcripts
        if transcript.state == "scored"
    ]
    labels = {**({"category": asked.category} if asked.category else {}), **asked.labels}
    if labels:
        parts.append(
            TextPart(_heading("labels"), "\n".join(f"{name}: {_told(value)}" for name, value in labels.items()))
        )
    note = detail.system.declaration.get("note")
    declared = note.get(words.language, "") if isinstance(note, dict) else note or ""
    parts.append(TextPart(_heading("system"), "\n".join(filter(None, (system_title(detail), str(declared))))))
    return parts


def raw_replies_of(judgements: tuple[JudgementTold, ...]) -> list[TextPart]:
    """What judges wrote, as it came."""
    return [
        TextPart(maker_line(judgement), judgement.raw_reply, _repeat(judgement))
        for judgement in judgements
        if judgement.raw_reply
    ]


def history_of(detail: ResponseDetail) -> list[TextPart]:
    """Every judgement, the newest first and what flipped marked, then transcripts, and all that people said."""
    parts = judgements_told(detail.judgements)
    if not parts:
        parts = [TextPart(_heading("judgements"), words.text("audit.detail.judgement.none"))]
    parts += people_told(detail.people)
    parts += corrections_told(detail)
    for transcript in reversed(detail.transcripts):
        if transcript.maker.kind == "person":
            continue
        told = [transcript.text or transcript.error or "—", *(fault_words(flag) for flag in transcript.flags)]
        told += [*rates_told(detail, transcript), _when(transcript.created_at), maker_told(transcript.maker)]
        parts.append(TextPart(_heading("heard"), "\n".join(told)))
    if detail.changes:
        changes = "\n".join(_change_told(change) for change in reversed(detail.changes))
        parts.append(TextPart(words.text("audit.detail.flip.said"), changes))
    return parts


def system_title(detail: ResponseDetail) -> str:
    """What the system calls itself, else its name."""
    title = detail.system.declaration.get("title")
    if isinstance(title, dict):
        return str(title.get(words.language) or title.get("en") or detail.system.name)
    return str(title or detail.system.name)


def _change_told(change: ToldChange) -> str:
    """One thing that somebody said or took back, with its span and when."""
    said = words.text(f"audit.detail.flip.{change.table}_{change.change}", text=change.text)
    span = _span(change.span.start_s, change.span.end_s) if change.span is not None else ""
    where = "" if change.is_own else f", {words.text('audit.detail.flip.elsewhere')}"
    return f"{said}{span}  {_when(change.made_at)}{where}"


def _repeat(judgement: JudgementTold) -> str:
    return words.text("audit.detail.judgement.repeat", number=judgement.repeat + 1) if judgement.repeat else ""


def _heading(part: str) -> str:
    return words.text(f"audit.detail.part.{part}")


def _when(at: str) -> str:
    return at[:_MINUTE].replace("T", " ")


def _span(start_s: float | None, end_s: float | None) -> str:
    return "" if start_s is None or end_s is None else f" {start_s:.2f}–{end_s:.2f} s"


def _told(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
