"""What a lane says of its answer: its letter, verdicts and key figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gui.audit.detail.view_model import Loaded
from gui.strings import words
from gui.waveform.ticks import MINUS, decibel_text
from gui.widgets import shown_text

LETTERS = "ABCDEF"


@dataclass(frozen=True, slots=True)
class Fact:
    """A verdict: right or wrong as a mark, a score as text, or the shape of a state; ``said`` has it in words."""

    name: str
    kind: Literal["right", "wrong", "score", "state"]
    said: str
    text: str = ""
    state: str = ""


def letter(number: int) -> str:
    """The letter of a lane, from 0."""
    return LETTERS[number]


def name_said(number: int, system: str) -> str:
    """A lane by its letter and its system."""
    return f"{letter(number)} {shown_text(system, 80)}"


def verdict_facts(loaded: Loaded, method: str) -> tuple[Fact, ...]:
    """The verdicts on text and speech by the rules of ``method``."""
    found = []
    for subject in ("text", "speech"):
        verdict = loaded.detail.verdicts.get((method, subject))
        if verdict is None or not verdict.state:
            continue
        name = words.text(f"audit.table.{subject}")
        if verdict.state == "scored" and verdict.verdict in ("right", "wrong") and verdict.score is None:
            said = words.text(f"audit.verdict.{verdict.verdict}")
            found.append(Fact(name, "right" if verdict.verdict == "right" else "wrong", f"{name}: {said}"))
        elif verdict.state == "scored" and verdict.score is not None:
            text = f"{verdict.score:.1f}".removesuffix(".0")
            found.append(Fact(name, "score", f"{name}: {text}", text=text))
        else:
            said = words.text(f"widgets.state.{verdict.state}")
            found.append(Fact(name, "state", f"{name}: {said}", state=verdict.state))
    return tuple(found)


def figures(loaded: Loaded | None, method: str) -> list[str]:
    """Two lines of key figures; what has no value is left out."""
    if loaded is None:
        return []
    detail, derived = loaded.detail, loaded.detail.derived
    is_english = detail.asked.language == "en"
    column = "published_error_rate" if method == "published" else f"{'word' if is_english else 'syllable'}_error_rate"
    facts = (detail.answered.clip.facts if detail.answered.clip else None) or {}
    first = [
        ("error", derived.get(column), "{:.3f}"),
        ("dnsmos", derived.get("dnsmos_ovrl"), "{:.2f}"),
    ]
    second = [("length", facts.get("duration_s"), "{:.1f}"), ("first", derived.get("first_audio_s"), "{:.2f}")]
    lines = [
        [
            words.text(f"audit.compare.figure_{name}", value=form.format(value))
            for name, value, form in part
            if value is not None
        ]
        for part in (first, second)
    ]
    if facts.get("loudness_lufs") is not None:
        lines[1].append(words.text("player.lane.loudness", lufs=decibel_text(facts["loudness_lufs"])))
    return [" · ".join(line).replace("-", MINUS) for line in lines if line]
