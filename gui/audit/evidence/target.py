"""What something is said of: one answer, a span of it, or all that is chosen in the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.query.fields import Method
from engine.query.ranks import SortKey
from engine.query.selection import Selection
from engine.store.evidence import Span
from gui.strings import words


@dataclass(frozen=True, slots=True)
class Target:
    """``count`` answers of a selection, under the method and in the order of the table; ``span`` is of a single one."""

    selection: Selection
    count: int
    method: Method = "corrected"
    sort: Sequence[SortKey] = ()
    span: Span | None = None

    @property
    def words(self) -> str:
        """What it is, for a sentence."""
        if self.span is not None:
            return words.text("evidence.target.span", start=self.span.start_s, end=self.span.end_s)
        if self.count == 1:
            return words.text("evidence.target.one")
        return words.text("evidence.target.many", count=f"{self.count:,}")
