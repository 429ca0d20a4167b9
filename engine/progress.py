"""What a long piece of work reports while it goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` items; ``label`` names the last one or the step, ``failed`` counts those that failed.

    ``total`` is 0 while it is not known yet.
    """

    done: int
    total: int
    label: str = ""
    failed: int = 0
