"""The table of answers: Up and Down choose another row, Shift and Alt more; columns go where room is short."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from gui.audit.chosen import Runs, count_of, joined_runs
from gui.audit.columns import COLUMNS, DEFAULT, LEAST_WIDTH, PLACES, Column, Sort, widths_for
from gui.audit.header import Header
from gui.audit.row_painter import Look, paint_row
from gui.audit.row_pictures import RowPictures
from gui.audit.rows_model import RowsModel
from gui.settings import Settings
from gui.strings import words
from gui.theme import height, theme

_SHIFT, _CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
_ALT = Qt.KeyboardModifier.AltModifier
_MOVES = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -1,
    Qt.Key.Key_PageDown: 1,
    Qt.Key.Key_Home: -1,
    Qt.Key.Key_End: 1,
}
_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class Table(QTableView):
    """Shows the rows; widths the user drags are kept in the settings.

    Signals:
        row_chosen: the row that is current now, -1 for none.
        rows_chosen: the ``Runs`` of rows that are chosen now.
        opened: Return was pressed or a row double-clicked.
    """

    row_chosen = Signal(int)
    rows_chosen = Signal(object)
    opened = Signal()

    def __init__(self, model: RowsModel, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings, self._rows = settings, model
        self._fitting = False
        self._shown: tuple[str, ...] = DEFAULT
        self._sorted_by: tuple[str, ...] = ()
        self._chosen: Runs = ()
        self._anchor = 0
        self.header = Header(self)
        self._pictures = RowPictures()
        self._hovered, self._ringed = -1, False
        self.setHorizontalHeader(self.header)
        self.setModel(model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setCornerWidget(QWidget())  # the style would paint a box where the two bars meet
        upright = self.verticalHeader()
        upright.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        upright.setMinimumSectionSize(height("row_compact"))
        upright.setDefaultSectionSize(height("row"))
        upright.hide()
        self.header.sectionResized.connect(self._on_resized)
        self.doubleClicked.connect(self._on_double_click)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def choose_row(self, place: int) -> None:
        """Make a row current, choose it alone and bring it into view."""
        self._anchor = place
        index = self.model().index(place, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)
        self.scrollTo(index)

    def choose_runs(self, runs: Runs) -> None:
        """Choose these rows beside the current one, which stays."""
        selection = QItemSelection()
        for first, last in runs:
            selection.select(self.model().index(first, 0), self.model().index(last, len(COLUMNS) - 1))
        self.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def choose_all(self) -> None:
        """Choose every row; the current one stays."""
        if self.model().rowCount():
            self.choose_runs(((0, self.model().rowCount() - 1),))

    def choose_one(self) -> None:
        """Choose the current row alone."""
        if self.currentIndex().isValid():
            self.choose_row(self.currentIndex().row())

    def toggle_chosen(self) -> None:
        """Choose the current row beside the others, or no longer."""
        self._anchor = place = self.currentIndex().row()
        if place >= 0:
            self._select(place, place, QItemSelectionModel.SelectionFlag.Toggle)

    def show_columns(self, shown: tuple[str, ...], sort: Sort) -> None:
        """Show these columns in this order; those that decide the order of the rows stay however narrow it gets."""
        self._shown, self._sorted_by = shown, tuple(column for column, _ in sort)
        self._fitting = True
        self.header.arrange(shown)
        self._fitting = False
        self.fit()

    @property
    def squeezed_out(self) -> tuple[str, ...]:
        """The columns that are wanted and for which there is no room."""
        return tuple(name for name in self._shown if self.isColumnHidden(PLACES[name]))

    def fit(self) -> None:
        """Give each column its width, and hide those for which there is no room."""
        widths = widths_for(self.viewport().width(), self._own_widths(), self._shown, self._sorted_by)
        self._fitting = True
        for place, column in enumerate(COLUMNS):
            self.setColumnHidden(place, column.id not in widths)
            if column.id in widths:
                self.header.resizeSection(place, widths[column.id])
        self._fitting = False
        self._forget_painted()

    def step(self, by: int) -> None:
        """Go to the next row or the one before, from wherever the keyboard is."""
        rows = self.model().rowCount()
        if rows:
            now = self.currentIndex().row()
            self.choose_row(min(max(now + by, 0), rows - 1))

    def currentChanged(
        self, current: QModelIndex | QPersistentModelIndex, previous: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().currentChanged(current, previous)
        if current.row() != previous.row():
            self.row_chosen.emit(current.row())

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        selection = self.selectionModel().selection()
        ranges = [selection.at(place) for place in range(selection.count())]
        several = count_of(self._chosen) > 1
        self._chosen = joined_runs((found.top(), found.bottom()) for found in ranges)
        self.rows_chosen.emit(self._chosen)
        if several != (count_of(self._chosen) > 1):  # the one looked at is ringed among several
            self.viewport().update()

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        """Whole rows under ``rect`` as one range, wherever the columns were moved to."""
        first, last = self.rowAt(rect.normalized().top()), self.rowAt(rect.normalized().bottom())
        if rect.normalized().top() < 0 and last >= 0:
            first = max(first, 0)
        if first >= 0:
            self._select(first, last if last >= 0 else self.model().rowCount() - 1, command)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, held = event.key(), event.modifiers()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif key in _MOVES:
            self._go(self.currentIndex().row() + _MOVES[Qt.Key(key)] * self._stride(key), held)
        elif key == Qt.Key.Key_Space and held & _CTRL:
            self.toggle_chosen()
        elif key == Qt.Key.Key_Escape and count_of(self._chosen) > 1:
            self.choose_one()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) or event.text().strip():
            event.ignore()  # no cell is ever current, and typing looks for nothing here
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.rowAt(int(event.position().y()))
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            if event.modifiers() & _SHIFT:
                self._go(place, event.modifiers())
                return
            self._anchor = place
        super().mousePressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.modifiers() & _SHIFT:  # else Qt would draw a range from where it was pressed before
            super().mouseMoveEvent(event)
        self._hover(self.rowAt(int(event.position().y())))

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring(event.reason() in _BY_KEYBOARD)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ring(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows from their pictures, each painted once: a step of the choice paints two, a scroll those that come in."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), theme().color("surface.panel"))
        last = self.rowAt(event.rect().bottom())
        rows, shown = self.model().rowCount(), self._places()
        for place in range(max(self.rowAt(event.rect().top()), 0), rows if last < 0 else last + 1):
            self._paint_row(painter, place, self.rowViewportPosition(place), shown)

    def _paint_row(self, painter: QPainter, place: int, top: int, shown: Sequence[tuple[Column, int, int]]) -> None:
        model = self._rows
        row = model.row(place)
        current = place == self.currentIndex().row()
        chosen = self.selectionModel().isSelected(model.index(place, 0))
        several = count_of(self._chosen) > 1
        look = Look(chosen, place == self._hovered, current and (self._ringed or several or not chosen))
        ratio = self.devicePixelRatioF()
        if row is None or ratio != int(ratio):  # a picture would be drawn between the pixels
            moved = [(column, left - self.horizontalOffset(), width) for column, left, width in shown]
            paint_row(painter, top, moved, row, model.highest(row), look, place)
            return
        picture = self._pictures.picture_of(row, model.highest(row), look, shown, int(ratio))
        painter.drawPixmap(-self.horizontalOffset(), top, picture)

    def _places(self) -> list[tuple[Column, int, int]]:
        """The columns shown, each with its left, wherever the table is scrolled to, and its width."""
        return [
            (COLUMNS[place], self.header.sectionPosition(place), self.header.sectionSize(place))
            for place in (PLACES[name] for name in self._shown)
            if not self.isColumnHidden(place)
        ]

    def _go(self, place: int, held: Qt.KeyboardModifier) -> None:
        """Look at a row: Shift chooses all from where the choice began, Alt leaves what is chosen."""
        rows = self.model().rowCount()
        if not rows:
            return
        place = min(max(place, 0), rows - 1)
        if not held & (_SHIFT | _ALT):
            self.choose_row(place)
            return
        index, anchor = self.model().index(place, 0), min(self._anchor, rows - 1)
        self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        if held & _SHIFT:
            command = QItemSelectionModel.SelectionFlag
            flags = command.Select if held & _CTRL else command.ClearAndSelect
            self._select(min(anchor, place), max(anchor, place), flags)
        else:
            self._anchor = place
        self.scrollTo(index)

    def _select(self, first: int, last: int, command: QItemSelectionModel.SelectionFlag) -> None:
        end = self.model().index(last, len(COLUMNS) - 1)
        self.selectionModel().select(QItemSelection(self.model().index(first, 0), end), command)

    def _stride(self, key: int) -> int:
        if key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return 1
        if key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
            return max(self.viewport().height() // height("row") - 1, 1)
        return self.model().rowCount()

    def _forget_painted(self) -> None:
        self._pictures.forget()
        self.viewport().update()

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def _ring(self, ringed: bool) -> None:
        self._ringed = ringed
        self.viewport().update()

    def _own_widths(self) -> dict[str, int]:
        own = self._settings.get("audit_columns")
        return {name: int(own[name]) for name in PLACES if isinstance(own.get(name), int) and own[name] >= LEAST_WIDTH}

    def _on_resized(self, place: int, old: int, new: int) -> None:
        if not self._fitting and new > 0:
            self._settings.set("audit_columns", {**self._settings.get("audit_columns"), COLUMNS[place].id: new})
            self.fit()

    def _on_double_click(self, index: QModelIndex) -> None:
        self.opened.emit()

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.table.name"))
        self._forget_painted()
