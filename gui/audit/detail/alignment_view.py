"""The alignment: what is written over what is heard, a cell a token, edits marked by tint, line, hatch and glyph."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QSizePolicy, QToolTip, QWidget

from engine.metrics.drawn import Cell
from engine.query.alignment import ShownAlignment
from gui.audit.detail.cell_lines import CellLine, cell_lines, line_of
from gui.audit.detail.cell_paint import GLYPH_ROW, LATIN_MARK, LINE_HEIGHT, ROW, CellPaint, Spot
from gui.audit.detail.cell_words import cell_said, edits_said
from gui.audit.detail.token_text import KEPT, LONGEST
from gui.strings import words
from gui.theme import font, line, radius, space, theme, width
from gui.widgets.painting import paint_box, paint_focus, paint_text
from gui.widgets.text import shown_text, tip_text

CELL, COMPACT_CELL = 25, 22
LINE_GAP = 9
_MARK = 14
_WORD_PADDING = 9
_LAST_NARROW = "\u2e7f"  # above stand the characters of East Asia


class AlignmentView(QAbstractScrollArea):
    """Draws a ``ShownAlignment``; only the lines in sight are painted.

    Left and Right go from edit to edit, Up and Down from line to line, Enter or a click plays a cell.

    Signals:
        cell_activated: the number of the cell that is to be heard.
        cell_chosen: the number of the cell the keyboard or the mouse is at.
    """

    cell_activated = Signal(int)
    cell_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: ShownAlignment | None = None
        self._cells: tuple[Cell, ...] = ()
        self._widths: list[float] = []
        self._lines: list[CellLine] = []
        self._current: int | None = None
        self._playing: int | None = None
        self._is_compact = False
        self._paint = CellPaint()
        self._token_widths = _TokenWidths(CELL)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.viewport().setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)
        self._describing = QTimer(self)
        self._describing.setSingleShot(True)
        self._describing.timeout.connect(self._describe)
        words.changed.connect(self._retranslate)
        self._retranslate()

    def show_alignment(self, shown: ShownAlignment | None) -> None:
        """Draw another alignment, from its beginning."""
        self._shown = shown
        self._cells = shown.drawn.cells if shown else ()
        self._current = self._playing = None
        self._measure()
        self.verticalScrollBar().setValue(0)
        self._retranslate()

    def set_compact(self, is_compact: bool) -> None:
        """Use the narrower cells of small windows."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self._token_widths = _TokenWidths(COMPACT_CELL if is_compact else CELL)
            self._measure()

    @property
    def current(self) -> int | None:
        """The cell that keyboard or mouse chose last."""
        return self._current

    def set_playing(self, index: int | None) -> None:
        """Mark the cell that is heard now."""
        if index != self._playing:
            self._playing = index
            self.viewport().update()

    def choose(self, index: int) -> None:
        """Go to a cell and bring it in sight."""
        self._current = index
        number = line_of(self._lines, index)
        top, bar = number * (LINE_HEIGHT + LINE_GAP), self.verticalScrollBar()
        if top < bar.value():
            bar.setValue(top)
        elif top + LINE_HEIGHT > bar.value() + self.viewport().height():
            bar.setValue(top + LINE_HEIGHT - self.viewport().height())
        self.viewport().update()
        self.setAccessibleName(f"{words.text('audit.detail.alignment.name')}: {self.said(index)}")
        self.cell_chosen.emit(index)

    def cell_rect(self, index: int) -> QRectF:
        """Where a cell stands in the viewport, both its rows."""
        number = line_of(self._lines, index)
        left, right = self._lines[number].span(index)
        return QRectF(self._left() + left, self._top(number), right - left, LINE_HEIGHT)

    def regions(self) -> list[tuple[QRect, str]]:
        """Every edit with where it stands and what it says: the picture as a table."""
        return [
            (self.cell_rect(index).toRect(), self.said(index)) for index, cell in enumerate(self._cells) if cell.is_edit
        ]

    def content_height(self) -> int:
        """How tall all lines are together."""
        return max(len(self._lines), 1) * (LINE_HEIGHT + LINE_GAP)

    def sizeHint(self) -> QSize:
        return QSize(400, min(self.content_height(), 3 * (LINE_HEIGHT + LINE_GAP)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, LINE_HEIGHT + LINE_GAP)

    # --- laying out

    def _measure(self) -> None:
        wide = self._token_widths
        if len(wide) > KEPT:
            wide.clear()
        self._widths = [
            _mark_width(cell)
            if cell.kind == "mark"
            else wide[cell.reference]
            if cell.reference == cell.hypothesis
            else max(wide[cell.reference], wide[cell.hypothesis])
            for cell in self._cells
        ]
        self._lay_out()

    def _lay_out(self) -> None:
        self._lines = cell_lines(self._cells, self._widths, self.viewport().width() - self._left() - space(2))
        bar = self.verticalScrollBar()
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(LINE_HEIGHT + LINE_GAP)
        bar.setRange(0, max(0, self.content_height() - LINE_GAP - self.viewport().height()))
        self.updateGeometry()
        self.viewport().update()

    def _left(self) -> int:
        return width("lane_head")

    def _top(self, number: int) -> int:
        return number * (LINE_HEIGHT + LINE_GAP) - self.verticalScrollBar().value()

    def _lines_in_sight(self) -> range:
        step, top = LINE_HEIGHT + LINE_GAP, self.verticalScrollBar().value()
        end = -(-(top + self.viewport().height()) // step)
        return range(min(top // step, len(self._lines)), min(len(self._lines), end))

    def _index_at(self, place: QPoint) -> int | None:
        number, inside = divmod(place.y() + self.verticalScrollBar().value(), LINE_HEIGHT + LINE_GAP)
        if not 0 <= number < len(self._lines) or inside > LINE_HEIGHT:
            return None
        return self._lines[number].index_at(place.x() - self._left())

    # --- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._index_at(event.pos())
            if index is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), tip_text(self.said(index)), self.viewport())
            return True
        return super().viewportEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self._cells:
            self._paint.forget()
            self._token_widths = _TokenWidths(COMPACT_CELL if self._is_compact else CELL)
            self._measure()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event.position().toPoint())
        if index is not None and event.button() == Qt.MouseButton.LeftButton and self._cells[index].kind != "mark":
            self.choose(index)
            self.cell_activated.emit(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self._index_at(event.position().toPoint())
        can_hear = index is not None and self._shown is not None and self._shown.times.spans[index] is not None
        shape = Qt.CursorShape.PointingHandCursor if can_hear else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {
            Qt.Key.Key_Left: lambda: self._edit(-1),
            Qt.Key.Key_Right: lambda: self._edit(1),
            Qt.Key.Key_Up: lambda: self._line(-1),
            Qt.Key.Key_Down: lambda: self._line(1),
            Qt.Key.Key_Home: lambda: self._token(0, 1),
            Qt.Key.Key_End: lambda: self._token(len(self._cells) - 1, -1),
        }
        key = Qt.Key(event.key())
        if key in moves and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            found = moves[key]()
            if found is not None:
                self.choose(found)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._current is not None:
            self.cell_activated.emit(self._current)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _edit(self, step: int) -> int | None:
        """The next edit in a direction; the first one where no cell is chosen yet."""
        at = self._current if self._current is not None else (-1 if step > 0 else len(self._cells))
        ahead = range(at + step, len(self._cells) if step > 0 else -1, step)
        return next((index for index in ahead if self._cells[index].is_edit), None)

    def _line(self, step: int) -> int | None:
        if self._current is None:
            return self._edit(1)
        number = line_of(self._lines, self._current) + step
        if not 0 <= number < len(self._lines):
            return None
        left, right = self._lines[number - step].span(self._current)
        goal = self._lines[number].index_at((left + right) / 2)
        return self._token(goal if goal is not None else self._lines[number].end - 1, -1)

    def _token(self, start: int, step: int) -> int | None:
        places = range(start, len(self._cells) if step > 0 else -1, step)
        return next((index for index in places if self._cells[index].kind != "mark"), None)

    def said(self, index: int) -> str:
        """A cell in words, with when it is heard."""
        span = self._shown.times.spans[index] if self._shown else None
        return cell_said(self._cells[index], span, self._shown.times.source if self._shown else "nothing")

    def _retranslate(self) -> None:
        self.setAccessibleName(words.text("audit.detail.alignment.name"))
        self._describing.start()
        self.viewport().update()

    def _describe(self) -> None:
        """List the edits for a screen reader, once the picture is there."""
        self.setAccessibleDescription(edits_said(self._shown) if self._shown else "")

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        in_sight = self._lines_in_sight()
        for number in in_sight:
            self._paint_heads(painter, self._top(number))
        for index in (self._playing, self._current):
            if index is not None:
                paint_box(painter, self.cell_rect(index), radius("mark"), theme().color("accent.tint"))
        self._paint.paint(painter, self._spots(in_sight))
        if self._current is not None:
            self._paint_ring(painter, self.cell_rect(self._current))
        elif self.hasFocus():
            paint_focus(painter, self.viewport().rect(), radius("control"))

    def _spots(self, numbers: range) -> Iterator[Spot]:
        for number in numbers:
            row, side, top = self._lines[number], self._left(), float(self._top(number))
            for cell, (left, right) in zip(self._cells[row.first : row.end], pairwise(row.lefts)):
                yield Spot(cell, side + left, top, right - left)

    def _paint_heads(self, painter: QPainter, top: int) -> None:
        colour = theme().color("text.tertiary")
        room = self._left() - space(2)
        is_person = self._shown is not None and self._shown.transcript.maker.kind == "person"
        heard = "heard_by_person" if is_person else "heard"
        for text, at in (("written", top), (heard, top + ROW + GLYPH_ROW)):
            said = words.text(f"audit.detail.alignment.{text}")
            paint_text(painter, QRectF(space(3), at, room - space(2), ROW), said, font("small"), colour)

    def _paint_ring(self, painter: QPainter, ring: QRectF) -> None:
        """Around the chosen cell; dashed where its time is an estimate."""
        is_about = self._shown is not None and self._shown.times.source == "estimate"
        edge = line("focus" if self.hasFocus() else "hairline")
        colour = theme().color("accent.focus" if self.hasFocus() else "accent.base")
        paint_box(painter, ring, radius("mark"), edge=colour, edge_width=edge, dashed=is_about)


class _TokenWidths(dict[str, float]):
    """How wide the cell of a token is: Han has ``side``, a word what it takes if that is more."""

    def __init__(self, side: float) -> None:
        super().__init__()
        self._side, self._metrics = side, QFontMetricsF(font("alignment", "content"))

    def __missing__(self, token: str) -> float:
        wide = self._side
        if len(token) > 1 or "" < token <= _LAST_NARROW:
            wide = max(self._metrics.horizontalAdvance(shown_text(token, LONGEST)) + _WORD_PADDING, wide)
        self[token] = wide
        return wide


def _mark_width(cell: Cell) -> int:
    """A full-width mark has half a cell; a Latin one leans on the word before it."""
    return LATIN_MARK if (cell.reference or cell.hypothesis).isascii() else _MARK
