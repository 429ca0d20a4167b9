"""Pictures of rows that were painted, and of cells that look alike in many rows: each is painted once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap

from engine.query.rows import AuditRow
from gui.audit.cell_painter import PADDING, Cell, paint_cell
from gui.audit.columns import Column
from gui.audit.row_painter import Look, paint_ground, paint_row
from gui.theme import height, theme

_MOST_ROWS = 80  # 0.16 MB each at 1520 px
_MOST_CELLS = 400  # 10 kB each


class _Painted(NamedTuple):
    row: AuditRow
    highest: int | None
    picture: QPixmap


class RowPictures:
    """Paints rows for one arrangement of columns, language and pixel ratio; ``forget`` when one of them is another."""

    def __init__(self) -> None:
        self._rows: OrderedDict[tuple[int, Look, str], _Painted] = OrderedDict()
        self._cells: OrderedDict[Hashable, QPixmap] = OrderedDict()
        self._ratio = 1

    def forget(self) -> None:
        """Paint every row anew."""
        self._rows.clear()
        self._cells.clear()

    def picture_of(
        self, row: AuditRow, highest: int | None, look: Look, places: Sequence[tuple[Column, int, int]], ratio: int
    ) -> QPixmap:
        """A row as wide as its columns; painted where it is not kept, or says something else than when it was."""
        if ratio != self._ratio:
            self.forget()
            self._ratio = ratio
        key = (row.id, look, theme().name)
        kept = self._rows.get(key)
        if kept is not None and kept.highest == highest and (kept.row is row or kept.row == row):
            self._rows.move_to_end(key)
            return kept.picture
        self._rows[key] = painted = _Painted(row, highest, self._paint(row, highest, look, places))
        while len(self._rows) > _MOST_ROWS:
            self._rows.popitem(last=False)
        return painted.picture

    def _paint(
        self, row: AuditRow, highest: int | None, look: Look, places: Sequence[tuple[Column, int, int]]
    ) -> QPixmap:
        picture = self._blank(max((left + width for _, left, width in places), default=1))
        painter = QPainter(picture)
        paint_row(painter, 0, places, row, highest, look, 0, self._cell)
        painter.end()
        return picture

    def _cell(self, cell: Cell, look: Look) -> QPixmap:
        wide = cell.room.width() + 2 * PADDING
        key = (cell.kind, wide, cell.said, look.chosen, look.hovered, theme().name)
        picture = self._cells.get(key)
        if picture is not None:
            self._cells.move_to_end(key)
            return picture
        self._cells[key] = picture = self._blank(wide)
        painter = QPainter(picture)
        paint_ground(painter, QRect(0, 0, wide, height("row")), look)
        room = QRect(PADDING, 0, cell.room.width(), cell.room.height())
        paint_cell(painter, Cell(room, cell.kind, cell.said, cell.chosen))
        painter.end()
        while len(self._cells) > _MOST_CELLS:
            self._cells.popitem(last=False)
        return picture

    def _blank(self, wide: int) -> QPixmap:
        picture = QPixmap(wide * self._ratio, height("row") * self._ratio)
        picture.setDevicePixelRatio(self._ratio)
        return picture
