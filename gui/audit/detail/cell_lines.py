"""Where the cells of an alignment stand: lines of cells, broken after a clause where that is near."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

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
    reach = list(accumulate(widths, initial=0.0))  # from the first cell to where each begins
    first = 0
    while first < len(cells):
        end = max(bisect_right(reach, reach[first] + room) - 1, first + 1)
        while end < len(cells) and cells[end].kind == "mark":
            end += 1
        if end < len(cells):
            end = _clause_end(cells, reach, first, end, room) or end
        lines.append(CellLine(first, end, tuple(accumulate(widths[first:end], initial=0.0))))
        first = end
    return lines


def _clause_end(cells: Sequence[Cell], reach: Sequence[float], first: int, end: int, room: float) -> int | None:
    """Behind the last clause of a line that ends late enough in it to break there; None without one."""
    for place in range(end, first, -1):
        if reach[place] - reach[first] <= CLAUSE_FROM * room:
            return None
        if cells[place - 1].kind == "mark" and _ends_clause(cells[place - 1]):
            return place
    return None


def line_of(lines: Sequence[CellLine], index: int) -> int:
    """The number of the line that holds a cell."""
    return max(bisect_right([line.first for line in lines], index) - 1, 0)


def _ends_clause(cell: Cell) -> bool:
    return (cell.reference or cell.hypothesis) in CLAUSE_MARKS
