"""Loads what Rate will need before it is wanted, beside the GUI thread: protocols, planning, checking, statistics."""

from __future__ import annotations

from collections.abc import Generator
from importlib import import_module

from engine.progress import Progress
from engine.strings import LANGUAGES
from gui.collecting import keep_what_is_loaded
from gui.rate.titles import shown_protocol

_ROOMS = (
    "engine.rating.create",
    "engine.rating.leaks",
    "engine.rating.screening",
    "engine.rating.exchange.known_answers",
)


def warmed() -> Generator[Progress, None, None]:
    """Read the shipped protocols in both languages and import the rooms that jobs of this screen call."""
    from engine.rating.protocols import protocol_ids

    wanted = [(name, language) for name in protocol_ids() for language in LANGUAGES]
    total = len(wanted) + len(_ROOMS)
    for done, (name, language) in enumerate(wanted, start=1):
        shown_protocol(name, language)
        yield Progress(done, total, name)
    for done, room in enumerate(_ROOMS, start=len(wanted) + 1):
        import_module(room)
        yield Progress(done, total, room)
    keep_what_is_loaded()
