"""The panel in which columns are chosen and put in order: tick, drag, or Alt with the arrows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.audit.columns import COLUMNS, FIXED
from gui.strings import words
from gui.theme import font, height, line, paint_icon, radius, space, theme
from gui.widgets import Button, IconButton, Popover, label, paint_box, paint_focus, paint_text

WIDTH, MOST_HEIGHT = 320, 560
_BOX = 16
_NOTE = Qt.ItemDataRole.UserRole + 1
_ID = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex


class ColumnsPanel(Popover):
    """Shows every column, the chosen ones first and in their order; what is changed is seen in the table at once.

    Signals:
        chosen: the ids of the columns to show, in order.
        reset_asked: the columns as they ship.
    """

    chosen = Signal(tuple)
    reset_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = label("", "body", weight=600, elide=True)
        self._close = IconButton("x", size="button_small", key="Esc")
        self._close.clicked.connect(self.leave)
        self.list = ColumnList(self)
        self.list.changed.connect(self._on_changed)
        self._hint = label("", "small", "secondary", wrap=True)
        self._reset = Button(size="button_small", icon="arrow-counter-clockwise")
        self._reset.clicked.connect(self.reset_asked)
        head, foot, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        head.addWidget(self._title, 1)
        head.addWidget(self._close)
        foot.addWidget(self._hint, 1)
        foot.addWidget(self._reset)
        column.setContentsMargins(space(3), space(2), space(2), space(3))
        column.setSpacing(space(2))
        column.addLayout(head)
        column.addWidget(self.list, 1)
        column.addLayout(foot)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def open_for(self, over: QWidget, shown: Sequence[str], squeezed: Sequence[str]) -> None:
        """Open near ``over`` with what is shown now; ``squeezed`` columns are wanted but have no room."""
        self.show_columns(shown, squeezed)
        rows = self.list.count() * height("row") + 2 * height("row") + 5 * space(3)
        self.open_near(over, QSize(WIDTH, min(MOST_HEIGHT, rows)))
        self.list.setFocus(Qt.FocusReason.PopupFocusReason)

    def show_columns(self, shown: Sequence[str], squeezed: Sequence[str]) -> None:
        """List the columns anew."""
        rest = [column.id for column in COLUMNS if column.id not in shown]
        self.list.fill([(name, _title(name), name in shown) for name in (*shown, *rest) if name != FIXED])
        self.tell_squeezed(squeezed)

    def follow(self, shown: Sequence[str], squeezed: Sequence[str]) -> None:
        """Take over what was changed elsewhere; what was changed here stands as it was left."""
        if (FIXED, *self.list.ticked()) == tuple(shown):
            self.tell_squeezed(squeezed)
        else:
            self.show_columns(shown, squeezed)

    def tell_squeezed(self, squeezed: Sequence[str]) -> None:
        """Say beside a column that it has no room now."""
        for place in range(self.list.count()):
            item = self.list.item(place)
            item.setData(_NOTE, words.text("audit.columns.no_room") if item.data(_ID) in squeezed else "")

    def _on_changed(self) -> None:
        self.chosen.emit((FIXED, *self.list.ticked()))

    def _retranslate(self) -> None:
        self._title.setText(words.text("audit.columns.title"))
        self.setAccessibleName(words.text("audit.columns.title"))
        self.list.setAccessibleName(words.text("audit.columns.title"))
        self._close.set_tip(words.text("audit.columns.close"))
        self._hint.setText(words.text("audit.columns.hint"))
        self._reset.setText(words.text("audit.columns.reset"))
        self._reset.set_tip(words.text("audit.columns.reset_tip"))
        for place in range(self.list.count()):
            item = self.list.item(place)
            item.setText(_title(str(item.data(_ID))))


class ColumnList(QListWidget):
    """Rows with a box to tick; Space ticks, Alt+Up and Alt+Down move, a drag moves too.

    Signals:
        changed: other columns are ticked, or their order is another.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dragged: QListWidgetItem | None = None
        self._pressed_at = 0
        self._has_moved = False
        self.setItemDelegate(_Row(self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)

    def fill(self, rows: Sequence[tuple[str, str, bool]]) -> None:
        """Show columns: id, title, whether it is ticked; the same row stays current."""
        current = self.currentItem().data(_ID) if self.currentItem() is not None else None
        self.clear()
        for name, title, is_ticked in rows:
            item = QListWidgetItem(title, self)
            item.setData(_ID, name)
            item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        places = [place for place in range(self.count()) if self.item(place).data(_ID) == current]
        self.setCurrentRow(places[0] if places else 0)

    def ticked(self) -> tuple[str, ...]:
        """The ids of the ticked columns, in order."""
        items = (self.item(place) for place in range(self.count()))
        return tuple(str(item.data(_ID)) for item in items if item.checkState() == Qt.CheckState.Checked)

    def toggle(self, place: int) -> None:
        """Tick a column, or no longer."""
        item = self.item(place)
        was = item.checkState() == Qt.CheckState.Checked
        item.setCheckState(Qt.CheckState.Unchecked if was else Qt.CheckState.Checked)
        self.changed.emit()

    def move_row(self, place: int, to: int) -> None:
        """Put a row elsewhere; it stays the current one."""
        if 0 <= to < self.count() and to != place:
            item = self.takeItem(place)
            self.insertItem(to, item)
            self.setCurrentItem(item)
            self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if by and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.move_row(self.currentRow(), self.currentRow() + by)
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.toggle(self.currentRow())
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._dragged, self._has_moved = self.itemAt(event.position().toPoint()), False
        if self._dragged is not None:
            self.setCurrentItem(self._dragged)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._dragged is None or not event.buttons() & Qt.MouseButton.LeftButton:
            super().mouseMoveEvent(event)
            return
        under = self.itemAt(event.position().toPoint())
        if under is not None and under is not self._dragged:
            self._has_moved = True
            self.move_row(self.row(self._dragged), self.row(under))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._dragged is not None and not self._has_moved:
            self.toggle(self.row(self._dragged))
        self._dragged = None


class _Row(QStyledItemDelegate):
    def __init__(self, view: ColumnList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, height("row"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, colours, state = QRect(option.rect), theme(), option.state
        is_ticked = Qt.CheckState(index.data(Qt.ItemDataRole.CheckStateRole)) == Qt.CheckState.Checked
        painter.save()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colours.color("surface.selected"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colours.color("surface.hover"))
        box = QRectF(rect.left() + 6, rect.center().y() - _BOX / 2 + 1, _BOX, _BOX)
        _paint_box(painter, box, is_ticked)
        grip = QRectF(rect.right() - 22, rect.center().y() - 7, _BOX, _BOX)
        paint_icon(painter, grip, "dots-six-vertical", "text.tertiary")
        room = rect.adjusted(6 + _BOX + 8, 0, -28, 0)
        ink = colours.color("text.primary" if is_ticked else "text.secondary")
        took = int(paint_text(painter, room, str(index.data()), font("table"), ink))
        note = str(index.data(_NOTE) or "")
        if note:
            rest, grey = room.adjusted(took + 8, 0, 0, 0), colours.color("text.tertiary")
            paint_text(painter, rest, note, font("small"), grey, Qt.AlignmentFlag.AlignRight)
        if state & QStyle.StateFlag.State_Selected and self._view.hasFocus():
            paint_focus(painter, rect.adjusted(1, 1, -1, -1), radius("control"))
        painter.restore()


def _paint_box(painter: QPainter, box: QRectF, is_ticked: bool) -> None:
    colours = theme()
    ground, edge = ("accent.base", "accent.base") if is_ticked else ("surface.panel", "surface.control_edge")
    paint_box(painter, box, radius("key"), colours.color(ground), colours.color(edge))
    if is_ticked:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(colours.color("text.on_accent"), line("curve"))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        left, top = box.left(), box.top()
        tick = [QPointF(left + 4, top + 8.5), QPointF(left + 6.75, top + 11.25), QPointF(left + 12, top + 5.25)]
        painter.drawPolyline(tick)


def _title(name: str) -> str:
    return words.text(f"audit.table.{name}")
