"""The judgements of an answer as a history: every round with its repeats, and what flipped between them, marked."""

from __future__ import annotations

from collections.abc import Sequence

from engine.judges.failed import reason_said
from engine.judges.today import read_today
from engine.query.flips import Opinion, Round, Said, rounds_of
from engine.query.told import JudgementTold
from gui.audit.detail.judgement_words import maker_line, verdict_words
from gui.audit.detail.text_part import TextPart
from gui.strings import words

_MINUTE = 16  # characters of a time up to its minute


def judgements_told(judgements: Sequence[JudgementTold]) -> list[TextPart]:
    """Every judgement, the newest first; above them how often opinions flipped, where any did."""
    rounds = rounds_of(judgements)
    parts = [_part(found, opinion) for found in rounds for opinion in found.opinions]
    newest_first = [part for _, part in sorted(parts, key=lambda entry: entry[0], reverse=True)]
    flips = sum(found.before is not None for found in rounds)
    odd = sum(found.odd_count for found in rounds)
    if not flips and not odd:
        return newest_first
    told = [words.text("audit.detail.flip.between_makers", count=flips)] if flips else []
    told += [words.text("audit.detail.flip.between_repeats", count=odd)] if odd else []
    return [TextPart(words.text("audit.detail.flip.heading"), "\n".join(told)), *newest_first]


def _part(found: Round, opinion: Opinion) -> tuple[int, TextPart]:
    judgement = opinion.judgement
    note = words.text("audit.detail.judgement.repeat", number=judgement.repeat + 1) if len(found.opinions) > 1 else ""
    return judgement.id, TextPart(maker_line(judgement), _told(judgement), note, _flip(found, opinion))


def _flip(found: Round, opinion: Opinion) -> str:
    """What is otherwise than before, or than the other repeats, or than today's reader would read it."""
    said = []
    if found.before is not None and not opinion.is_odd:
        differs = words.text("audit.detail.flip.joint").join(
            words.text(f"audit.detail.flip.{name}") for name in found.differs_in
        )
        said.append(
            words.text(
                "audit.detail.flip.from",
                before=_said(found.before),
                after=_said(found.said),
                differs=differs or words.text("audit.detail.flip.nothing"),
            )
        )
    if opinion.is_odd:
        others = len(found.opinions) - found.odd_count
        said.append(words.text("audit.detail.flip.odd", others=others, all=len(found.opinions), most=_said(found.said)))
    today = read_today(
        opinion.judgement.judge, str(found.maker.settings.get("language", "")), opinion.judgement.raw_reply
    )
    if today is not None and (today.state, today.verdict) != (opinion.judgement.state, opinion.judgement.verdict):
        said.append(words.text("audit.detail.flip.today", today=verdict_words(today.state, today.verdict, today.score)))
    return "\n".join(said)


def _said(said: Said) -> str:
    state, verdict = said
    if isinstance(verdict, str):
        return verdict_words(state, verdict, None)
    return verdict_words(state, None, verdict)


def _told(judgement: JudgementTold) -> str:
    lines = [verdict_words(judgement.state, judgement.verdict, judgement.score)]
    if judgement.score is not None and judgement.verdict is not None:
        lines[0] += f" ({judgement.score:g})"
    reason = reason_said(judgement.state, judgement.error, judgement.reason, words.language)
    lines += [part for part in (judgement.error, reason) if part]
    if judgement.flags:
        lines.append(words.text("audit.detail.judgement.flagged", flags=list(judgement.flags)))
    if judgement.tokens_in or judgement.tokens_out:
        spent = {"tokens_in": judgement.tokens_in or 0, "tokens_out": judgement.tokens_out or 0}
        lines.append(words.text("audit.detail.judgement.tokens", **spent))
    if judgement.raw_reply and judgement.raw_reply.strip() != (judgement.reason or "").strip():
        lines.append(words.text("audit.detail.judgement.raw", raw=judgement.raw_reply))
    return "\n".join([*lines, judgement.created_at[:_MINUTE].replace("T", " ")])
