"""The table of answers as Qt reads it: ids in order, rows that come page by page when they are looked at."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal

from engine.query.ranks import Ids
from engine.query.rows import AuditRow
from gui.audit.cells import cell_text, cell_tip
from gui.audit.columns import COLUMNS
from gui.strings import Words
from gui.widgets import shown_text, tip_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ROW_ROLE = Qt.ItemDataRole.UserRole + 1
PAGE = 50
MOST_PAGES = 48
_NO_IDS: Ids = np.empty(0, np.int64)
Scales = Mapping[tuple[str, str], int | None]


class RowsModel(QAbstractTableModel):
    """Read-only; the view-model gives it ids, answers ``wanted`` with rows, and is asked for no page twice at once.

    Signals:
        wanted: numbers of pages that are looked at and not here, the newest last.
    """

    wanted = Signal(list)

    def __init__(self, words: Words, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self._ids = _NO_IDS
        self._pages: OrderedDict[int, list[AuditRow | None]] = OrderedDict()
        self._asked: OrderedDict[int, None] = OrderedDict()
        self._scales: dict[tuple[str, str], int | None] = {}
        self._ask_soon = QTimer(self)
        self._ask_soon.setSingleShot(True)
        self._ask_soon.setInterval(0)
        self._ask_soon.timeout.connect(self._ask)
        words.changed.connect(self._retranslate)

    @property
    def ids(self) -> Ids:
        """The response ids, in order."""
        return self._ids

    @property
    def cached_count(self) -> int:
        """How many rows are kept at present."""
        return sum(len(page) for page in self._pages.values())

    def set_ids(self, ids: Ids) -> None:
        """Show other answers, or the same in another order; every row is read anew."""
        self.beginResetModel()
        self._ids = ids
        self._pages.clear()
        self._asked.clear()
        self.endResetModel()

    def forget_rows(self) -> None:
        """Read every row anew when it is looked at; which answers there are stays."""
        self._pages.clear()
        self._asked.clear()
        self._tell_all()

    def put_page(self, page: int, rows: Sequence[AuditRow], scales: Scales) -> None:
        """Take the rows of a page that was ``wanted``; answers that are gone stay blank."""
        by_id = {row.id: row for row in rows}
        first = page * PAGE
        ids = self._ids[first : first + PAGE]
        self._pages[page] = [by_id.get(int(number)) for number in ids]
        self._scales.update(scales)
        self._asked.pop(page, None)
        while len(self._pages) > MOST_PAGES:
            self._pages.popitem(last=False)
        if len(ids):
            self.dataChanged.emit(self.index(first, 0), self.index(first + len(ids) - 1, len(COLUMNS) - 1))

    def ask_again(self, most: int) -> None:
        """Read the ``most`` pages looked at last anew, shown as they are until then; the others when looked at."""
        while len(self._pages) > most:
            self._pages.popitem(last=False)
        self._asked.update(dict.fromkeys(self._pages))
        self._ask_soon.start()

    def take_asked(self) -> list[int]:
        """Pages asked for that did not come, the newest last; they are not waited for any more."""
        asked = list(self._asked)
        self._asked.clear()
        return asked

    def place_of(self, response_id: int) -> int | None:
        """The row in which an answer stands; None where it is not among them."""
        found = np.flatnonzero(self._ids == response_id)
        return int(found[0]) if len(found) else None

    def row(self, place: int) -> AuditRow | None:
        """The row at ``place``, None while it is being read; asking for it makes it come."""
        page = self._pages.get(place // PAGE)
        if page is not None:
            self._pages.move_to_end(place // PAGE)
            return page[place % PAGE]
        if place // PAGE not in self._asked:
            self._asked[place // PAGE] = None
            self._ask_soon.start()
        return None

    def highest(self, row: AuditRow | None) -> int | None:
        """The highest score of the scale that a row is scored on; None where it has none."""
        return None if row is None else self._scales.get((row.benchmark, row.subset))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._ids):
            return None
        if role not in (ROW_ROLE, Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        row, column = self.row(index.row()), COLUMNS[index.column()]
        if row is None or role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(cell_tip(row, column, self._words))
        return shown_text(cell_text(row, column, self._words, self.highest(row)))

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(COLUMNS):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words.text(f"audit.table.{COLUMNS[section].id}")
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(self._words.text(f"audit.table_tip.{COLUMNS[section].id}"))
        return None

    def _ask(self) -> None:
        if self._asked:
            self.wanted.emit(list(self._asked))

    def _retranslate(self) -> None:
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(COLUMNS) - 1)
        self._tell_all()

    def _tell_all(self) -> None:
        if len(self._ids):
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, len(COLUMNS) - 1))
