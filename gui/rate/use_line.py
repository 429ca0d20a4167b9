"""What the ratings of a study may be used for: said first, for a correction from hand-picked answers would be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gui.rate import wording

if TYPE_CHECKING:
    from engine.store.studies import StudyRow

RANDOM_OFFERED = 30
ADJUDICATION = "adjudication"
TONES = {"random": "good", "stratified": "good", "active": "note", "manual": "warning"}


def use_of(study: StudyRow) -> tuple[str, str, str]:
    """The sentence, its tone, and the words on a button that mends it, or none."""
    added = int(study.design.get("added_random") or 0)
    if study.stage == ADJUDICATION:
        return wording.say("use.adjudication"), "note", ""
    if study.selection == "manual" and added:
        return wording.say("use.manual_and_random", n=added), "note", ""
    can_repeat = study.selection == "manual" and bool(study.design.get("protocols"))
    action = wording.say("use.add_random", n=RANDOM_OFFERED) if can_repeat else ""
    return wording.say(f"use.{study.selection}"), TONES[study.selection], action


def facts_of(study: StudyRow) -> str:
    """When and how it was made, in one line."""
    counts = study.design.get("counts") or {}
    parts = [wording.say("made", at=wording.day(study.made_at))]
    if counts.get("items"):
        parts.append(wording.several("items", int(counts["items"])))
    systems = counts.get("systems") or study.design.get("systems") or ()
    if systems:
        parts.append(wording.several("systems", len(systems)))
    parts.append(wording.say("seed", n=study.seed))
    if study.stage != "estimation":
        parts.append(wording.say(f"stage.{study.stage}") if study.stage == ADJUDICATION else study.stage)
    return " · ".join(parts)
