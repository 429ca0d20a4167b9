"""What the line above the buttons says: what has to be done first, or what a key did."""

from __future__ import annotations

from engine.errors import EngineError
from gui.rate.sitting.clips_card import clip_name
from gui.rate.sitting.item import Item
from gui.rate.sitting.skip_panel import REASONS
from gui.rate.sitting.tagging import Tagging
from gui.rate.sitting.view_model import SittingViewModel
from gui.rate.sitting.wording import percent, percent_of_needed, say
from gui.strings import words

Hint = tuple[str, str]  # a sentence, and its tone
_NOTES = ("speed_locked", "undone", "redone", "flagged", "unflagged", "first", "nothing_to_undo", "nothing_to_redo",
          "nothing_to_tag")  # fmt: skip


def hint_of(model: SittingViewModel, tagging: Tagging, said: str, no_sound: EngineError | None) -> Hint:
    """The hint of now.

    Args:
        said: what was hinted last, as the name of a sentence; "" once it is forgotten.
        no_sound: why a clip could not be played.
    """
    item = model.item
    if item is None:
        return "", "note"
    if tagging.is_on:
        return tagging.sentence(), "note"
    if model.saving.is_slow:
        return say("hint.saving"), "warning"
    if no_sound is not None:
        is_of_device = no_sound.code.startswith("player.")
        why = words.error(no_sound) if is_of_device else say("clip.broken").split("|")[0]
        return say("hint.no_sound", why=why), "warning"
    return _said(item, said) or _standing(item)


def _said(item: Item, said: str) -> Hint | None:
    """What a key did, or what it lacked."""
    if said == "choose" and item.lacks is not None:
        return say("hint.choose", question=item.lacks.question), "warning"
    if said.startswith("tagged:"):
        return say("hint.tagged", name=say(f"tag.{said.partition(':')[2]}")), "note"
    return (say(f"hint.{said}"), "note") if said in _NOTES else None


def _standing(item: Item) -> Hint:
    """That it was skipped, or why it cannot be rated yet."""
    if item.skip_reason:
        reason = say(f"skip.{item.skip_reason}") if item.skip_reason in REASONS else item.skip_reason
        return say("hint.skipped", reason=reason), "note"
    if item.is_open:
        return "", "note"
    if item.broken:
        return say("hint.broken", keys="S"), "warning"
    part, needed = item.to_hear[0], item.protocol.heard_at_least
    heard = percent_of_needed(item.share(part), needed)
    return say("hint.listen", name=clip_name(item, part), needed=percent(needed), n=heard), "warning"
