"""The header of the table: titles, the arrow of the order with its rank, and the same by keyboard."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QItemSelection, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QHeaderView, QMenu, QWidget

from gui.audit.columns import COLUMNS, DEFAULT, FIXED, LEAST_WIDTH, PLACES, Sort
from gui.strings import words
from gui.theme import font, height, line, radius, theme
from gui.widgets import paint_focus, paint_text

_PADDING = 8
_ARROW = 14
_STEP = 8
_MOST_PAINTED = 80  # titles, of 8 kB each
RIGHT = ("rate", "figure")  # kinds of columns whose figures stand at the right


@dataclass(frozen=True, slots=True)
class _Title:
    """What the head of a column shows; ``rank`` is its place in the order, 0 where it is in none."""

    text: str
    is_right: bool
    rank: int
    is_descending: bool
    is_focused: bool


class Header(QHeaderView):
    """Sorts by click, Shift+click adds a column, a drag moves one.

    Focused, Left and Right go from column to column, Return sorts, Alt narrows and widens, Shift moves, Delete hides.

    Signals:
        sort_asked: a column's id, and whether the columns before it stay.
        arranged: the ids of the columns in the order the user gave them.
        hide_asked: a column's id.
        columns_asked: the user wants to choose columns.
        reset_asked: the columns as they ship.
    """

    sort_asked = Signal(str, bool)
    arranged = Signal(tuple)
    hide_asked = Signal(str)
    columns_asked, reset_asked = Signal(), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._sort: Sort = ()
        self._shown: tuple[str, ...] = DEFAULT
        self._at = 0
        self._held = Qt.KeyboardModifier.NoModifier
        self._arranging = False
        self._painted: dict[Hashable, QPixmap] = {}
        self.setFixedHeight(height("header"))
        self.setSectionsClickable(True)
        self.setSectionsMovable(True)
        self.setFirstSectionMovable(False)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(LEAST_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFont(font("table", weight=500))
        self.sectionClicked.connect(self._on_clicked)
        self.sectionMoved.connect(self._on_moved)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_sort(self, sort: Sort) -> None:
        """Show an order."""
        self._sort = sort
        self.viewport().update()

    def arrange(self, shown: tuple[str, ...]) -> None:
        """Put the columns in this order, the others behind them."""
        self._shown = shown
        self._arranging = True
        for visual, name in enumerate(shown):
            self.moveSection(self.visualIndex(PLACES[name]), visual)
        self._arranging = False
        if self.isSectionHidden(self._at):
            self._at = 0

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Titles do not follow the choice: Qt would paint all of them anew at each step down the table."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = event.modifiers()
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        section = self.logicalIndexAt(event.pos())
        self.menu_of(self._at if section < 0 else section).popup(event.globalPos())

    def menu_of(self, section: int) -> QMenu:
        """What can be done with a column."""
        menu, name = QMenu(self), COLUMNS[section].id
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if COLUMNS[section].fields:
            menu.addAction(words.text("audit.columns.sort"), partial(self.sort_asked.emit, name, False))
            menu.addAction(words.text("audit.columns.sort_too"), partial(self.sort_asked.emit, name, True))
            menu.addSeparator()
        if name != FIXED:
            menu.addAction(words.text("audit.columns.left"), partial(self._shift, name, -1))
            menu.addAction(words.text("audit.columns.right"), partial(self._shift, name, 1))
            menu.addAction(words.text("audit.columns.hide"), partial(self.hide_asked.emit, name))
            menu.addSeparator()
        menu.addAction(words.text("audit.columns.choose"), self.columns_asked.emit)
        menu.addAction(words.text("audit.columns.reset"), self.reset_asked.emit)
        return menu

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        column = COLUMNS[self._at]
        if by and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.resizeSection(self._at, max(self.minimumSectionSize(), self.sectionSize(self._at) + by * _STEP))
        elif by and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._shift(column.id, by)
        elif by:
            self._move(by)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.sort_asked.emit(column.id, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Delete and column.id != FIXED:
            self.hide_asked.emit(column.id)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._say_where()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        """Each title is painted once and then shown from its picture: whatever is found, Qt paints all of them anew."""
        if not rect.isValid():
            return
        title, ratio = self._title(section), self.devicePixelRatioF()
        if ratio != int(ratio):  # a picture would be drawn between the pixels
            _paint_title(painter, rect, title)
            return
        key = (title, rect.size().toTuple(), theme().name, ratio)
        picture = self._painted.get(key)
        if picture is None:
            picture = QPixmap(rect.size() * int(ratio))
            picture.setDevicePixelRatio(ratio)
            onto = QPainter(picture)
            _paint_title(onto, QRect(QPoint(), rect.size()), title)
            onto.end()
            if len(self._painted) >= _MOST_PAINTED:
                self._painted.clear()
            self._painted[key] = picture
        painter.drawPixmap(rect.topLeft(), picture)

    def _title(self, section: int) -> _Title:
        column = COLUMNS[section]
        rank = next((n for n, (name, _) in enumerate(self._sort, 1) if name == column.id), 0)
        text = "" if column.kind == "state" else str(self.model().headerData(section, self.orientation()))
        is_descending = bool(rank) and self._sort[rank - 1][1]
        return _Title(text, column.kind in RIGHT, rank, is_descending, self.hasFocus() and section == self._at)

    def _move(self, by: int) -> None:
        visual = self.visualIndex(self._at) + by
        while 0 <= visual < self.count() and self.isSectionHidden(self.logicalIndex(visual)):
            visual += by
        if 0 <= visual < self.count():
            self._at = self.logicalIndex(visual)
            self._say_where()

    def _shift(self, name: str, by: int) -> None:
        """Change places with the next column that is seen, the first one excepted."""
        seen = [column for column in self._shown if not self.isSectionHidden(PLACES[column]) and column != FIXED]
        to = seen.index(name) + by
        if 0 <= to < len(seen):
            order = [column for column in self._shown if column != name]
            order.insert(order.index(seen[to]) + (by > 0), name)
            self.arranged.emit(tuple(order))

    def _on_moved(self, section: int, before: int, after: int) -> None:
        if not self._arranging:
            found = sorted(self._shown, key=lambda name: self.visualIndex(PLACES[name]))
            QTimer.singleShot(0, self, partial(self.arranged.emit, tuple(found)))  # Qt still holds the drag here

    def _say_where(self) -> None:
        title = str(self.model().headerData(self._at, self.orientation()))
        self.setAccessibleDescription(words.text("audit.table.header_at", column=title))
        self.viewport().update()

    def _on_clicked(self, section: int) -> None:
        self._at = section
        self.sort_asked.emit(COLUMNS[section].id, bool(self._held & Qt.KeyboardModifier.ShiftModifier))

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.table.header"))


def _paint_title(painter: QPainter, rect: QRect, title: _Title) -> None:
    painter.save()
    colours, rank = theme(), title.rank
    painter.fillRect(rect, colours.color("surface.window"))
    painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
    own = font("table", weight=600 if rank else 500)
    room = rect.adjusted(_PADDING, 0, -_PADDING, 0)
    arrow = _ARROW + 6 if rank else 0
    wide = min(QFontMetrics(own).horizontalAdvance(title.text) + 2, max(room.width() - arrow, 0))
    left = room.right() + 1 - wide - arrow if title.is_right else room.left()
    ink = "text.primary" if rank else "text.secondary"
    paint_text(painter, QRect(left, rect.top(), wide, rect.height()), title.text, own, colours.color(ink))
    if rank:
        _paint_arrow(painter, QRectF(left + wide, rect.top(), _ARROW, rect.height()), title.is_descending)
        painter.setFont(font("axis", weight=500))
        painter.setPen(colours.color("text.primary"))
        painter.drawText(QPointF(left + wide + _ARROW, rect.center().y() - 1), str(rank))
    if title.is_focused:
        paint_focus(painter, rect.adjusted(1, 1, -1, -1), radius("control"))
    painter.restore()


def _paint_arrow(painter: QPainter, rect: QRectF, descending: bool) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(theme().color("accent.base"), line("curve") - 0.25)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    middle, down = rect.center(), 2.0 if descending else -2.0
    painter.drawPolyline(
        [
            QPointF(middle.x() - 4, middle.y() - down),
            QPointF(middle.x(), middle.y() + down),
            QPointF(middle.x() + 4, middle.y() - down),
        ]
    )
