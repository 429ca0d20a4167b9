"""How corrections and what they flip are put into words. No widget, no rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.query.told import ResponseDetail, TranscriptTold
from gui.strings import words

if TYPE_CHECKING:
    from engine.runs.correction import Corrected
    from engine.scoring.flips import Flip, Side
    from engine.store.corrections import Correction

_MINUTE = 16


def say(key: str, **values: object) -> str:
    """One sentence of the room."""
    return words.text(f"correction.{key}", **values)


def person_transcript(detail: ResponseDetail) -> TranscriptTold | None:
    """What a person heard in an answer; None where nobody corrected it."""
    return next((t for t in reversed(detail.transcripts) if t.maker.kind == "person"), None)


def machine_transcript(detail: ResponseDetail) -> TranscriptTold | None:
    """What the newest recogniser heard; None where none did."""
    heard = (t for t in reversed(detail.transcripts) if t.maker.kind != "person" and t.state == "scored")
    return next(heard, None)


def when(at: str) -> str:
    """A stored time up to its minute."""
    return at[:_MINUTE].replace("T", " ")


def holding(detail: ResponseDetail) -> Correction | None:
    """The correction that holds; None where there is none."""
    return next((c for c in reversed(detail.corrections) if c.taken_back_at is None), None)


def strip_said(detail: ResponseDetail, method: str) -> str:
    """Who corrected the transcript when, and what the recogniser heard; "" where nobody did."""
    person, machine = holding(detail), machine_transcript(detail)
    if person is None:
        return ""
    if method == "published":
        return say("strip_published", text=person.text or say("nothing"), when=when(person.made_at))
    if machine is None:
        return say("strip_alone", when=when(person.made_at))
    return say("strip", when=when(person.made_at), maker=machine.maker.name, text=machine.text or say("nothing"))


def outcome(kind: str, found: Corrected) -> str:
    """What came of a step, for the status line."""
    if found.uid is None:
        return say("same" if kind == "kept" else "nothing_done")
    flips = flips_said(found.flips)
    return say(f"done.{kind}") + (say("so", flips=flips) if flips else say("no_flips"))


def flips_said(flips: Sequence[Flip]) -> str:
    """The flips of one answer under the corrected method, each in a few words."""
    told = [
        say("flip", subject=words.text(f"scoring.flips.{flip.subject}"), before=side_said(flip.before),
            after=side_said(flip.after))
        for flip in flips
        if flip.method == "corrected"
    ]  # fmt: skip
    return say("joint").join(dict.fromkeys(told))


def side_said(side: Side) -> str:
    """A verdict, a state or an error rate."""
    if side.verdict in ("under", "over") and side.value is not None:
        return f"{side.value:.3f}"
    if side.value is not None:
        return f"{side.value:g}"
    room = "verdict" if side.verdict in ("right", "wrong") else "state"
    return words.text(f"scoring.{room}.{side.said}")
