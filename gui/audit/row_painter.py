"""Paints a row of the table: its ground, its cells, and the edge of a row that is chosen or looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter, QPixmap

from engine.query.rows import AuditRow
from gui.audit.cell_painter import PADDING, SHARED, Cell, paint_cell, said_in
from gui.audit.columns import Column
from gui.theme import height, theme
from gui.widgets import paint_focus

_BAR = 3


@dataclass(frozen=True, slots=True)
class Look:
    """How a row stands in the table: chosen, under the mouse, and whether the keyboard came to it."""

    chosen: bool = False
    hovered: bool = False
    ringed: bool = False


PictureOf = Callable[[Cell, Look], QPixmap]


def paint_row(
    painter: QPainter,
    top: int,
    places: Sequence[tuple[Column, int, int]],
    row: AuditRow | None,
    highest: int | None,
    look: Look,
    number: int,
    picture_of: PictureOf | None = None,
) -> None:
    """A row of the table at ``top``; a stroke for each text while it is being read.

    Args:
        places: each column shown, its left and its width.
        highest: the highest score of the row's scale.
        number: the row's number, by which placeholders differ.
        picture_of: gives a picture of a whole cell, ground and all, for cells that look alike in many rows.
    """
    tall = height("row")
    end = max((left + width for _, left, width in places), default=0)
    first = min((left for _, left, _ in places), default=0)
    whole = QRect(first, top, end - first, tall)
    paint_ground(painter, whole, look)
    for column, left, width in places:
        room = QRect(left + PADDING, top, width - 2 * PADDING, tall - 1)
        if room.width() <= 0:
            continue
        if row is None:
            _placeholder(painter, room, column, number)
            continue
        cell = Cell(room, column.kind, said_in(row, column, highest), look.chosen)
        if picture_of is not None and column.kind in SHARED:
            painter.drawPixmap(left, top, picture_of(cell, look))
        else:
            paint_cell(painter, cell)
    _paint_edge(painter, whole, look)


def paint_ground(painter: QPainter, rect: QRect, look: Look) -> None:
    """What is under the cells, and the line to the next row."""
    colours = theme()
    ground = "surface.selected" if look.chosen else "surface.hover" if look.hovered else "surface.panel"
    painter.fillRect(rect, colours.color(ground))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))


def _paint_edge(painter: QPainter, rect: QRect, look: Look) -> None:
    if look.chosen:
        painter.fillRect(rect.left(), rect.top(), _BAR, rect.height() - 1, theme().color("accent.base"))
    if look.ringed:
        paint_focus(painter, rect.adjusted(0, 0, 0, -1), 0)


def _placeholder(painter: QPainter, room: QRect, column: Column, number: int) -> None:
    """A quiet stroke where words will stand, of lengths that differ as words do."""
    if column.kind in ("state", "tags", "mismatch"):
        return
    wide = int(room.width() * (0.35 + 0.45 * ((number * 37 + len(column.id) * 11) % 10) / 10))
    painter.fillRect(room.left(), room.center().y() - 3, wide, 6, theme().color("surface.sunken"))
