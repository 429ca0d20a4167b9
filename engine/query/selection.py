"""What one screen hands to another: a filter, or the ids of certain answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Selection:
    """Answers by the text of a filter, by their response ids, or by both: then those of the ids that match.

    ``purpose`` says what is to be done with them where there is a choice: ``measure`` or ``judge`` them again.
    """

    query: str = ""
    ids: tuple[int, ...] = ()
    purpose: str = ""
