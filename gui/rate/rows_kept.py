"""A list whose rows keep their place and selection when what they tell is read anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QWidget

Index = QModelIndex | QPersistentModelIndex
#: The study or session of a row.
ENTRY_ROLE = int(Qt.ItemDataRole.UserRole)


class Numbered(Protocol):
    """What has a number in the store."""

    @property
    def id(self) -> int:
        """It stays the same."""
        ...


Entry = TypeVar("Entry", bound=Numbered)


class KeptRows(QAbstractListModel, Generic[Entry]):
    """Entries by their numbers; what is said of one is told by ``data_of``."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def set_entries(self, entries: Sequence[Entry]) -> None:
        """Show these; rows that stay keep their place and selection."""
        is_same = [entry.id for entry in entries] == [entry.id for entry in self.entries]
        if not is_same:
            self.beginResetModel()
        self.entries = list(entries)
        if not is_same:
            self.endResetModel()
        elif entries:
            self.dataChanged.emit(self.index(0), self.index(len(entries) - 1))

    def row_of(self, number: int | None) -> int:
        """The row of an entry, −1 where it is not there."""
        return next((row for row, entry in enumerate(self.entries) if entry.id == number), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        entry = self.entries[index.row()]
        return entry if role == ENTRY_ROLE else self.data_of(entry, role)

    def data_of(self, entry: Entry, role: int) -> Any:
        """What is told of one entry in a role; None for nothing."""
        raise NotImplementedError
