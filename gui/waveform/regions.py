"""All that has a place on the time line, as a table: for assistive tools, and to go there by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QVBoxLayout, QWidget

from gui.player.clip import Lane
from gui.strings import words
from gui.theme import font, height
from gui.waveform.ticks import time_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
_WIDTH = 460


@dataclass(frozen=True, slots=True)
class Region:
    """A piece of one lane and what it is."""

    lane: Lane
    name: str
    start_s: float
    end_s: float
    text: str = ""


class Column(IntEnum):
    """What a region is told by."""

    NAME, START, END, TEXT = range(4)


class RegionsModel(QAbstractTableModel):
    """Read-only rows, handed in with ``set_regions``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._regions: list[Region] = []

    def set_regions(self, regions: Sequence[Region]) -> None:
        """Show other regions."""
        self.beginResetModel()
        self._regions = list(regions)
        self.endResetModel()

    def region(self, row: int) -> Region:
        """The region of a row."""
        return self._regions[row]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._regions)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        region = self._regions[index.row()]
        name = f"{words.text(f'player.lane.{region.lane}')}: {region.name}"
        return (name, time_text(region.start_s), time_text(region.end_s), region.text)[index.column()]

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return words.text(f"player.lanes.region_{('name', 'start', 'end', 'text')[section]}")
        return None


class RegionsPopup(QFrame):
    """The table over the lanes, inside their window; Enter chooses a row, Esc or another focus closes it.

    Signals:
        chosen: the Region of a row.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.hide()
        self._opener: QWidget | None = None
        self.model = RegionsModel(self)
        self.table = QTableView(self)
        self.table.setModel(self.model)
        self.table.setFont(font("table"))
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(height("row"))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.doubleClicked.connect(self._on_activated)
        self.table.installEventFilter(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.addWidget(self.table)

    def show_regions(self, regions: Sequence[Region], over: QWidget) -> None:
        """Open on the first of ``regions``, at the place of ``over``, as far inside its window as there is room."""
        self._opener = over
        self.setParent(over.window())
        self.table.setAccessibleName(words.text("player.lanes.regions"))
        self.model.set_regions(regions)
        rows, window = min(max(len(regions), 1), 10), over.window()
        self.resize(min(_WIDTH, window.width()), min((rows + 1) * height("row") + 4, window.height()))
        corner = over.mapTo(window, QPoint(0, 0))
        room = window.size() - self.size()
        self.move(min(corner.x(), room.width()), min(corner.y(), room.height()))
        self.show()
        self.raise_()
        self.table.setFocus()
        self.table.selectRow(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and self.isVisible():
            self.hide()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._leave()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.table.currentIndex().isValid():
                self._on_activated(self.table.currentIndex())
                return True
        return False

    def _leave(self) -> None:
        """Close, and give the focus back."""
        self.hide()
        if self._opener is not None:
            self._opener.setFocus()

    def _on_activated(self, index: QModelIndex) -> None:
        region = self.model.region(index.row())
        self._leave()
        self.chosen.emit(region)
