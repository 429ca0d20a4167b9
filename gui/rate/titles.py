"""How protocols are called on screen: by their title in the language of now, by their id where they do not ship."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.errors import EngineError
from gui.strings import words

if TYPE_CHECKING:
    from engine.rating.values import Protocol
    from engine.store.studies import SessionRow


def protocol_title(session: SessionRow) -> str:
    """The title of a session's protocol."""
    return title_of(session.protocol_name)


def title_of(name: str) -> str:
    """The title of a protocol by its id."""
    found = shown_protocol(name, words.language)
    return found.title if found is not None else name


@cache
def shown_protocol(name: str, language: str) -> Protocol | None:
    """A shipped protocol in a language; None where it is none of ours."""
    from engine.rating.protocols import load_protocol

    try:
        return load_protocol(name, language)
    except EngineError:
        return None
