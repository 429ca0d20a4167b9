"""The list of all actions: title left, key caps right, headings between."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from gui.preferences.keys_model import ROW_ROLE, Index, KeyRow, KeysModel
from gui.strings import words
from gui.theme import font, height, space, theme
from gui.widgets import cap_width, key_words, paint_focus, paint_key_cap, paint_text
from gui.widgets.keycap import CAP_HEIGHT

BAR = 3


class KeysList(QListView):
    """Up and Down walk over the actions, headings are passed over.

    Signals:
        moved: the id of the action that is the current one, "" for none.
        change_asked: Enter or a double click on an action.
        clear_asked: Delete on an action.
    """

    moved, change_asked, clear_asked = Signal(str), Signal(), Signal()

    def __init__(self, model: KeysModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        self.setItemDelegate(_Row(self))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.selectionModel().currentChanged.connect(self._on_current)
        self.doubleClicked.connect(self._on_double_click)

    @property
    def current(self) -> str:
        """The id of the current action, "" for none."""
        row = self.currentIndex().data(ROW_ROLE)
        return row.action if isinstance(row, KeyRow) else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current:
            self.change_asked.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.current:
            self.clear_asked.emit()
        else:
            super().keyPressEvent(event)

    def _on_current(self, current: Index, before: Index) -> None:
        self.moved.emit(self.current)

    def _on_double_click(self, index: Index) -> None:
        self.change_asked.emit()


class _Row(QStyledItemDelegate):
    def __init__(self, view: KeysList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: KeyRow = index.data(ROW_ROLE)
        return QSize(100, height("row" if row.action else "row_comfortable"))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect, colours = QRect(option.rect), theme()
        row: KeyRow = index.data(ROW_ROLE)
        painter.save()
        if row.action:
            self._paint_action(painter, rect, option.state, row)
        else:
            room = rect.adjusted(space(3), 4, -space(3), 0)
            paint_text(painter, room, row.title, font("small", weight=600), colours.color("text.secondary"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
        painter.restore()

    def _paint_action(self, painter: QPainter, rect: QRect, state: QStyle.StateFlag, row: KeyRow) -> None:
        colours = theme()
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, colours.color("surface.selected"))
            painter.fillRect(rect.left(), rect.top(), BAR, rect.height(), colours.color("accent.base"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, colours.color("surface.hover"))
        right = rect.right() - space(3)
        for key in reversed(row.keys):
            cap = key_words(key)
            right -= cap_width(cap)
            top = rect.center().y() - CAP_HEIGHT // 2
            paint_key_cap(painter, QRect(right, top, cap_width(cap), CAP_HEIGHT), cap)
            right -= space(1)
        notes = ["none"] if not row.keys else []
        notes += ["changed"] if row.is_changed else []
        if notes:
            said = " · ".join(words.text(f"preferences.keys.{note}") for note in notes)
            wide = painter.fontMetrics().horizontalAdvance(said) + space(4)
            colour = "accent.base" if row.is_changed else "text.tertiary"
            room = QRect(right - wide, rect.top(), wide, rect.height())
            took = paint_text(painter, room, said, font("small"), colours.color(colour), Qt.AlignmentFlag.AlignRight)
            right -= int(took) + space(2)
        room = QRect(rect.left() + space(3), rect.top(), right - rect.left() - space(4), rect.height())
        paint_text(painter, room, row.title, font("table"), colours.color("text.primary"))
        if state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus():
            paint_focus(painter, rect.adjusted(1, 1, -1, -2), 3)
