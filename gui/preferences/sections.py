"""The list on the left of Settings: one row a section; narrow, icons alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.strings import words
from gui.theme import font, paint_icon, space, theme
from gui.widgets import paint_focus, paint_text, tip_text

WIDE, NARROW = 200, 44
ROW, ICON, BAR = 36, 16, 3
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
ICON_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class Section:
    """A section's id and icon; its title is the string ``preferences.section.<id>``."""

    id: str
    icon: str


class SectionList(QListView):
    """Up and Down choose; what is chosen is shown beside it.

    Signals:
        chosen: the id of a section.
    """

    chosen = Signal(str)

    def __init__(self, sections: Sequence[Section], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = _Sections(sections, self)
        self.setModel(self._model)
        self.setItemDelegate(_Row(self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.show_words(True)
        self.selectionModel().currentChanged.connect(self._on_current)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_words(self, shown: bool) -> None:
        """Icons and words, or icons alone."""
        self.has_words = shown
        self.setFixedWidth(WIDE if shown else NARROW)
        self.viewport().update()

    def choose(self, section: str) -> None:
        """Make ``section`` the chosen one; ``chosen`` follows where it was another."""
        self.setCurrentIndex(self._model.index(self._model.ids.index(section)))

    @property
    def current(self) -> str:
        """The id of the chosen section."""
        return self._model.ids[max(0, self.currentIndex().row())]

    def step(self, by: int) -> None:
        """Choose the next or the one before, around the ends."""
        ids = self._model.ids
        self.choose(ids[(ids.index(self.current) + by) % len(ids)])

    def _on_current(self, current: QModelIndex, before: QModelIndex) -> None:
        if current.isValid():
            self.chosen.emit(self._model.ids[current.row()])

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("preferences.sections"))
        self._model.retranslate()


class _Sections(QAbstractListModel):
    def __init__(self, sections: Sequence[Section], parent: QWidget) -> None:
        super().__init__(parent)
        self._sections = tuple(sections)
        self.ids = [section.id for section in sections]

    def retranslate(self) -> None:
        self.dataChanged.emit(self.index(0), self.index(len(self.ids) - 1))

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._sections)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        section = self._sections[index.row()]
        title = words.text(f"preferences.section.{section.id}")
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return title
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(title)
        return section.icon if role == ICON_ROLE else None


class _Row(QStyledItemDelegate):
    def __init__(self, view: SectionList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(NARROW, ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect = QRect(option.rect)
        state: QStyle.StateFlag = option.state
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        colours = theme()
        painter.save()
        if chosen or state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colours.color("surface.selected" if chosen else "surface.hover"))
        if chosen:
            painter.fillRect(rect.left(), rect.top(), BAR, rect.height(), colours.color("accent.base"))
        left = space(4) if self._view.has_words else (rect.width() - ICON) // 2
        ink = "accent.base" if chosen else "text.secondary"
        paint_icon(
            painter,
            QRectF(rect.left() + left, rect.center().y() - ICON / 2 + 0.5, ICON, ICON),
            index.data(ICON_ROLE),
            ink,
        )
        if self._view.has_words:
            room = rect.adjusted(left + ICON + space(2) + 2, 0, -space(2), 0)
            weight = 600 if chosen else None
            paint_text(painter, room, index.data(), font("body", weight=weight), colours.color("text.primary"))
        if chosen and self._view.hasFocus():
            paint_focus(painter, rect.adjusted(1, 1, -1, -1), 4)
        painter.restore()
