"""Whether raters could tell the systems of a blind study apart, and what on playback helps against it."""

from engine.rating.leaks.check import check_leaks
from engine.rating.leaks.fixes import allowed_fixes, most_fixes, playback_fixes
from engine.rating.leaks.values import ClipFix, Cue, Fixes, LeakReport, NameSaid
from engine.rating.leaks.words import cue_sentence, remedy_of, sentences_of

__all__ = [
    "ClipFix",
    "Cue",
    "Fixes",
    "LeakReport",
    "NameSaid",
    "allowed_fixes",
    "check_leaks",
    "cue_sentence",
    "most_fixes",
    "playback_fixes",
    "remedy_of",
    "sentences_of",
]
