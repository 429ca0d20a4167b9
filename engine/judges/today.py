"""How today's rules would read what a judge wrote earlier, beside how it was read then."""

from __future__ import annotations

from engine.judges.declaration import load_judges
from engine.judges.read import read_reply
from engine.judges.values import Reading

LONGEST = 20_000  # characters of a reply that are read again on the spot; longer ones wait for a run


def read_today(judge: str, language: str, raw: str | None) -> Reading | None:
    """What today's reader makes of a stored reply; None without one, and where the judge is not declared any more.

    Nothing is stored and nobody is asked: a run that reads replies again does both for all of them.
    """
    declared = load_judges().get(judge)
    if declared is None or not raw or len(raw) > LONGEST:
        return None
    return read_reply(declared, language, raw)
