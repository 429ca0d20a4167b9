"""The header of the table: titles, the arrow of the order with its rank, and the same by keyboard."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QWidget

from gui.audit.columns import COLUMNS, Sort
from gui.strings import words
from gui.theme import font, height, line, radius, theme
from gui.widgets import paint_focus, paint_text

_PADDING = 8
_ARROW = 14
_STEP = 8
RIGHT = ("rate", "figure")  # kinds of columns whose figures stand at the right


class Header(QHeaderView):
    """Sorts by click, Shift+click adds a column; focused, Left and Right move, Return sorts, Alt+Left narrows.

    Signals:
        sort_asked: a column's id, and whether the columns before it stay.
    """

    sort_asked = Signal(str, bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._sort: Sort = ()
        self._at = 0
        self._held = Qt.KeyboardModifier.NoModifier
        self.setFixedHeight(height("header"))
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setMinimumSectionSize(28)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFont(font("table", weight=500))
        self.sectionClicked.connect(self._on_clicked)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def set_sort(self, sort: Sort) -> None:
        """Show an order."""
        self._sort = sort
        self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = event.modifiers()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        by = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if by and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.resizeSection(self._at, max(self.minimumSectionSize(), self.sectionSize(self._at) + by * _STEP))
        elif by:
            self._move(by)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.sort_asked.emit(COLUMNS[self._at].id, shift)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._say_where()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:
        if not rect.isValid():
            return
        column, colours = COLUMNS[section], theme()
        painter.save()
        painter.fillRect(rect, colours.color("surface.window"))
        painter.fillRect(rect.left(), rect.bottom(), rect.width(), 1, colours.color("surface.line"))
        rank = next((n for n, (name, _) in enumerate(self._sort, 1) if name == column.id), 0)
        title = "" if column.kind == "state" else str(self.model().headerData(section, self.orientation()))
        own = font("table", weight=600 if rank else 500)
        room = rect.adjusted(_PADDING, 0, -_PADDING, 0)
        arrow = _ARROW + 6 if rank else 0
        wide = min(QFontMetrics(own).horizontalAdvance(title) + 2, max(room.width() - arrow, 0))
        left = room.right() + 1 - wide - arrow if column.kind in RIGHT else room.left()
        ink = "text.primary" if rank else "text.secondary"
        paint_text(painter, QRect(left, rect.top(), wide, rect.height()), title, own, colours.color(ink))
        if rank:
            _paint_arrow(painter, QRectF(left + wide, rect.top(), _ARROW, rect.height()), dict(self._sort)[column.id])
            painter.setFont(font("axis", weight=500))
            painter.setPen(colours.color("text.primary"))
            painter.drawText(QPointF(left + wide + _ARROW, rect.center().y() - 1), str(rank))
        if self.hasFocus() and section == self._at:
            paint_focus(painter, rect.adjusted(1, 1, -1, -1), radius("control"))
        painter.restore()

    def _move(self, by: int) -> None:
        at = self._at + by
        while 0 <= at < self.count() and self.isSectionHidden(at):
            at += by
        if 0 <= at < self.count():
            self._at = at
            self._say_where()

    def _say_where(self) -> None:
        title = str(self.model().headerData(self._at, self.orientation()))
        self.setAccessibleDescription(words.text("audit.table.header_at", column=title))
        self.viewport().update()

    def _on_clicked(self, section: int) -> None:
        self._at = section
        self.sort_asked.emit(COLUMNS[section].id, bool(self._held & Qt.KeyboardModifier.ShiftModifier))

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.table.header"))


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
