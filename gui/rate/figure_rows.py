"""Rows of a figure and what it counts, and what stands beside it at the right; as many as there are to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from gui.theme import space
from gui.widgets import label, set_tone


@dataclass(frozen=True, slots=True)
class FigureRow:
    """One row; ``tone`` colours the figure."""

    figure: str
    what: str
    beside: str = ""
    tone: str | None = None


class FigureRows(QWidget):
    """Keeps the labels it has made: another plan changes their words only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(space(3))
        self._grid.setVerticalSpacing(space(1))
        self._grid.setColumnStretch(1, 1)
        self._rows: list[tuple[QLabel, QLabel, QLabel]] = []

    def show_rows(self, rows: Sequence[FigureRow]) -> None:
        """Show these."""
        while len(self._rows) < len(rows):
            self._rows.append(self._row(len(self._rows)))
        for place, cells in enumerate(self._rows):
            is_there = place < len(rows)
            if is_there:
                row = rows[place]
                for cell, text in zip(cells, (row.figure, row.what, row.beside)):
                    cell.setText(text)
                set_tone(cells[0], row.tone)
            for cell in cells:
                cell.setVisible(is_there and (cell is not cells[2] or bool(cell.text())))

    @property
    def texts(self) -> list[str]:
        """The rows that are shown, for tests."""
        return [" ".join(c.text() for c in cells).strip() for cells in self._rows if cells[0].isVisibleTo(self)]

    def _row(self, place: int) -> tuple[QLabel, QLabel, QLabel]:
        figure = label(type="figure", family="mono", weight=600)
        what = label(type="table", wrap=True)
        beside = label(type="table", tone="secondary")
        figure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        beside.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        for column, cell in enumerate((figure, what, beside)):
            self._grid.addWidget(cell, place, column)
        return figure, what, beside
