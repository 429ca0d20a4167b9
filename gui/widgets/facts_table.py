"""A small table of facts: words left, figures right, as tall as its rows; Enter opens a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui.theme import font, height, radius, theme
from gui.widgets.painting import paint_focus, paint_text
from gui.widgets.text import shown_text, tip_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
CELL_ROLE = Qt.ItemDataRole.UserRole + 1
SIDE, _FIRST = 11, 220


@dataclass(frozen=True, slots=True)
class Cell:
    """What a cell says, and in which tone; figures stand right.

    ``keeps`` is the end of the text that is shown even where the rest is elided: the number of an item.
    """

    text: str
    is_figure: bool = False
    tone: str = "text.primary"
    is_strong: bool = False
    indent: int = 0
    keeps: str = ""


class FactsModel(QAbstractTableModel):
    """Rows of cells under column names; all of them are handed in."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self._rows: list[tuple[Cell, ...]] = []

    def set_rows(self, columns: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._columns, self._rows = tuple(columns), list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        cell = self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return cell.text
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip_text(cell.text)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if cell.is_figure else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == CELL_ROLE:
            return cell
        return None

    def headerData(self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if way != Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section]
        if role == Qt.ItemDataRole.TextAlignmentRole and self._rows:
            side = Qt.AlignmentFlag.AlignRight if self._rows[0][section].is_figure else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None


class FactsDelegate(QStyledItemDelegate):
    """Paints a cell: hairline below, tint and bar for the chosen row, a ring where the keyboard is."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        colours = theme()
        rect = option.rect
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        is_over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        ground = "surface.selected" if is_chosen else "surface.hover" if is_over else "surface.panel"
        painter.fillRect(rect, colours.color(ground))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.color("surface.line"))
        if is_chosen and index.column() == 0:
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), colours.color("accent.base"))
        cell: Cell = index.data(CELL_ROLE)
        room = rect.adjusted(SIDE + cell.indent, 0, -SIDE, 0)
        side = Qt.AlignmentFlag.AlignRight if cell.is_figure else Qt.AlignmentFlag.AlignLeft
        face = _face(cell)
        paint_text(painter, room, shortened(cell, face, room.width()), face, colours.color(cell.tone), side)
        view = option.widget
        if is_chosen and isinstance(view, FactsTable) and view.hasFocus():
            whole = QRect(0, rect.top(), view.viewport().width(), rect.height())
            painter.save()
            painter.setClipRect(rect)  # each cell its part of the ring: the next one paints over what is in its place
            paint_focus(painter, whole, radius("mark"))
            painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(60, height("row"))


def _face(cell: Cell) -> QFont:
    return font("figure" if cell.is_figure else "table", weight=600 if cell.is_strong else None)


def _widths(cells: Sequence[Cell]) -> list[int]:
    """Each as wide as it is painted: the faces of text and of figures differ, most so in Chinese."""
    metrics: dict[tuple[bool, bool], QFontMetrics] = {}
    found = []
    for cell in cells:
        kind = cell.is_figure, cell.is_strong
        if kind not in metrics:
            metrics[kind] = QFontMetrics(_face(cell))
        found.append(metrics[kind].horizontalAdvance(shown_text(cell.text)))
    return found


def shortened(cell: Cell, face: QFont, room: int) -> str:
    """The text of a cell, what is before the end that it keeps elided to fit into ``room``."""
    metrics = QFontMetrics(face)
    if not cell.keeps or metrics.horizontalAdvance(shown_text(cell.text)) <= room:
        return cell.text
    before = shown_text(cell.text.removesuffix(cell.keeps))
    left = max(room - metrics.horizontalAdvance(cell.keeps) - 1, 0)
    return metrics.elidedText(before, Qt.TextElideMode.ElideRight, left) + cell.keeps


class FactsHeader(QHeaderView):
    """Column names in line with what stands below them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(40)
        self.setFixedHeight(height("header"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def minimumSizeHint(self) -> QSize:
        """No taller than it is."""
        return QSize(self.minimumSectionSize(), height("header"))

    def paintSection(self, painter: QPainter, rect: QRect, logical: int) -> None:
        """Small and quiet, a line below."""
        colours = theme()
        painter.fillRect(rect, colours.color("surface.window"))
        painter.fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), colours.color("surface.line_strong"))
        align = self.model().headerData(logical, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        is_right = bool((align or 0) & int(Qt.AlignmentFlag.AlignRight))
        side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
        name = str(self.model().headerData(logical, Qt.Orientation.Horizontal) or "")
        room = rect.adjusted(SIDE, 0, -SIDE, -1)
        paint_text(painter, room, name, font("small"), colours.color("text.secondary"), side)


class FactsTable(QTableView):
    """Read only; up to ``most`` rows high, then it scrolls. With ``is_wide`` it scrolls sideways before its first
    column, which else gives way, gets narrower than its words; Left and Right go from column to column.

    Signals:
        opened: the row that was activated by Enter or a double click.
    """

    opened = Signal(int)

    def __init__(self, most: int = 15, is_wide: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._most, self._is_wide, self._least = most, is_wide, 0
        self.facts = FactsModel(self)
        self.setModel(self.facts)
        self.setItemDelegate(FactsDelegate(self))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if is_wide else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(policy)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(height("row"))
        self.verticalHeader().setMinimumSectionSize(height("row"))
        self.setHorizontalHeader(FactsHeader(self))
        self._optional: dict[int, int] = {}
        self._bar_height = 0  # of the bar by which it scrolls sideways, while there is one
        self.activated.connect(self._on_activated)

    def may_hide(self, column: int, below: int) -> None:
        """Leave a column out where the table is narrower than ``below``; said again of a column it holds anew."""
        self._optional[column] = below
        self._show_optional()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The optional columns come and go; the first one takes what the others leave."""
        super().resizeEvent(event)
        self._show_optional()
        self._fit_first()

    def _show_optional(self) -> None:
        for column in range(self.facts.columnCount()):
            self.setColumnHidden(column, self.width() < self._optional.get(column, 0))

    def set_rows(self, columns: Sequence[str], rows: Sequence[tuple[Cell, ...]]) -> None:
        """Show other rows; the first column takes what the figures leave."""
        self.facts.set_rows(columns, rows)
        self._show_optional()
        head = self.horizontalHeader()
        small = QFontMetrics(font("small"))
        for column, name in enumerate(columns):
            if column == 0:
                way = QHeaderView.ResizeMode.Fixed if self._is_wide else QHeaderView.ResizeMode.Stretch
                head.setSectionResizeMode(0, way)
                continue
            widths = _widths([row[column] for row in rows])
            wide = max([small.horizontalAdvance(name), *widths]) + 2 * SIDE + 2
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            head.resizeSection(column, min(wide, 200))
        strong = QFontMetrics(font("table", weight=600))
        firsts = [strong.horizontalAdvance(shown_text(row[0].text)) for row in rows]
        self._least = min(max([small.horizontalAdvance(columns[0]) if columns else 0, *firsts]) + 2 * SIDE + 2, _FIRST)
        self._fit_first()
        self.updateGeometry()

    def _fit_first(self) -> None:
        if not self._is_wide or not self.facts.columnCount():
            return
        head = self.horizontalHeader()
        others = head.length() - head.sectionSize(0)
        wanted = max(self.viewport().width() - others, self._least)
        had = self._bar_height
        if wanted != head.sectionSize(0):
            head.resizeSection(0, wanted)
        self._bar_height = 10 if others + wanted > self.viewport().width() else 0
        if self._bar_height != had:
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As tall as its rows, up to ``most``."""
        rows = min(self.facts.rowCount(), self._most)
        return QSize(240, height("header") + rows * height("row") + self._bar_height)

    def minimumSizeHint(self) -> QSize:
        """Its height does not give way; its width does."""
        return QSize(120, self.sizeHint().height())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard always has a row to stand on."""
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.facts.rowCount():
            self.setCurrentIndex(self.facts.index(0, 0))
            self.selectRow(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Without the keyboard no row is marked."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.clearSelection()
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens on every platform."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _on_activated(self, index: QModelIndex) -> None:
        self.opened.emit(index.row())
