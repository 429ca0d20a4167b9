"""A small panel over the window with texts at full length, to read and copy; Esc or a click beside it closes it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import (
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from gui.audit.detail.full_text import TextPart
from gui.strings import words
from gui.theme import font, radius, space, theme
from gui.widgets.buttons import Button, IconButton
from gui.widgets.labels import label
from gui.widgets.painting import paint_box
from gui.widgets.text import shown_text

LONGEST_PART = 12_000
_LONGEST_LINE = 2_000  # characters of one paragraph: Qt lays a paragraph out as one piece
WIDTH, HEIGHT = 560, 380


class TextPopover(QWidget):
    """Shows parts of text over the window it belongs to, above or below the button that opened it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(space(3), space(2), space(2), space(3))
        head = QHBoxLayout()
        self._title = label("", "body", weight=600, elide=True)
        self._copy = Button(size="button_small", icon="copy")
        self._copy.clicked.connect(self._copy_all)
        self._close = IconButton("x", size="button_small", key="Esc")
        self._close.clicked.connect(self.leave)
        head.addWidget(self._title, 1)
        head.addWidget(self._copy)
        head.addWidget(self._close)
        column.addLayout(head)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setFont(font("body", "content"))
        self._text.setProperty("role", "code")
        self._text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        column.addWidget(self._text)
        self._parts: tuple[TextPart, ...] = ()
        self._opener: QWidget | None = None
        words.changed.connect(self.close)
        self.hide()

    def show_parts(self, title: str, parts: Sequence[TextPart], over: QWidget) -> None:
        """Open with these texts near ``over``, wholly inside its window."""
        self._parts, self._opener = tuple(parts), over
        self._title.setText(title)
        self._copy.setText(words.text("audit.detail.copy"))
        self._close.set_tip(words.text("audit.detail.close"))
        self.setAccessibleName(title)
        self._text.setAccessibleName(title)
        self._fill()
        self._place(over)
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.show()
        self.raise_()
        self._text.setFocus()

    @property
    def shown(self) -> str:
        """What stands in it, as it is drawn."""
        return self._text.toPlainText()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A press beside it closes it, and does what it would have done."""
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            place = self.mapFromGlobal(event.globalPosition().toPoint())
            if not self.rect().contains(place):
                self.close()
        return False

    def event(self, event: QEvent) -> bool:
        # Esc is a shortcut of the screen too; while this is open it closes this
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)

    def leave(self) -> None:
        """Close, and go back to the button that opened it."""
        self.close()
        if self._opener is not None:
            self._opener.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme()
        ground, edge = colours.color("surface.raised"), colours.color("surface.line_strong")
        paint_box(QPainter(self), self.rect(), radius("card"), ground, edge)

    def _place(self, over: QWidget) -> None:
        window = over.window()
        self.setParent(window)
        room = window.rect().adjusted(space(2), space(2), -space(2), -space(2))
        self.resize(min(WIDTH, room.width()), min(HEIGHT, room.height()))
        above = over.mapTo(window, QPoint(0, -self.height() - space(1)))
        below = over.mapTo(window, QPoint(0, over.height() + space(1)))
        corner = below if below.y() + self.height() <= room.bottom() else above
        left = max(room.left(), min(corner.x(), room.right() - self.width()))
        top = max(room.top(), min(corner.y(), room.bottom() - self.height()))
        self.move(left, top)

    def _fill(self) -> None:
        self._text.clear()
        cursor = QTextCursor(self._text.document())
        heading, plain = QTextCharFormat(), QTextCharFormat()
        heading.setFont(font("small", weight=600))
        heading.setForeground(theme().color("text.secondary"))
        plain.setFont(font("body", "content"))
        plain.setForeground(theme().color("text.primary"))
        for number, part in enumerate(self._parts):
            note = f"  {part.note}" if part.note else ""
            cursor.insertText(("\n\n" if number else "") + shown_text(part.heading + note), heading)
            cursor.insertText("\n" + shown_lines(part.text), plain)
        self._text.moveCursor(QTextCursor.MoveOperation.Start)

    def _copy_all(self) -> None:
        whole = "\n\n".join(f"{part.heading}\n{part.text}" for part in self._parts)
        QGuiApplication.clipboard().setText(whole)
        self._copy.setText(words.text("audit.detail.copied"))


def shown_lines(text: str, longest: int = LONGEST_PART) -> str:
    """``text`` of several lines with everything invisible shown by a sign, cut where it is longer than anyone reads."""
    kept = text[:longest]
    lines = []
    for line in kept.split("\n"):
        pieces = [line[at : at + _LONGEST_LINE] for at in range(0, len(line), _LONGEST_LINE)] or [""]
        lines += [shown_text(piece, _LONGEST_LINE) for piece in pieces]
    if len(text) > longest:
        lines.append(words.text("audit.detail.cut", more=len(text) - longest))
    return "\n".join(lines)
