"""Where the cells of an alignment stand: lines of cells, broken after a clause where that is near."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from engine.metrics.drawn import Cell

CLAUSE_FROM = 0.6  # of a line must be full before a clause's end may break it
CLAUSE_MARKS = frozenset("，。！？；：、,.!?;:…")


@dataclass(frozen=True, slots=True)
class CellLine:
    """The cells ``first`` up to ``end`` of one line; ``lefts`` has where each begins, and where the last one ends."""

    first: int
    end: int
    lefts: tuple[float, ...]

    def index_at(self, x: float) -> int | None:
        """The cell at a place in the line, None beside its cells."""
        if not self.lefts or not self.lefts[0] <= x < self.lefts[-1]:
            return None
        return self.first + bisect_right(self.lefts, x) - 1

    def span(self, index: int) -> tuple[float, float]:
        """From where to where a cell of the line reaches."""
        return self.lefts[index - self.first], self.lefts[index - self.first + 1]


def cell_lines(cells: Sequence[Cell], widths: Sequence[float], room: float) -> list[CellLine]:
    """The cells in lines of at most ``room``; a mark never begins a line, it may stand out at the end."""
    lines: list[CellLine] = []
    first = 0
    while first < len(cells):
        end, filled = first, 0.0
        clause = first
        while end < len(cells):
            is_mark = cells[end].kind == "mark"
            if filled + widths[end] > room and end > first and not is_mark:
                break
            filled += widths[end]
            end += 1
            if is_mark and filled > CLAUSE_FROM * room and _ends_clause(cells[end - 1]):
                clause = end
        if end < len(cells) and clause > first:
            end = clause
        lefts = [0.0]
        for width in widths[first:end]:
            lefts.append(lefts[-1] + width)
        lines.append(CellLine(first, end, tuple(lefts)))
        first = end
    return lines


def line_of(lines: Sequence[CellLine], index: int) -> int:
    """The number of the line that holds a cell."""
    return max(bisect_right([line.first for line in lines], index) - 1, 0)


def _ends_clause(cell: Cell) -> bool:
    return (cell.reference or cell.hypothesis) in CLAUSE_MARKS
