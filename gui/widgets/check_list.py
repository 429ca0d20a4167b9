"""A list of things to tick, each with a number at its right end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.theme import font, height, line, radius, theme
from gui.widgets.painting import paint_box, paint_focus, paint_text
from gui.widgets.text import tip_text

Index = QModelIndex | QPersistentModelIndex
NOTE_ROLE = int(Qt.ItemDataRole.UserRole)
_BOX, _SIDE, _GAP, _NOTE = 16, 8, 8, 76


class CheckListModel(QAbstractListModel):
    """Entries of (key, words, number); ticked by key.

    Signals:
        ticked: the keys that are ticked, a frozenset, when the user changed them.
    """

    ticked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[tuple[str, str, str]] = []
        self._on: frozenset[str] = frozenset()

    def set_entries(self, entries: Sequence[tuple[str, str, str]], on: Iterable[str]) -> None:
        """Show these, some of them ticked; emits nothing."""
        fresh, self._on = list(entries), frozenset(on)
        if [entry[0] for entry in fresh] == [entry[0] for entry in self._entries]:
            self._entries = fresh
            if fresh:
                self.dataChanged.emit(self.index(0), self.index(len(fresh) - 1))
            return
        self.beginResetModel()
        self._entries = fresh
        self.endResetModel()

    def toggle(self, row: int) -> None:
        """Tick or untick one."""
        key = self._entries[row][0]
        self._tick(self._on ^ {key})

    def tick_all(self, on: bool) -> None:
        """Tick or untick all."""
        self._tick(frozenset(entry[0] for entry in self._entries) if on else frozenset())

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        key, text, note = self._entries[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Checked if key in self._on else Qt.CheckState.Unchecked
        if role == NOTE_ROLE:
            return note
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(key)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{text}, {note}"
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid():
            return False
        self.toggle(index.row())
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable

    def _tick(self, on: frozenset[str]) -> None:
        if on != self._on:
            self._on = on
            self.dataChanged.emit(self.index(0), self.index(max(len(self._entries) - 1, 0)))
            self.ticked.emit(on)


class CheckList(QListView):
    """Space or a click ticks; Ctrl+A ticks all, Ctrl+Shift+A none."""

    def __init__(self, name: str = "", rows: int = 5, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entries = CheckListModel(self)
        self._rows = rows
        self.setModel(self.entries)
        self.setItemDelegate(_CheckDelegate(self))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setViewportMargins(1, 1, 1, 1)
        self.setAccessibleName(name)

    def sizeHint(self) -> QSize:
        return QSize(240, min(max(self.model().rowCount(), 2), self._rows) * height("row") + 4)

    def fit(self) -> None:
        """No taller than what is in it."""
        self.setMaximumHeight(max(self.model().rowCount(), 2) * height("row") + 4)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 2 * height("row") + 4)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Select) and self.currentIndex().isValid():
            self.entries.toggle(self.currentIndex().row())
        elif event.key() == Qt.Key.Key_A and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.entries.tick_all(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self.entries.toggle(index.row())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        edge = theme().color("surface.line_strong")
        paint_box(painter, self.viewport().rect(), radius("control"), theme().color("surface.panel"), edge)
        painter.end()
        super().paintEvent(event)


class _CheckDelegate(QStyledItemDelegate):
    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        return False  # the list ticks by a click anywhere in the row; the box alone would tick it back

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, height("row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, rect, state = theme(), option.rect.adjusted(1, 0, -1, 0), option.state
        is_on = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        painter.save()
        if state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colours.color("surface.hover"))
        box = QRectF(rect.left() + _SIDE, rect.top() + (rect.height() - _BOX) / 2, _BOX, _BOX)
        ground = colours.color("accent.base" if is_on else "surface.panel")
        edge = colours.color("accent.base" if is_on else "surface.control_edge")
        paint_box(painter, box, radius("key"), ground, edge)
        if is_on:
            _paint_tick(painter, box)
        left = int(box.right()) + _GAP
        note = QRect(rect.right() - _SIDE - _NOTE, rect.top(), _NOTE, rect.height())
        right = Qt.AlignmentFlag.AlignRight
        grey = colours.color("text.secondary")
        paint_text(painter, note, str(index.data(NOTE_ROLE)), font("figure", "mono"), grey, right)
        words = QRect(left, rect.top(), note.left() - left - _GAP, rect.height())
        paint_text(painter, words, str(index.data()), font("table"), colours.color("text.primary"))
        if state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect, radius("control"))
        painter.restore()


def _paint_tick(painter: QPainter, box: QRectF) -> None:
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme().color("text.on_accent"), line("curve"))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.translate(box.topLeft())
    painter.drawPolyline([QPointF(4, 8.5), QPointF(6.75, 11.25), QPointF(12, 5.25)])
    painter.restore()
