"""Workspaces that were open before: what is in them, where, and when; moved ones say so."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import IntEnum
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QLocale,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui.library.view_model import LibraryViewModel
from gui.library.wording import counted
from gui.library.work import Recent
from gui.strings import words
from gui.theme import font, paint_icon, radius, theme
from gui.widgets import Card, label, paint_focus, paint_text, tip_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
RECENT_ROLE = Qt.ItemDataRole.UserRole + 1
ROW = 35
SIDE, ICON = 9, 16
MOST = 12


class Column(IntEnum):
    """What stands where."""

    NAME, WHAT, PLACE, WHEN = range(4)


SHARES = (23, 36, 24, 17)  # of the width, in hundredths
NAMES = ("name", "what", "place", "when")


class RecentsModel(QAbstractTableModel):
    """The list of the settings with what a look from outside found."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Recent, ...] = ()
        self._here: Path | None = None

    def set_rows(self, rows: Sequence[Recent], here: Path | None) -> None:
        """Show other rows; ``here`` is the workspace that is open."""
        if [row.path for row in rows] == [row.path for row in self._rows] and here == self._here:
            self._rows = tuple(rows)
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, Column.WHEN))
            return
        self.beginResetModel()
        self._rows, self._here = tuple(rows), here
        self.endResetModel()

    def retranslate(self) -> None:
        """Say everything again."""
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, Column.WHEN))
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, Column.WHEN)

    def recent(self, row: int) -> Recent:
        """The workspace of a row."""
        return self._rows[row]

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        recent = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(recent, Column(index.column()))
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(f"{recent.path}\n{words.text('library.recent.open_tip')}")
        if role == RECENT_ROLE:
            return recent
        return None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if way == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return words.text(f"library.recent.{NAMES[section]}")
        return None

    def _cell(self, recent: Recent, column: Column) -> str:
        if column == Column.NAME:
            return recent.path.name or str(recent.path)
        if column == Column.WHAT:
            return contents_in_words(recent)
        if column == Column.PLACE:
            return words.text("library.recent.find") if is_gone(recent) else place_in_words(recent.path)
        if recent.path == self._here:
            return words.text("library.recent.this")
        return day_in_words(recent.opened_at, datetime.now().astimezone())


class RecentsDelegate(QStyledItemDelegate):
    """Paints a row: a folder or a warning, contents, place or *Find it*, day."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours, rect = theme(), option.rect
        recent: Recent = index.data(RECENT_ROLE)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        is_over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = "surface.selected" if is_chosen else "surface.hover" if is_over else "surface.panel"
        painter.fillRect(rect, colours.color(ground))
        if index.row():
            painter.fillRect(QRect(rect.left(), rect.top(), rect.width(), 1), colours.color("surface.line"))
        column = Column(index.column())
        room = rect.adjusted(SIDE, 1, -SIDE, 0)
        if column == Column.NAME:
            self._paint_mark(painter, rect, recent, is_chosen)
            room.setLeft(rect.left() + SIDE + ICON + 6)
        right = column == Column.WHEN
        align = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        paint_text(painter, room, str(index.data()), font("body"), colours.color(self._ink(column, recent)), align)
        view = option.widget
        if is_chosen and column == Column.WHEN and isinstance(view, QTableView) and view.hasFocus():
            painter.save()
            painter.setClipping(False)
            whole = QRect(0, rect.top(), view.viewport().width(), rect.height())
            paint_focus(painter, whole, radius("mark"))
            painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(80, ROW)

    def _paint_mark(self, painter: QPainter, rect: QRect, recent: Recent, is_chosen: bool) -> None:
        if is_chosen:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme().color("accent.base"))
        gone = is_gone(recent)
        square = QRectF(rect.left() + SIDE, rect.center().y() - ICON / 2 + 0.5, ICON, ICON)
        colour = "verdict.warning" if gone else "text.secondary"
        paint_icon(painter, square, "warning" if gone else "folder-simple", colour)

    def _ink(self, column: Column, recent: Recent) -> str:
        if column == Column.NAME:
            return "verdict.warning" if is_gone(recent) else "text.primary"
        if column == Column.PLACE and is_gone(recent):
            return "accent.base"
        return "text.secondary"


class RecentsView(QTableView):
    """Enter opens or finds, Delete takes off the list, the context menu offers both.

    Signals:
        opened, lost, removed: the path of the row: open it, find where it went, take it off the list.
    """

    opened, lost, removed = Signal(Path), Signal(Path), Signal(Path)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.recents = RecentsModel(self)
        self.setModel(self.recents)
        self.setItemDelegate(RecentsDelegate(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        head = self.horizontalHeader()
        head.hide()
        head.setMinimumSectionSize(20)
        head.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.recents.modelReset.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """All rows, for the list is short."""
        return QSize(240, min(self.recents.rowCount(), MOST) * ROW)

    def minimumSizeHint(self) -> QSize:
        """Its height does not give way."""
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: Any) -> None:
        """Columns share the width."""
        super().resizeEvent(event)
        wide = self.viewport().width()
        taken = 0
        for column, share in zip(Column, SHARES):
            part = wide - taken if column == Column.WHEN else wide * share // 100
            self.horizontalHeader().resizeSection(column, part)
            taken += part

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Delete."""
        row = self.currentIndex().row()
        if row >= 0 and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._take(row)
        elif row >= 0 and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.recents.recent(row).path)
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Two clicks open."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self._take(index.row())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """One click on *Find it* does so."""
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() == Column.PLACE and event.button() == Qt.MouseButton.LeftButton:
            recent = self.recents.recent(index.row())
            if is_gone(recent):
                self.lost.emit(recent.path)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the row under the pointer, or under the keyboard."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.viewport().mapToGlobal(self.visualRect(index).center()) if by_key else event.globalPos()
            menu = self._menu(index.row())
            menu.popup(place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard always has a row to stand on."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.recents.rowCount():
            self.selectRow(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Without the keyboard no row is marked."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.clearSelection()
        self.viewport().update()

    def _menu(self, row: int) -> QMenu:
        recent = self.recents.recent(row)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        word = "find" if is_gone(recent) else "open"
        menu.addAction(words.text(f"library.recent.{word}")).triggered.connect(_Does(self._take, row))
        remove = menu.addAction(words.text("library.recent.remove"))
        remove.triggered.connect(_Does(self.removed.emit, recent.path))
        return menu

    def _take(self, row: int) -> None:
        recent = self.recents.recent(row)
        (self.lost if is_gone(recent) else self.opened).emit(recent.path)


class RecentsCard(Card):
    """The list in its card; a sentence while it is empty."""

    def __init__(self, model: LibraryViewModel, parent: QWidget | None = None) -> None:
        super().__init__(ruled=True, flush=True, parent=parent)
        self._model = model
        self.view = RecentsView()
        self._none = label(type="body", tone="secondary", wrap=True)
        self._none.setContentsMargins(11, 8, 11, 8)
        self.body.setContentsMargins(0, 0, 0, 5)
        self.body.addWidget(self.view)
        self.body.addWidget(self._none)
        model.recents_changed.connect(self._show)
        model.workspace_changed.connect(self._show)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def _show(self) -> None:
        rows = self._model.recents[:MOST]
        self.view.recents.set_rows(rows, self._model.folder if self._model.is_open else None)
        self.view.setVisible(bool(rows))
        self._none.setVisible(not rows)
        self.view.updateGeometry()

    def _retranslate(self) -> None:
        self.set_title(words.text("library.recent.title"))
        self._none.setText(words.text("library.recent.none"))
        self.view.setAccessibleName(words.text("library.recent.title"))
        self.view.recents.retranslate()
        self._show()


class _Does:
    """Calls with one value: what a menu entry runs."""

    def __init__(self, function: Any, value: Any) -> None:
        self._function, self._value = function, value

    def __call__(self) -> None:
        self._function(self._value)


def is_gone(recent: Recent) -> bool:
    """Whether somebody looked and the folder was not there."""
    return recent.glance is not None and recent.glance.state == "missing"


def contents_in_words(recent: Recent) -> str:
    """Its counts, or what has become of it."""
    glance = recent.glance
    if glance is None:
        return words.text("library.recent.looking")
    if glance.state != "here":
        return words.text(f"library.recent.{'moved' if glance.state == 'missing' else 'unreadable'}")
    return words.text(
        "library.recent.contents",
        systems=counted("systems", glance.systems),
        answers=counted("answers", glance.answers),
        ratings=counted("ratings", glance.ratings),
    )


def place_in_words(path: Path) -> str:
    """The folder it lies in: its name alone where that is below home, else the whole path."""
    above = path.parent
    try:
        below_home = above.relative_to(Path.home())
    except ValueError:
        return str(above)
    return str(below_home) if below_home.parts else "~"


def day_in_words(opened_at: str, now: datetime) -> str:
    """``today``, ``yesterday``, ``12 Nov``, and with the year where it is another; empty for no time."""
    try:
        then = datetime.fromisoformat(opened_at).astimezone(now.tzinfo)
    except ValueError:
        return ""
    days = (now.date() - then.date()).days
    if days in (0, 1):
        return words.text("library.recent.today" if days == 0 else "library.recent.yesterday")
    if words.language == "zh":
        return f"{then.month}月{then.day}日" if then.year == now.year else f"{then.year}年{then.month}月{then.day}日"
    month = QLocale(QLocale.Language.English).monthName(then.month, QLocale.FormatType.ShortFormat)
    return f"{then.day} {month}" if then.year == now.year else f"{then.day} {month} {then.year}"
