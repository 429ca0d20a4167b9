"""The table of measurements: name, value or state, what stands beside it, maker; painted, read by keyboard."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gui.audit.detail.measurement_lines import MeasurementLine
from gui.strings import words
from gui.theme import font, height, radius, space, theme
from gui.widgets.painting import paint_focus, paint_text
from gui.widgets.state import SIDE, paint_state, state_colour
from gui.widgets.text import shown_text, tip_text

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
_LONGEST_NAME = 60
_WIDEST_BESIDE = 100
LINE_ROLE = Qt.ItemDataRole.UserRole + 1


class Column(IntEnum):
    """The columns from the left."""

    NAME, VALUE, BESIDE, MAKER = range(4)


class MeasurementsModel(QAbstractTableModel):
    """Read-only rows, handed in with ``set_lines``."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: list[MeasurementLine] = []

    def set_lines(self, lines: Sequence[MeasurementLine]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._lines = list(lines)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        found = self._lines[index.row()]
        if role == LINE_ROLE:
            return found
        said = (found.name, found.value or _state_words(found.state), found.beside, found.maker)[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown_text(said)
        if role == Qt.ItemDataRole.ToolTipRole:
            told = found.tip or f"{found.name} {found.value} {found.beside}".strip()
            reason = f"\n{found.beside}" if found.state != "scored" and found.beside not in told else ""
            return tip_text(told + reason)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return shown_text(said)
        return None


class MeasurementTable(QTableView):
    """Shows the rows; without makers where the panel is narrow (they are in the tips)."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = MeasurementsModel()
        self._is_whole = False
        self.setModel(self._model)
        self.setItemDelegate(_Delegate(self))
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.horizontalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(20)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(height("row_compact"))
        words.changed.connect(self._retranslate)
        self._retranslate()

    @property
    def lines(self) -> MeasurementsModel:
        """The rows as a model."""
        return self._model

    def set_lines(self, lines: Sequence[MeasurementLine]) -> None:
        """Show other rows, from the top."""
        self._model.set_lines(lines)
        self._share_out()
        self.updateGeometry()
        self.scrollToTop()

    def set_with_makers(self, with_makers: bool) -> None:
        """Show the column of makers, or leave them to the tips."""
        self.setColumnHidden(Column.MAKER, not with_makers)
        self._share_out()

    def set_whole(self, is_whole: bool) -> None:
        """Be as tall as all rows, for a column that scrolls, or scroll them here."""
        if is_whole != self._is_whole:
            self._is_whole = is_whole
            never, needed = Qt.ScrollBarPolicy.ScrollBarAlwaysOff, Qt.ScrollBarPolicy.ScrollBarAsNeeded
            self.setVerticalScrollBarPolicy(never if is_whole else needed)
            self.updateGeometry()

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self._is_whole:
            event.ignore()  # the column scrolls
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_out()

    def sizeHint(self) -> QSize:
        return QSize(320, 6 * height("row_compact"))

    def minimumSizeHint(self) -> QSize:
        rows = self._model.rowCount() if self._is_whole else 2
        return QSize(200, max(rows, 2) * height("row_compact"))

    def _share_out(self) -> None:
        """The name as wide as the widest, the value as wide as its figures, the rest to what stands beside."""
        room = self.viewport().width()
        lines = [self._model.data(self._model.index(row, 0), LINE_ROLE) for row in range(self._model.rowCount())]
        table, mono = QFontMetrics(font("table")), QFontMetrics(font("figure", weight=500))
        name = max((table.horizontalAdvance(shown_text(line.name, _LONGEST_NAME)) for line in lines), default=0)
        value = max((mono.horizontalAdvance(line.value) for line in lines), default=0)
        figures = [line.beside for line in lines if line.maker and line.value]
        figures += [_state_words(line.state) for line in lines if not line.value]
        beside = max((mono.horizontalAdvance(text) for text in figures), default=0)
        with_makers = not self.isColumnHidden(Column.MAKER)
        name = min(name + space(3) + space(2), round(0.45 * room))
        value = max(value, SIDE) + space(1)
        beside = min(beside, _WIDEST_BESIDE) + space(2) + 2 if with_makers else max(room - name - value, 40)
        self.setColumnWidth(Column.NAME, name)
        self.setColumnWidth(Column.VALUE, value)
        self.setColumnWidth(Column.BESIDE, beside)
        self.setColumnWidth(Column.MAKER, max(room - name - value - beside, 40))

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.detail.measure.name"))


class _Delegate(QStyledItemDelegate):
    """Paints a cell; words that stand beside a value reach over the maker's column where that is empty."""

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        found: MeasurementLine = index.data(LINE_ROLE)
        rect = QRect(option.rect)
        _PAINTERS[Column(index.column())](self, painter, rect, found)
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect.adjusted(1, 1, -1, -1), radius("mark"))

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(40, height("row_compact"))

    def _paint_name(self, painter: QPainter, rect: QRect, found: MeasurementLine) -> None:
        inside = rect.adjusted(space(3), 0, -space(1), 0)
        paint_text(painter, inside, found.name, font("table"), theme().color("text.secondary"))

    def _paint_value(self, painter: QPainter, rect: QRect, found: MeasurementLine) -> None:
        if found.value:
            align = Qt.AlignmentFlag.AlignRight
            paint_text(painter, rect, found.value, font("figure", weight=500), theme().color("text.primary"), align)
        else:
            paint_state(painter, QRect(rect.right() - SIDE - 1, rect.top(), SIDE + 2, rect.height()), found.state)

    def _paint_beside(self, painter: QPainter, rect: QRect, found: MeasurementLine) -> None:
        inside = rect.adjusted(space(2), 0, 0, 0)
        is_alone = self._view.isColumnHidden(Column.MAKER)
        if not found.value:
            inside.setRight(inside.right() - space(2) if is_alone else inside.right())
            said = _said_of_state(found, inside.width()) if is_alone else _state_words(found.state)
            paint_text(painter, inside, said, font("small"), state_colour(found.state))
        elif found.maker:
            paint_text(painter, inside, found.beside, font("figure"), theme().color("text.secondary"))
        else:
            wide = self._view.viewport().width() - inside.left() - space(2)
            inside = QRect(inside.left(), inside.top(), wide, inside.height())
            painter.save()
            painter.setClipping(False)
            paint_text(painter, inside, found.beside, font("table"), theme().color("text.secondary"))
            painter.restore()

    def _paint_maker(self, painter: QPainter, rect: QRect, found: MeasurementLine) -> None:
        said = found.maker if found.value else found.beside
        paint_text(
            painter, rect.adjusted(space(1), 0, -space(2), 0), said, font("small"), theme().color("text.secondary")
        )


_PAINTERS = {
    Column.NAME: _Delegate._paint_name,
    Column.VALUE: _Delegate._paint_value,
    Column.BESIDE: _Delegate._paint_beside,
    Column.MAKER: _Delegate._paint_maker,
}


def _said_of_state(found: MeasurementLine, room: int) -> str:
    """State and reason; the reason alone, beside the mark of the state, where both have no room."""
    whole = f"{_state_words(found.state)} · {found.beside}"
    return whole if QFontMetrics(font("small")).horizontalAdvance(whole) <= room else found.beside


def _state_words(state: str) -> str:
    return "" if state == "scored" else words.text(f"widgets.state.{state}")
