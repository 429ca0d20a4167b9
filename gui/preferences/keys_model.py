"""All actions with their keys, by screen, as rows; typed words narrow them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from engine.strings import LANGUAGES, text
from gui.actions import Action, Actions
from gui.screens import SCREENS
from gui.strings import words
from gui.widgets import key_words

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A heading (``action`` is "") or an action; ``is_changed`` where its keys are not the ones we ship."""

    title: str
    action: str = ""
    keys: tuple[str, ...] = ()
    is_changed: bool = False
    also: str = ""

    def fits(self, typed: str) -> bool:
        """Whether every word that was typed is in the title, in either language, or among the keys."""
        whole = f"{self.title} {self.also} {' '.join(self.keys)}".casefold()
        return all(word in whole for word in typed.casefold().split())


class KeysModel(QAbstractListModel):
    """Rows in the order of the screens, what works everywhere first."""

    def __init__(self, actions: Actions, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._actions = actions
        self._typed = ""
        self._rows: list[KeyRow] = []
        self.refresh()

    def narrow(self, typed: str) -> None:
        """Show what fits ``typed``."""
        self._typed = typed
        self.refresh()

    def refresh(self) -> None:
        """Read the actions anew."""
        self.beginResetModel()
        self._rows = [row for group in self._groups() for row in group]
        self.endResetModel()

    def place_of(self, action_id: str) -> int:
        """The row of an action, -1 where it is not shown."""
        return next((place for place, row in enumerate(self._rows) if row.action == action_id), -1)

    def first(self) -> int:
        """The first row that is an action, -1 where none is."""
        return next((place for place, row in enumerate(self._rows) if row.action), -1)

    def unopened(self) -> list[str]:
        """The screens whose actions are not known yet: a screen tells them when it is first opened."""
        known = {action.screen for action in self._actions}
        return [screen.id for screen in SCREENS if screen.id not in known]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        if self._rows[index.row()].action:
            return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return Qt.ItemFlag.ItemNeverHasChildren

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title} {', '.join(key_words(key) for key in row.keys)}".strip()
        return row if role == ROW_ROLE else None

    def _groups(self) -> list[list[KeyRow]]:
        groups = []
        for screen in (None, *(screen.id for screen in SCREENS)):
            rows = [self._row(action) for action in self._actions if action.screen == screen]
            rows = [row for row in rows if row.fits(self._typed)]
            if rows:
                title = words.text(f"window.rail.{screen}") if screen else words.text("window.sheet.everywhere")
                groups.append([KeyRow(title), *rows])
        return groups

    def _row(self, action: Action) -> KeyRow:
        named = f"actions.{action.id.replace('.', '_')}"
        also = " ".join(text(named, language) for language in LANGUAGES)
        title = self._actions.title(action.id)
        return KeyRow(title, action.id, action.keys, action.keys != action.default_keys, also)
