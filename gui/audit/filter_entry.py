"""The line in which a filter is typed: wrong characters are underlined, and what may be written next is offered."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from engine.query.complete import Suggestion
from gui.theme import font, height, radius, theme
from gui.widgets import paint_box, paint_error_underline, paint_text

LONGEST_FILTER = 4_000
_ROW = 24
_PADDING = 10
_WIDEST = 420


class FilterEntry(QLineEdit):
    """A bare line edit for one or more terms.

    Signals:
        typed: the text is another now.
        entered: Return was pressed; nothing in the list was chosen.
        left_back: Backspace at the very beginning.
        left_left: Left or Home at the very beginning: on to the chips.
        earlier_asked: Up in the empty line.
        left_down: Down with no list open.
        cleared: Escape with no list open.
        picked: the ``Suggestion`` of a whole filter that was taken from the list.
    """

    typed = Signal(str)
    entered, left_back, left_down, cleared = Signal(), Signal(), Signal(), Signal()
    left_left, earlier_asked = Signal(), Signal()
    picked = Signal(object)

    def __init__(self, suggest: Callable[[str, int], Sequence[Suggestion]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._suggest = suggest
        self._wrong: tuple[int, int] | None = None
        self.setProperty("role", "bare")
        self.setFont(font("body"))
        self.setMaxLength(LONGEST_FILTER)
        self.offers = Offers(self)
        self.offers.chosen.connect(self._put)
        self.textEdited.connect(self._on_edited)

    def set_wrong(self, place: tuple[int, int] | None) -> None:
        """Underline the characters ``start:end``, or none."""
        self._wrong = place
        self.update()

    def set_text(self, text: str) -> None:
        """Show another text; nothing is emitted. The list stays open while the text is the same."""
        if text != self.text():
            self.setText(text)
            self.offers.hide()
        self._wrong = None

    def offer(self, offered: Sequence[Suggestion]) -> None:
        """Open the list with these, the first one chosen."""
        self.offers.show_for(offered)
        self.offers.step(1)

    def event(self, event: QEvent) -> bool:
        """Tab takes what is chosen in the list, before it would leave the field."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Tab:
            picked = self.offers.current() or self.offers.first()
            if self.offers.isVisible() and picked is not None:
                self._put(picked)
                return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, is_open = event.key(), self.offers.isVisible()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            picked = self.offers.current()
            if is_open and picked is not None:
                self._put(picked)
            else:
                self.offers.hide()
                self.entered.emit()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and is_open:
            self.offers.step(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Down:
            self.left_down.emit()
        elif key == Qt.Key.Key_Up and not self.text():
            self.earlier_asked.emit()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Home) and self.cursorPosition() == 0 and not self.hasSelectedText():
            self.left_left.emit()
        elif key == Qt.Key.Key_Escape:
            if is_open:
                self.offers.hide()
            else:
                self.cleared.emit()
        elif key == Qt.Key.Key_Backspace and self.cursorPosition() == 0 and not self.hasSelectedText():
            self.left_back.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.offers.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._wrong is None or not self.text():
            return
        start, end = self._wrong
        metrics = self.fontMetrics()
        origin = self.cursorRect().center().x() - metrics.horizontalAdvance(self.text()[: self.cursorPosition()])
        left = origin + metrics.horizontalAdvance(self.text()[:start])
        right = origin + metrics.horizontalAdvance(self.text()[:end])
        baseline = (self.height() + metrics.ascent() - metrics.descent()) / 2
        painter = QPainter(self)
        painter.setClipRect(self.rect())
        paint_error_underline(painter, max(left, 0), max(min(right, self.width()), left + 6), baseline)

    def _on_edited(self, text: str) -> None:
        self._wrong = None
        self.typed.emit(text)
        self.offers.show_for(self._suggest(text, self.cursorPosition()))

    def _put(self, picked: Suggestion) -> None:
        if picked.kind == "filter":
            self.offers.hide()
            self.picked.emit(picked)
            return
        text = self.text()
        self.setText(text[: picked.start] + picked.text + text[picked.end :])
        self.setCursorPosition(picked.start + len(picked.text))
        self.offers.hide()
        if picked.kind == "field":
            self._on_edited(self.text())  # its values are offered next
        else:
            self._wrong = None
            self.typed.emit(self.text())


class Offers(QWidget):
    """A list under the entry; the keyboard stays in the entry.

    Signals:
        chosen: the ``Suggestion`` that was clicked.
    """

    chosen = Signal(object)

    def __init__(self, entry: QLineEdit) -> None:
        super().__init__(entry)
        self._entry = entry
        self._offered: list[Suggestion] = []
        self._at = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_for(self, offered: Sequence[Suggestion]) -> None:
        """Offer these; none hides the list. Nothing is chosen until Down is pressed."""
        self._offered, self._at = list(offered), -1
        if not offered:
            self.hide()
            return
        window = self._entry.window()
        self.setParent(window)
        self.resize(self.sizeHint())
        below = self._entry.mapTo(window, QPoint(0, self._entry.height() + 6))
        self.move(max(0, min(below.x() - _PADDING, window.width() - self.width() - 4)), below.y())
        self.show()
        self.raise_()
        self.update()

    def current(self) -> Suggestion | None:
        """What Up and Down chose."""
        return self._offered[self._at] if self.isVisible() and 0 <= self._at < len(self._offered) else None

    def first(self) -> Suggestion | None:
        """The best one."""
        return self._offered[0] if self._offered else None

    def step(self, by: int) -> None:
        """Move the choice, round the ends."""
        if self._offered:
            self._at = (self._at + by) % len(self._offered) if self._at >= 0 or by > 0 else len(self._offered) - 1
            picked = self._offered[self._at]
            self._entry.setAccessibleDescription(f"{picked.text} {picked.label}")
            self.update()

    def sizeHint(self) -> QSize:
        words_font, small = QFontMetrics(font("table", weight=500)), QFontMetrics(font("small"))
        wide = max(
            (words_font.horizontalAdvance(o.text) + small.horizontalAdvance(o.label) for o in self._offered), default=80
        )
        return QSize(max(200, min(wide + 4 * _PADDING, _WIDEST)), _ROW * len(self._offered) + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme()
        edge = colours.color("surface.line_strong")
        paint_box(painter, self.rect(), radius("control"), colours.color("surface.raised"), edge)
        for place, offer in enumerate(self._offered):
            row = QRect(1, 4 + place * _ROW, self.width() - 2, _ROW)
            if place == self._at:
                painter.fillRect(row, colours.color("surface.selected"))
            room = row.adjusted(_PADDING, 0, -_PADDING, 0)
            took = int(paint_text(painter, room, offer.text, font("table", weight=500), colours.color("text.primary")))
            if offer.label and offer.label != offer.text.rstrip(":"):
                rest = room.adjusted(took + _PADDING, 0, 0, 0)
                align = Qt.AlignmentFlag.AlignRight
                paint_text(painter, rest, offer.label, font("small"), colours.color("text.tertiary"), align)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._at = (int(event.position().y()) - 4) // _ROW
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        picked = self.current()
        if picked is not None:
            self.chosen.emit(picked)


def entry_height() -> int:
    """The height of the framed field."""
    return height("button") + 4
