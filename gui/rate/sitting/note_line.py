"""The note on an item: the one place on the screen where an input method may open."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from gui.theme import font, paint_box, paint_focus, radius, space, theme
from gui.widgets import Glyph, KeyCap

HEIGHT, LOW = 36, 30


class NoteLine(QWidget):
    """A line to write in; Enter and Esc go back to rating and keep what is written.

    Signals:
        written: the text as it is now.
        done: the writer goes back to rating.
    """

    written, done = Signal(str), Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.entry = _Entry(self)
        self.entry.textEdited.connect(self.written)
        self.entry.done.connect(self.done)
        self.entry.focused.connect(self.update)
        self.cap = KeyCap("N")
        row = QHBoxLayout(self)
        row.setContentsMargins(space(3), 0, space(2), 0)
        row.setSpacing(space(2))
        row.addWidget(Glyph("note-pencil"))
        row.addWidget(self.entry, 1)
        row.addWidget(self.cap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setFocusProxy(self.entry)

    def show_text(self, text: str) -> None:
        """The note of another item."""
        if text != self.entry.text():
            self.entry.setText(text)
            self.entry.setCursorPosition(len(text))

    def say(self, placeholder: str) -> None:
        """What the line is for, in the language of now."""
        self.entry.setPlaceholderText(placeholder)
        self.entry.setAccessibleName(placeholder)

    def be_low(self, low: bool) -> None:
        """Take less room."""
        self.setFixedHeight(LOW if low else HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        colours = theme()
        edge = colours.color("surface.control_edge")
        paint_box(painter, self.rect(), radius("control"), colours.color("surface.panel"), edge)
        if self.entry.hasFocus():
            paint_focus(painter, self.rect(), radius("control"))


class _Entry(QLineEdit):
    """A bare line that claims Enter and Esc, which mean something else on the screen.

    Signals:
        done: one of them was pressed.
        focused: the keyboard came or went.
    """

    done, focused = Signal(), Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "bare")
        self.setFrame(False)
        self.setFont(font("body", "content"))
        self.setMaxLength(2000)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_done(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_done(event):
            self.done.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focused.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focused.emit()


def _is_done(event: QKeyEvent) -> bool:
    keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
    return event.key() in keys and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
